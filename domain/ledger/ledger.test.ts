import { describe, expect, test } from 'vitest'
import { cents, dollars, micros, WIRE_LIMIT_MICROS, ZERO } from '../money/index.ts'
import {
  type AccountState,
  balanced,
  checkBooks,
  emptyAccount,
  extendHold,
  fingerprint,
  type Hold,
  type MoneyCommand,
  type Posting,
  placeHold,
  post,
  recognize,
  releaseHold,
  settleHold,
} from './index.ts'

const topUp = {
  kind: 'top_up',
  key: 'k',
  userId: 7,
  amountMicros: dollars(10),
  reference: 'ORD-7-1',
} as const
const rich: AccountState = { userId: 7, balanceMicros: dollars(10), heldMicros: ZERO }

function mustPost(command: MoneyCommand): Posting {
  const result = post(command)
  if (!result.ok) throw new Error(result.reason)
  return result.posting
}

describe('post', () => {
  test.each<[MoneyCommand, string, string]>([
    [topUp, 'payment_clearing', 'customer:7'],
    [{ ...topUp, kind: 'upgrade_purchase' }, 'payment_clearing', 'upgrade_revenue'],
    [{ ...topUp, kind: 'promo_credit' }, 'promotions', 'customer:7'],
    [{ ...topUp, kind: 'adjustment', direction: 'credit', reason: 'r' }, 'adjustments', 'customer:7'],
    [{ ...topUp, kind: 'adjustment', direction: 'debit', reason: 'r' }, 'customer:7', 'adjustments'],
    [{ ...topUp, kind: 'refund_to_balance' }, 'refunds', 'customer:7'],
    [{ ...topUp, kind: 'refund_paid_out', takenFrom: 'balance' }, 'customer:7', 'payment_clearing'],
    [{ ...topUp, kind: 'refund_paid_out', takenFrom: 'house' }, 'refunds', 'payment_clearing'],
  ])('%o goes from %s to %s', (command, from, to) => {
    expect(mustPost(command).entries).toEqual([
      { account: from, amountMicros: -10_000_000n },
      { account: to, amountMicros: 10_000_000n },
    ])
  })

  test.each<[Partial<typeof topUp> | object, string]>([
    [{ amountMicros: ZERO }, 'amount_not_positive'],
    [{ amountMicros: micros(-1n) }, 'amount_not_positive'],
    [{ amountMicros: WIRE_LIMIT_MICROS }, 'amount_too_large'],
    [{ key: ' ' }, 'key_missing'],
    [{ key: 'settle:call-1' }, 'reserved_key'],
    [{ reference: '' }, 'reference_missing'],
    [{ kind: 'adjustment', direction: 'credit', reason: '  ' }, 'reason_missing'],
  ])('refuses %o: %s', (change, reason) => {
    expect(post({ ...topUp, ...change } as MoneyCommand)).toEqual({ ok: false, reason })
  })

  test('refuses entries that do not sum to zero', () => {
    const posting = mustPost(topUp)
    const entries = [...posting.entries, { account: 'refunds', amountMicros: cents(1) } as const]
    expect(balanced({ ...posting, entries })).toEqual({ ok: false, reason: 'unbalanced' })
    expect(balanced({ ...posting, entries: [] })).toEqual({ ok: false, reason: 'unbalanced' })
  })

  test('returns a frozen posting', () => {
    const posting = mustPost(topUp)
    expect(() => Object.assign(posting, { key: 'x' })).toThrow(TypeError)
    expect(() => Object.assign(posting.entries[0] ?? {}, { amountMicros: 1n })).toThrow(TypeError)
  })
})

describe('fingerprint', () => {
  test('ignores the order of fields and fields left undefined', () => {
    const { key, ...rest } = topUp
    expect(fingerprint({ ...rest, key, note: undefined })).toBe(fingerprint(topUp))
  })

  test('has a form that other versions of the product recognize', () => {
    expect(fingerprint({ b: [1, 'x'], a: { d: 5n, c: null } })).toBe(
      '{"a":{"c":null,"d":{"$bigint":"5"}},"b":[1,"x"]}',
    )
  })

  test('differs for similar values of different types', () => {
    const values = [5n, 5, '5', '5n', null, true, [5], { a: 5 }, { a: '5' }, [5, 5], [[5], 5]]
    expect(new Set(values.map((value) => fingerprint({ value }))).size).toBe(values.length)
  })

  test('recognizes new, repeated and conflicting commands', () => {
    const kept = fingerprint(topUp)
    expect(recognize(null, topUp)).toBe('new')
    expect(recognize(kept, { ...topUp })).toBe('repeat')
    expect(recognize(kept, { ...topUp, amountMicros: cents(1) })).toBe('conflict')
  })

  test('refuses values without a canonical form', () => {
    for (const value of [Number.NaN, new Date(0), () => 0, Symbol('s')]) {
      expect(() => fingerprint({ value })).toThrow(TypeError)
    }
  })
})

describe('a hold', () => {
  const open = opened(placeHold(rich, null, { holdId: 'call-1', amountMicros: dollars(4) }))

  test('reserves money, grows, charges the cost and releases the rest', () => {
    const grown = opened(extendHold(open.account, open.hold, dollars(6)))
    expect(grown.account).toEqual({ userId: 7, balanceMicros: dollars(10), heldMicros: dollars(6) })
    const settled = opened(settleHold(grown.account, grown.hold, dollars(5)))
    expect(settled.account).toEqual({ userId: 7, balanceMicros: dollars(5), heldMicros: ZERO })
    expect(settled.posting).toMatchObject({
      key: 'settle:call-1',
      kind: 'call_settlement',
      reference: 'call-1',
    })
  })

  test('settles a cost of zero without a posting', () => {
    const settled = opened(settleHold(open.account, open.hold, ZERO))
    expect([settled.posting, settled.account]).toEqual([null, rich])
  })

  test('accepts a repeated placement after an extension', () => {
    const grown = opened(extendHold(open.account, open.hold, dollars(6)))
    const again = opened(placeHold(grown.account, grown.hold, { holdId: 'call-1', amountMicros: dollars(4) }))
    expect([again.isRepeat, again.account]).toEqual([true, grown.account])
  })

  test('refuses a repeated placement after it is closed', () => {
    const released = opened(releaseHold(open.account, open.hold))
    const again = placeHold(released.account, released.hold, { holdId: 'call-1', amountMicros: dollars(4) })
    expect(again).toEqual({ ok: false, reason: 'hold_closed', availableMicros: dollars(10) })
  })

  test('belongs to one account', () => {
    const other = emptyAccount(8)
    const commands = [
      (hold: Hold | null) => extendHold(other, hold, dollars(6)),
      (hold: Hold | null) => settleHold(other, hold, ZERO),
      (hold: Hold | null) => releaseHold(other, hold),
    ]
    for (const command of commands) {
      expect(command(open.hold)).toMatchObject({ reason: 'wrong_account' })
      expect(command(null)).toMatchObject({ reason: 'unknown_hold' })
    }
  })
})

describe('checkBooks', () => {
  const settled: Hold = {
    holdId: 'call-1',
    userId: 7,
    placedMicros: dollars(4),
    amountMicros: dollars(4),
    status: 'settled',
    settledMicros: dollars(3),
  }
  const live: Hold = { ...settled, holdId: 'call-2', status: 'open', settledMicros: ZERO }
  const account: AccountState = { userId: 7, balanceMicros: dollars(7), heldMicros: dollars(4) }
  const charge = opened(
    settleHold(
      { ...rich, heldMicros: dollars(4) },
      { ...settled, status: 'open', settledMicros: ZERO },
      dollars(3),
    ),
  ).posting as Posting
  const credit = mustPost(topUp)

  test('returns no faults for consistent books', () => {
    expect(checkBooks([account], [credit, charge], [settled, live], new Set(['call-2']))).toEqual([])
  })

  const [first, second] = credit.entries as [Posting['entries'][number], Posting['entries'][number]]
  const withEntries = (...entries: Posting['entries']): Posting => ({ ...credit, entries })

  test.each<[string, AccountState[], Posting[], Hold[]]>([
    [
      'customer:7 has a balance of 8000000, its postings sum to 7000000',
      [{ ...account, balanceMicros: dollars(8) }],
      [credit, charge],
      [settled, live],
    ],
    [
      'customer:7 has 5000000 held, its open holds sum to 4000000',
      [{ ...account, heldMicros: dollars(5) }],
      [credit, charge],
      [settled, live],
    ],
    [
      'customer:7 has -1000000 available',
      [{ ...account, heldMicros: dollars(8) }],
      [credit, charge],
      [settled, live],
    ],
    ['customer:7 has no account', [], [credit, charge], [settled, live]],
    ['posting k exists twice', [account], [credit, credit, charge], [settled, live]],
    ['hold call-2 exists twice', [account], [credit, charge], [settled, live, live]],
    ['account of user 7 exists twice', [account, account], [credit, charge], [settled, live]],
    ['posting k sums to 10000000, not to zero', [account], [withEntries(second), charge], [settled, live]],
    ['posting k has fewer than two entries', [account], [withEntries(second), charge], [settled, live]],
    [
      'posting k has an entry of zero',
      [account],
      [withEntries(first, second, { account: 'refunds', amountMicros: ZERO }), charge],
      [settled, live],
    ],
    [
      'posting k names an account twice',
      [account],
      [withEntries(first, first, second, second), charge],
      [settled, live],
    ],
    [
      'posting k of user 9 touches another customer',
      [account],
      [{ ...credit, userId: 9 }, charge],
      [settled, live],
    ],
    ['adjustment k has no reason', [account], [{ ...credit, kind: 'adjustment' }, charge], [settled, live]],
    [
      'hold call-1 of 2000000 settled 3000000',
      [account],
      [credit, charge],
      [{ ...settled, amountMicros: dollars(2) }, live],
    ],
    [
      'hold call-1 shrank from 4000000 to 3000000',
      [account],
      [credit, charge],
      [{ ...settled, amountMicros: dollars(3) }, live],
    ],
    [
      'hold call-1 was placed with 0',
      [account],
      [credit, charge],
      [{ ...settled, placedMicros: ZERO }, live],
    ],
    [
      'hold call-1 settled -1',
      [account],
      [credit, charge],
      [{ ...settled, settledMicros: micros(-1n) }, live],
    ],
    [
      'hold call-1 is released but settled 3000000',
      [account],
      [credit, charge],
      [{ ...settled, status: 'released' }, live],
    ],
    ['hold call-1 settled 3000000, its posting charged 0', [account], [credit], [settled, live]],
    ['settlement settle:call-1 has no hold', [account], [credit, charge], [live]],
  ])('%s', (fault, accounts, postings, holds) => {
    expect(checkBooks(accounts, postings, holds)).toContain(fault)
  })

  test('reports an open hold without a live call', () => {
    expect(checkBooks([account], [credit, charge], [settled, live], new Set())).toEqual([
      'hold call-2 is open but belongs to no live call',
    ])
  })
})

function opened(result: ReturnType<typeof placeHold>) {
  if (!result.ok) throw new Error(result.reason)
  return result
}
