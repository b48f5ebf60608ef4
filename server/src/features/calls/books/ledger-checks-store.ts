import type { AllUsers } from '@trunkline/domain/access'
import { type RawBuilder, sql } from 'kysely'
import { type Database, readSnapshot } from '../../../platform/database.ts'

/** A subquery with one column, `hold_id`: the holds of live calls. */
export type LiveHolds = RawBuilder<{ hold_id: string }>

export type CheckResult = {
  /** The checked invariant. */
  name: string
  checkedCount: number
  faultCount: number
  /** The first faults as text. */
  faults: string[]
}

type Check = {
  name: string
  counted: 'accounts' | 'postings' | 'holds'
  /** A query with one text column, `fault`. */
  faults: RawBuilder<{ fault: string }>
}

export const MAX_FAULTS_SHOWN = 100

/** Runs all checks on one snapshot. */
export const checkBooks = (
  db: Database,
  _scope: AllUsers,
  liveHolds: LiveHolds | null,
  openSince: Date,
): Promise<CheckResult[]> =>
  readSnapshot(db, async (snapshot) => {
    const results: CheckResult[] = []
    for (const check of allChecks(liveHolds, openSince)) results.push(await runCheck(snapshot, check))
    return results
  })

async function runCheck(snapshot: Database, { name, counted, faults }: Check): Promise<CheckResult> {
  const checked = await sql<{ count: bigint }>`select count(*) from ${sql.table(counted)}`.execute(snapshot)
  const { rows } = await sql<{ fault: string; count: bigint }>`
    select fault, count(*) over () as count from (${faults}) as found limit ${MAX_FAULTS_SHOWN}`.execute(
    snapshot,
  )
  return {
    name,
    checkedCount: Number(checked.rows[0]?.count ?? 0),
    faultCount: Number(rows[0]?.count ?? 0),
    faults: rows.map(({ fault }) => fault),
  }
}

const allChecks = (liveHolds: LiveHolds | null, openSince: Date): Check[] => [
  { name: 'every posting sums to zero', counted: 'postings', faults: unbalancedPostings },
  { name: 'every balance is the sum of its entries', counted: 'accounts', faults: wrongBalances },
  { name: 'every running balance follows from the one before', counted: 'postings', faults: brokenRuns },
  { name: 'what is held is the sum of the open holds', counted: 'accounts', faults: wrongHeld },
  { name: 'every settled hold agrees with its posting', counted: 'holds', faults: wrongSettlements },
  {
    name: 'every open hold belongs to something live',
    counted: 'holds',
    faults: liveHolds ? deadHolds(liveHolds) : oldHolds(openSince),
  },
]

// Each check finds the faulty rows first and formats only those. With text for every row of a million calls, the check of settlements
// took 15.8 s instead of 3.3 s, and that of postings 8.7 s instead of 6.2 s.

const unbalancedPostings = sql<{ fault: string }>`
  select 'posting ' || p.key || ' ' || wrong.what as fault
    from (select p.id, p.key,
                 coalesce(sum(e.amount_micros), 0) as total, count(e.posting_id) as entries,
                 count(*) filter (where e.account like 'customer:%'
                                    and e.account <> 'customer:' || p.user_id) as strangers
            from postings as p left join entries as e on e.posting_id = p.id
           group by p.id
          having coalesce(sum(e.amount_micros), 0) <> 0 or count(e.posting_id) < 2
              or bool_or(e.account like 'customer:%' and e.account <> 'customer:' || p.user_id)) as p
   cross join lateral (values
     (p.total <> 0, 'sums to ' || p.total || ', not to zero'),
     (p.entries < 2, 'has fewer than two entries'),
     (p.strangers > 0, 'touches another customer')) as wrong (is_so, what)
   where wrong.is_so
  union all
  select 'an entry of ' || e.account || ' belongs to no posting'
    from entries as e where not exists (select from postings where postings.id = e.posting_id)`

const wrongBalances = sql<{ fault: string }>`
  select wrong.what as fault
    from (select coalesce('customer:' || a.user_id, e.account) as name, a.user_id, a.held_micros,
                 a.balance_micros, coalesce(e.total, 0) as total
            from accounts as a
            full join (select account, sum(amount_micros) as total from entries
                        where account like 'customer:%' group by account) as e
              on e.account = 'customer:' || a.user_id
           where a.user_id is null or a.balance_micros <> coalesce(e.total, 0)
              or a.balance_micros - a.held_micros < 0) as a
   cross join lateral (values
     (a.user_id is null, a.name || ' has no account'),
     (a.balance_micros <> a.total,
      a.name || ' has a balance of ' || a.balance_micros || ', its postings sum to ' || a.total),
     (a.balance_micros - a.held_micros < 0,
      a.name || ' has ' || (a.balance_micros - a.held_micros) || ' available')) as wrong (is_so, what)
   where wrong.is_so
  union all
  select 'user ' || id || ' has no account' from users
   where not exists (select from accounts where accounts.user_id = users.id)`

/** Also detects a posting that was deleted together with its entries and its effect on the balance. */
const brokenRuns = sql<{ fault: string }>`
  select 'posting ' || key || ' says a balance of ' || balance_after_micros || ', it follows ' || expected as fault
    from (select p.key, p.balance_after_micros,
                 lag(p.balance_after_micros, 1, 0::bigint) over (partition by p.user_id order by p.id)
                   + coalesce(e.amount_micros, 0) as expected
            from postings as p
            left join entries as e on e.posting_id = p.id and e.account = 'customer:' || p.user_id) as run
   where balance_after_micros <> expected`

const wrongHeld = sql<{ fault: string }>`
  select 'customer:' || coalesce(a.user_id, h.user_id)
         || case when a.user_id is null then ' has holds but no account'
                 else ' has ' || a.held_micros || ' held, its open holds sum to ' || coalesce(h.total, 0) end as fault
    from accounts as a
    full join (select user_id, sum(amount_micros) as total from holds where status = 'open' group by user_id) as h
      on h.user_id = a.user_id
   where a.user_id is null or a.held_micros <> coalesce(h.total, 0)`

const wrongSettlements = sql<{ fault: string }>`
  select wrong.what as fault
    from (select h.hold_id, h.user_id, h.status, h.amount_micros, h.placed_micros, h.settled_micros,
                 s.key, coalesce(s.charged, 0) as charged, s.user_id as posted_user_id
            from holds as h
            full join (select p.key, p.user_id, -e.amount_micros as charged
                         from postings as p
                         left join entries as e on e.posting_id = p.id and e.account = 'customer:' || p.user_id
                        where p.kind = 'call_settlement') as s
              on s.key = 'settle:' || h.hold_id
           where h.hold_id is null or h.settled_micros <> coalesce(s.charged, 0) or h.user_id <> s.user_id
              or (h.status <> 'settled' and h.settled_micros <> 0) or h.settled_micros > h.amount_micros
              or h.settled_micros < 0 or h.placed_micros <= 0 or h.amount_micros < h.placed_micros) as h
   cross join lateral (values
     (h.hold_id is null, 'settlement ' || h.key || ' has no hold'),
     (h.settled_micros <> h.charged or h.user_id <> h.posted_user_id,
      'hold ' || h.hold_id || ' settled ' || h.settled_micros || ', its posting charged ' || h.charged),
     (h.status <> 'settled' and h.settled_micros <> 0,
      'hold ' || h.hold_id || ' is ' || h.status || ' but settled ' || h.settled_micros),
     (h.settled_micros > h.amount_micros or h.settled_micros < 0 or h.placed_micros <= 0
        or h.amount_micros < h.placed_micros,
      'hold ' || h.hold_id || ' was placed with ' || h.placed_micros || ', holds ' || h.amount_micros
        || ' and settled ' || h.settled_micros)) as wrong (is_so, what)
   where wrong.is_so`

const deadHolds = (liveHolds: LiveHolds) => sql<{ fault: string }>`
  select 'hold ' || hold_id || ' is open but belongs to no live call' as fault
    from holds as open_hold
   where status = 'open'
     and not exists (select from (${liveHolds}) as live where live.hold_id = open_hold.hold_id)`

const oldHolds = (openSince: Date) => sql<{ fault: string }>`
  select 'hold ' || hold_id || ' has been open since ' || placed_at as fault
    from holds where status = 'open' and placed_at < ${openSince}`
