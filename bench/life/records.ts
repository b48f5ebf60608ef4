import { checkBooks } from '@trunkline/server/main/check-books'
import type { Database } from '@trunkline/server/platform/database'
import type { Group } from './calls.ts'
import { half, type Paid } from './payments.ts'
import type { Provider } from './provider.ts'
import type { LiveStream } from './stream.ts'
import { OTHER_PRICE, PRICE, type Town } from './town.ts'

export type Cdr = Awaited<ReturnType<typeof readRecords>>[number]

/** The result of a check. */
export type Verdict = { what: string; of: string; faults: string[] }

export const readRecords = (db: Database) =>
  db
    .selectFrom('cdrs')
    .select(['call_id', 'user_id', 'status', 'reason', 'seconds', 'cost_micros', 'price_micros', 'attempts'])
    .select(['started_at', 'answered_at', 'ended_at'])
    .orderBy('ended_at')
    .execute()

/** Maps Call-IDs to calls through call control's log. */
async function namesOfCalls(provider: Provider): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const part of ['callcontrol-1', 'callcontrol-2'])
    for (const line of (await provider.log(part)).split('\n')) {
      if (!line.includes('"call admitted"')) continue
      const { call, sip } = JSON.parse(line) as { call: string; sip: string }
      names.set(sip, call)
    }
  return names
}

/** Checks that every SIPp call has exactly one correct record, and that there are no others. */
export async function judgeCalls(
  provider: Provider,
  groups: readonly Group[],
  records: readonly Cdr[],
): Promise<Verdict[]> {
  const names = await namesOfCalls(provider)
  const byCall = Map.groupBy(records, ({ call_id }) => call_id)
  const prices = [PRICE, OTHER_PRICE].map((price) => BigInt(Math.round(price * 1_000_000)))
  const verdicts = groups.map(({ name, planned, userIds, expected, result }): Verdict => {
    const faults: string[] = []
    if (result.successful !== planned)
      faults.push(`of ${planned} calls SIPp counts ${result.failed} failed: ${result.errors.slice(0, 600)}`)
    const theirs = records.filter(({ user_id }) => user_id !== null && userIds.has(user_id))
    if (theirs.length !== result.successful)
      faults.push(`${result.successful} calls of SIPp have ${theirs.length} records`)
    for (const { call_id, status, reason } of theirs)
      if (status !== expected.status || (expected.reason && reason !== expected.reason))
        faults.push(`${call_id} is ${status}, ${reason}`)
    for (const [sip, { answeredAt, endedAt }] of result.calls) {
      if (answeredAt === undefined) continue
      const call = names.get(sip) ?? ''
      const [record, ...more] = byCall.get(call) ?? []
      if (!record || more.length > 0 || endedAt === undefined) {
        faults.push(`${sip} (${call}) has ${more.length + (record ? 1 : 0)} records, ended: ${endedAt}`)
        continue
      }
      const talked = Math.ceil((endedAt - answeredAt) / 1_000)
      const isRight =
        expected.seconds === undefined
          ? Math.abs(record.seconds - talked) <= 1
          : record.seconds === expected.seconds
      if (!isRight) faults.push(`${call}: ${endedAt - answeredAt} ms are ${record.seconds} s in its record`)
      const price = record.price_micros ?? 0n
      if (!prices.includes(price) || record.cost_micros !== (BigInt(record.seconds) * price) / 60n)
        faults.push(`${call}: ${record.seconds} s at ${price} cost ${record.cost_micros}`)
      const before = (record.attempts as unknown[]).length - 1
      if (before !== (expected.triedBefore ?? 0)) faults.push(`${call}: ${before} carriers tried before`)
    }
    const answered = [...result.calls.values()].filter((call) => call.answeredAt !== undefined).length
    return { what: `calls: ${name}`, of: `${result.successful}, ${answered} answered`, faults }
  })
  const known = new Set(groups.flatMap(({ userIds }) => [...userIds]))
  const others = records.filter(({ user_id }) => user_id === null || !known.has(user_id))
  const faults = others.map(({ call_id, status, reason }) => `${call_id}: ${status}, ${reason}`)
  return [...verdicts, { what: 'records of unknown users', of: String(others.length), faults }]
}

/** Checks every balance to the micro-dollar, that no money is held, and that the ledger balances. */
export async function judgeBooks(
  provider: Provider,
  db: Database,
  town: Town,
  records: readonly Cdr[],
): Promise<Verdict[]> {
  const expected = new Map(town.books)
  for (const { user_id, cost_micros } of records)
    if (user_id !== null) expected.set(user_id, (expected.get(user_id) ?? 0n) - cost_micros)
  const accounts = await db
    .selectFrom('accounts')
    .select(['user_id', 'balance_micros', 'held_micros'])
    .where('user_id', 'is not', null)
    .execute()
  const balances = new Map(accounts.map(({ user_id, balance_micros }) => [user_id, balance_micros]))
  const wrong = [...expected]
    .filter(([id, micros]) => (balances.get(id) ?? 0n) !== micros)
    .map(([id, micros]) => `user ${id} has ${balances.get(id)}, should have ${micros}`)
  const held = accounts.filter(({ held_micros }) => held_micros !== 0n)
  const { checks } = await checkBooks(provider.databaseUrl)
  return [
    { what: 'balances to the micro-dollar', of: `${expected.size} accounts`, faults: wrong },
    {
      what: 'nothing left held',
      of: `${accounts.length} accounts`,
      faults: held.map((one) => `${one.user_id}`),
    },
    {
      what: 'check-books',
      of: `${checks.length} checks`,
      faults: checks.flatMap(({ name, faults }) =>
        faults.map((fault) => `${name}: ${JSON.stringify(fault)}`),
      ),
    },
  ]
}

const BOOKED = { topup: 'top_up', upgrade: 'upgrade_purchase' } as const

/** Checks that every invoice has its planned outcome and that each payment was credited once. */
export async function judgePayments(town: Town, payments: readonly Paid[]): Promise<Verdict> {
  const faults: string[] = []
  for (const { id, kind, amount, bonus, outcome, person } of payments) {
    const seen = await town.boss.call('GET /api/admin/payments/:id', { params: { id } })
    if (!seen) {
      faults.push(`payment ${id} of ${person.username} is not there`)
      continue
    }
    const { payment, postings, events, reviews } = seen
    const booked = postings.filter((posting) => posting.kind === BOOKED[kind])
    const sum = booked.reduce((total, posting) => total + posting.amount, 0)
    const callbacks = events.filter(
      (event) => event.source === 'callback' && event.status?.toLowerCase() === 'paid',
    )
    const describe = () =>
      `payment ${id}, ${outcome}: ${payment.state}, booked ${booked.length} times ${sum}, ${callbacks.length} callbacks, ${reviews.length} reviews`
    if (outcome === 'paid') {
      const isBooked = booked.length === 1 && sum === amount && callbacks.length >= 2
      const credited = kind === 'topup' ? amount + bonus : 0
      if (!isBooked || Math.abs(payment.credited - credited) > 1e-9) faults.push(describe())
    } else if (outcome === 'underpaid') {
      const isOpen = reviews.some(({ state }) => state === 'open')
      const isRight = isOpen ? booked.length === 0 : booked.length === 1 && sum === half(amount)
      if (reviews.length !== 1 || !isRight) faults.push(describe())
    } else if (booked.length > 0 || payment.state !== (outcome === 'expired' ? 'expired' : 'pending'))
      faults.push(describe())
  }
  const counts = [...Map.groupBy(payments, ({ outcome }) => outcome)].map(
    ([name, all]) => `${all.length} ${name}`,
  )
  return { what: 'payments, each callback twice', of: counts.join(', '), faults }
}

/** Tolerance at the start and end of a watched period. */
const EDGE_MS = 6_000
/** A shorter call may end before its start is announced. */
const TOO_SHORT_MS = 500

/** Checks that an uninterrupted stream contains every answer and end, with the values of the record. */
export function judgeStreams(streams: readonly LiveStream[], records: readonly Cdr[]): Verdict[] {
  const gaps: string[] = []
  const unseen: string[] = []
  let seen = 0
  let short = 0
  for (const { person, path, watches, counts } of streams) {
    if (counts.missed > 0) gaps.push(`${person.username} missed ${counts.missed} events`)
    gaps.push(...counts.faults.map((fault) => `${person.username}: ${fault}`))
    const theirs = path.includes('/admin/') ? records : records.filter(({ user_id }) => user_id === person.id)
    for (const { from, to, begun, answered, ended } of watches)
      for (const { call_id, status, seconds, cost_micros, started_at, answered_at, ended_at } of theirs) {
        const endedAt = ended_at.getTime()
        if (status === 'refused' || endedAt < from + EDGE_MS || endedAt > to - EDGE_MS) continue
        seen++
        const event = ended.get(call_id)
        const isShort = answered_at === null && endedAt - started_at.getTime() < TOO_SHORT_MS
        if (!event && isShort && !begun.has(call_id)) short++
        else if (!event) unseen.push(`${person.username} got no event for the end of ${call_id}`)
        else if (
          event.seconds !== null &&
          (event.seconds !== seconds || event.cost !== Number(cost_micros) / 1e6)
        )
          unseen.push(`${person.username} got ${event.seconds} s, $${event.cost} for ${call_id}`)
        if (answered_at && answered_at.getTime() > from + EDGE_MS && !answered.has(call_id))
          unseen.push(`${person.username} got no event for the answer of ${call_id}`)
      }
  }
  const events = streams.reduce((sum, { counts }) => sum + counts.events, 0)
  return [
    { what: 'streams without a gap', of: `${events.toLocaleString('en')} events`, faults: gaps },
    {
      what: 'end events of watched calls',
      of: `${seen.toLocaleString('en')}, ${short} too short to be seen`,
      faults: unseen,
    },
  ]
}
