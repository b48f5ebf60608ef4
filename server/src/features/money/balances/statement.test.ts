import { POSTING_KINDS } from '@trunkline/contract/posting-kinds'
import type { StatementLine } from '@trunkline/contract/statements'
import { system } from '@trunkline/domain/access'
import type { MoneyCommand, PostingKind } from '@trunkline/domain/ledger'
import { type Micros, micros } from '@trunkline/domain/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { withSingleHolds } from '../../../../test/ledger.ts'
import { createPortal, type Portal, type SignedIn, signUp } from '../../../../test/portal.ts'
import { microsOf } from '../../../platform/amounts.ts'
import { insertCdrs } from '../../calls/cdr/cdr-store.ts'
import { insertUser } from '../../identity/users/store.ts'

const owner = system('test')

type Move = { kind: PostingKind; userId: number; amountMicros: Micros; reference: string }

/** False if the balance does not cover it. */
async function carryOut(
  { services }: Portal,
  { kind, userId, amountMicros, reference }: Move,
  by: number | null = null,
): Promise<boolean> {
  const ledger = withSingleHolds(services.ledger, services.db)
  if (kind === 'call_settlement') {
    const placed = await ledger.placeHold(owner, { holdId: reference, userId, amountMicros })
    return placed.ok && (await ledger.settleHold(owner, { holdId: reference, costMicros: amountMicros })).ok
  }
  const common = { key: `key ${reference}`, userId, amountMicros, reference }
  const details = { direction: 'debit', reason: 'secret-reason', takenFrom: 'balance' }
  const outcome = await ledger.post(owner, { kind, ...common, ...details } as MoneyCommand, by)
  return outcome.ok
}

async function linesOf({ services }: Portal, userId: number): Promise<StatementLine[]> {
  const lines: StatementLine[] = []
  let before: number | undefined
  do {
    const page = await services.balances.ownStatement({ userId, isAdmin: false }, { limit: 7, before })
    lines.push(...page.lines)
    before = page.next ?? undefined
  } while (before !== undefined)
  return lines
}

const aStep = fc.record({
  kind: fc.constantFrom(...POSTING_KINDS),
  isOther: fc.boolean(),
  cents: fc.integer({ min: 1, max: 500 }),
})
const everyKind = POSTING_KINDS.map((kind, at) => ({ kind, isOther: false, cents: at === 0 ? 500 : 9 }))

const fileOf = async (portal: Portal, { token }: SignedIn, query = '') =>
  (
    await portal.api.inject({
      url: `/api/statement.csv${query}`,
      headers: { authorization: `Bearer ${token}` },
    })
  ).body
    .trim()
    .split('\n')

describe('the statement of a customer', () => {
  it('has every posting of the customer once, and its amounts add up to the balance', async () => {
    const portal = await createPortal()
    const { services, clock } = portal
    const newUser = async (username: string): Promise<number> =>
      (await insertUser(services.db, { username, passwordHash: '', email: null }, clock.now())).id
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { maxLength: 40, size: 'max' }), async (steps) => {
        run += 1
        const [customer, other] = [await newUser(`customer-${run}`), await newUser(`other-${run}`)]
        const done: Move[] = []
        for (const [at, { kind, isOther, cents }] of steps.entries()) {
          const userId = isOther ? other : customer
          const move = { kind, userId, amountMicros: microsOf(cents / 100), reference: `${run}-${at}` }
          if (await carryOut(portal, move)) done.push(move)
        }
        for (const userId of [customer, other]) {
          const lines = (await linesOf(portal, userId)).toReversed()
          expect(lines.map(({ kind, reference }) => [kind, reference])).toEqual(
            done.filter((move) => move.userId === userId).map(({ kind, reference }) => [kind, reference]),
          )
          let sum = 0n
          for (const { amount, balance } of lines) {
            sum += microsOf(amount)
            expect(microsOf(balance)).toBe(sum)
          }
          expect((await services.ledger.balanceOf(owner, userId)).balanceMicros).toBe(sum)
        }
      }),
      { numRuns: 5, examples: [[everyKind]] },
    )
    const kinds = await services.db.selectFrom('postings').select('kind').distinct().execute()
    expect(kinds.map(({ kind }) => kind).sort()).toEqual([...POSTING_KINDS].sort())
  })

  it('is filtered, has pages and a CSV file, and shows neither reasons nor administrators', async () => {
    const portal = await createPortal()
    const root = await signUp(portal, 'zroot', { isAdmin: true })
    const alice = await signUp(portal, 'alice')
    const move = (kind: PostingKind, dollars: number) =>
      carryOut(
        portal,
        { kind, userId: alice.id, amountMicros: microsOf(dollars), reference: `=${kind}` },
        root.id,
      )
    await move('top_up', 20)
    await move('number_rent', 2)
    portal.clock.advance(60_000)
    const later = portal.clock.now().toISOString()
    await move('call_settlement', 1.5)
    await move('adjustment', 1)
    const read = async (query: Record<string, string | number>) =>
      (await portal.call('GET /api/statement', { token: alice.token, query })).answer
    const amounts = async (query: Record<string, string | number>) =>
      (await read(query)).lines.map(({ amount }) => amount)

    expect(await read({})).toMatchObject({ balance: 15.5, held: 0, available: 15.5, next: null })
    expect(await amounts({})).toEqual([-1, -1.5, -2, 20])
    expect(await amounts({ kind: 'number_rent' })).toEqual([-2])
    expect(await amounts({ kind: 'without_calls' })).toEqual([-1, -2, 20])
    expect(await amounts({ from: later })).toEqual([-1, -1.5])
    expect(await amounts({ to: later })).toEqual([-2, 20])
    const first = await read({ limit: 3 })
    expect(await amounts({ limit: 3, before: first.next ?? 0 })).toEqual([20])

    const lines = await fileOf(portal, alice, '?kind=without_calls&timezone=Asia/Tokyo')
    expect(lines[0]).toBe('id,date,time,kind,amount,balance,reference,at')
    expect(lines.slice(1).map((line) => line.split(',').slice(3, 7).join(','))).toEqual([
      "Adjustment,-1.000000,15.500000,'=adjustment",
      "Number rent,-2.000000,18.000000,'=number_rent",
      "Top-up,20.000000,20.000000,'=top_up",
    ])
    expect(lines[1]?.split(',')[2]).toBe('21:01:00')
    expect(`${JSON.stringify(await read({}))}${lines}`).not.toMatch(/secret-reason|zroot/)
  })

  it('of another customer cannot be read', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const bob = await signUp(portal, 'bob')
    const topUp = (userId: number, reference: string) =>
      carryOut(portal, { kind: 'top_up', userId, amountMicros: micros(5_000_000n), reference })
    await topUp(alice.id, 'order-of-alice')
    const read = (query: Record<string, number>) =>
      portal.call('GET /api/statement', { token: bob.token, query })
    expect((await read({})).answer).toEqual({ balance: 0, held: 0, available: 0, lines: [], next: null })
    // A posting of Alice as the cursor shows nothing of it, and no parameter names another customer.
    expect((await read({ before: 1_000_000 })).answer.lines).toEqual([])
    expect(await read({ user: alice.id })).toMatchObject({ status: 400 })
    await topUp(bob.id, 'order-of-bob')
    expect((await read({})).answer.lines).toMatchObject([{ reference: 'order-of-bob' }])
    const lines = await fileOf(portal, bob)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('order-of-bob')
  })

  it('leads from a charge to the record of the call, also of a call of hours', async () => {
    const portal = await createPortal()
    const { services, clock } = portal
    const alice = await signUp(portal, 'alice')
    const bob = await signUp(portal, 'bob')
    const endedAt = clock.now()
    const startedAt = new Date(endedAt.getTime() - 4 * 3_600_000)
    const userId = alice.id
    const records = [
      aCdr({ callId: 'sw1/long', userId, startedAt, endedAt }),
      aCdr({ callId: 'sw1/in', userId, direction: 'in', callerId: '', startedAt: endedAt }),
      aCdr({ callId: 'sw1/bob', userId: bob.id, startedAt: endedAt }),
    ]
    await services.db.transaction().execute((tx) => insertCdrs(tx, owner, records))
    const amountMicros = micros(1_000_000n)
    await carryOut(portal, { kind: 'top_up', userId, amountMicros: micros(9_000_000n), reference: 'order' })
    for (const reference of ['sw1/long', 'sw1/in', 'sw1/bob', 'sw1/archived'])
      await carryOut(portal, { kind: 'call_settlement', userId, amountMicros, reference })

    const { answer } = await portal.call('GET /api/statement', { token: alice.token })
    const calls = new Map(answer.lines.map(({ reference, call }) => [reference, call]))
    expect(['sw1/archived', 'sw1/bob', 'order'].map((reference) => calls.get(reference))).toEqual([
      null,
      null,
      null,
    ])
    expect(calls.get('sw1/in')).toMatchObject({ direction: 'in', caller: 'Withheld' })
    const long = calls.get('sw1/long')
    expect(long).toMatchObject({ direction: 'out', destination: '+442079460000' })
    const opened = await portal.call('GET /api/cdr/:id', {
      token: alice.token,
      params: { id: long?.id ?? '' },
    })
    expect(opened.answer.record.uniqueid).toBe('sw1/long')
  })
})
