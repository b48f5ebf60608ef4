import { cents, dollars } from '@trunkline/domain/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTestLedger, faultsOf, systemOwner } from '../../../../test/ledger.ts'
import { DAY } from '../../../platform/clock.ts'
import { createBooks, describeBooks } from './check-books.ts'

/** Two customers with all kinds of postings. */
async function withHistory() {
  const test = await createTestLedger()
  const [alice, bob] = [await test.newUser(dollars(10)), await test.newUser(dollars(10))]
  for (const holdId of ['open', 'settled', 'released'])
    await test.ledger.placeHold(systemOwner, { holdId, userId: alice, amountMicros: cents(50) })
  await test.ledger.settleHold(systemOwner, { holdId: 'settled', costMicros: cents(20) })
  await test.ledger.releaseHold(systemOwner, { holdId: 'released' })
  return { ...test, alice, bob }
}

it('prints one line per check', async () => {
  const { books } = await withHistory()
  const report = await books.check()
  expect(report.isSound).toBe(true)
  expect(describeBooks(report)).toEqual([
    'ok    every posting sums to zero: 3 checked, 0 at fault',
    'ok    every balance is the sum of its entries: 2 checked, 0 at fault',
    'ok    every running balance follows from the one before: 3 checked, 0 at fault',
    'ok    what is held is the sum of the open holds: 2 checked, 0 at fault',
    'ok    every settled hold agrees with its posting: 3 checked, 0 at fault',
    'ok    every open hold belongs to something live: 3 checked, 0 at fault',
    ...[
      ...['account_hours', 'account_days', 'platform_hours', 'platform_days', 'trunk_days'],
      ...['figure_quarters', 'figure_days', 'quality_hours'],
    ].map((table) => `ok    every sum in ${table} is the sum of its call records: 0 checked, 0 at fault`),
    'ok    every sum in figure_blocks is the sum of its quarters of an hour: 0 checked, 0 at fault',
    'ok    every sum in figure_weeks is the sum of its days: 0 checked, 0 at fault',
    'ok    every sum of an archived month is as it was: 0 checked, 0 at fault',
    'The books add up.',
  ])
})

it('accepts an empty ledger', async () => {
  const { books } = await createTestLedger()
  expect((await books.check()).isSound).toBe(true)
})

describe('finds a fault planted without triggers:', () => {
  it.each([
    [
      'an entry changed',
      `update entries set amount_micros = amount_micros + 1 where account = 'call_revenue'`,
      ['posting settle:settled sums to 1, not to zero'],
    ],
    [
      'a posting without entries',
      `delete from entries where posting_id = (select id from postings where kind = 'call_settlement')`,
      [
        'posting settle:settled has fewer than two entries',
        'customer:1 has a balance of 9800000, its postings sum to 10000000',
        'posting settle:settled says a balance of 9800000, it follows 10000000',
        'hold settled settled 200000, its posting charged 0',
      ],
    ],
    [
      'an entry without a posting',
      `delete from postings where kind = 'call_settlement'`,
      [
        'an entry of customer:1 belongs to no posting',
        'an entry of call_revenue belongs to no posting',
        'hold settled settled 200000, its posting charged 0',
      ],
    ],
    [
      'a posting that touches another customer',
      `update entries set account = 'customer:2' where account = 'call_revenue'`,
      [
        'posting settle:settled touches another customer',
        'customer:2 has a balance of 10000000, its postings sum to 10200000',
      ],
    ],
    [
      'a balance raised',
      `update accounts set balance_micros = balance_micros + 1 where user_id = 2`,
      ['customer:2 has a balance of 10000001, its postings sum to 10000000'],
    ],
    [
      'a balance below what is held',
      `alter table accounts drop constraint accounts_available_not_negative;
       update accounts set balance_micros = 0 where user_id = 1`,
      ['customer:1 has a balance of 0, its postings sum to 9800000', 'customer:1 has -500000 available'],
    ],
    [
      'an account gone',
      `delete from accounts where user_id = 1`,
      ['customer:1 has no account', 'user 1 has no account', 'customer:1 has holds but no account'],
    ],
    [
      'a running balance changed',
      `update postings set balance_after_micros = 7 where kind = 'call_settlement'`,
      ['posting settle:settled says a balance of 7, it follows 9800000'],
    ],
    [
      'held changed',
      `update accounts set held_micros = 0 where user_id = 1`,
      ['customer:1 has 0 held, its open holds sum to 500000'],
    ],
    [
      'an open hold gone',
      `delete from holds where hold_id = 'open'`,
      ['customer:1 has 500000 held, its open holds sum to 0'],
    ],
    [
      'a settled hold gone',
      `delete from holds where hold_id = 'settled'`,
      ['settlement settle:settled has no hold'],
    ],
    [
      'a settlement changed',
      `update holds set settled_micros = 1 where hold_id = 'settled'`,
      ['hold settled settled 1, its posting charged 200000'],
    ],
    [
      'a settlement of another customer’s hold',
      `update holds set user_id = 2 where hold_id = 'settled'`,
      ['hold settled settled 200000, its posting charged 200000'],
    ],
    [
      'a released hold that cost something',
      `alter table holds drop constraint holds_only_settled_cost;
       update holds set settled_micros = 9 where hold_id = 'released'`,
      ['hold released settled 9, its posting charged 0', 'hold released is released but settled 9'],
    ],
    [
      'a hold that shrank',
      `update holds set placed_micros = 500001, amount_micros = 500001 where hold_id = 'released';
       alter table holds drop constraint holds_check;
       update holds set amount_micros = 3 where hold_id = 'released'`,
      ['hold released was placed with 500001, holds 3 and settled 0'],
    ],
  ])('%s', async (_what, plant, faults) => {
    const { db, books } = await withHistory()
    // Disables triggers and foreign keys, as a superuser could.
    await db.connection().execute(async (session) => {
      await sql`set session_replication_role = replica`.execute(session)
      for (const statement of plant.split(';')) await sql.raw(statement).execute(session)
      await sql`set session_replication_role = origin`.execute(session)
    })
    const report = await books.check()
    expect(report.isSound).toBe(false)
    expect(faultsOf(report)).toEqual(faults)
    expect(describeBooks(report).at(-1)).toBe('The books do not add up.')
  })
})

describe('an open hold', () => {
  it('that is older than any call is a fault if the live calls are unknown', async () => {
    const { books, clock } = await withHistory()
    clock.advance(DAY + 1)
    expect(faultsOf(await books.check())).toEqual([expect.stringContaining('hold open has been open since')])
  })

  it('is checked against the live calls if they are known, whatever its age', async () => {
    const { db, clock } = await withHistory()
    const live = sql<{ hold_id: string }>`select unnest(${['open', 'other']}::text[]) as hold_id`
    const dead = sql<{ hold_id: string }>`select unnest(${['other']}::text[]) as hold_id`
    clock.advance(2 * DAY)
    expect(faultsOf(await createBooks(db, clock, live).check())).toEqual([])
    expect(faultsOf(await createBooks(db, clock, dead).check())).toEqual([
      'hold open is open but belongs to no live call',
    ])
  })
})

it('prints the first hundred faults and counts all', async () => {
  const { db, books } = await createTestLedger()
  await sql`insert into users (username, password_hash, created_at)
            select 'user' || n, '', now() from generate_series(1, 150) as n`.execute(db)
  await sql`update accounts set balance_micros = 1`.execute(db)
  const lines = describeBooks(await books.check())
  expect(lines).toContain('FAULT every balance is the sum of its entries: 150 checked, 150 at fault')
  expect(lines).toContain('      and 50 more')
})
