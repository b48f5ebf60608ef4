import { FLOW_LEG_ROUTE_ID, INCOMING_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { micros, ZERO } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { insertCdrs, type NewCdr } from './cdr-store.ts'

const START = new Date('2026-03-01T11:00:00Z')
const ms = (seconds: number) => START.getTime() + seconds * 1_000

/** A call from Berlin that rang at phones for 20 seconds and was then forwarded. */
const incoming = (changes: Partial<NewCdr> = {}): NewCdr =>
  aCdr({
    callId: 'sw1/in',
    startedAt: START,
    direction: 'in',
    numberId: 3,
    callerName: 'Berlin Office',
    callerId: '4930901820',
    dialed: '+442079460100',
    destination: '442079460100',
    sipAccount: 'alice',
    sourceAddress: '198.51.100.9',
    routeId: INCOMING_ROUTE_ID,
    routeName: 'Incoming',
    planName: '',
    rate: { priceMicros: micros(12_000n), connectFeeMicros: micros(0n), firstIncrement: 1, nextIncrement: 1 },
    costMicros: micros(12_000n),
    trunkId: 7,
    trunkName: 'Carrier One',
    explanation: 'Weekdays 9 to 17: phones, then forwarded to +447123456789.',
    attempts: [
      { trunk: -1, name: 'Phones', code: 408, reason: '', at: ms(0), until: ms(20) },
      { trunk: -2, name: 'Forward to +447123456789', code: 200, reason: '', at: ms(20), until: ms(25) },
    ],
    ...changes,
  })

async function setUp(make: (alice: number, bob: number) => NewCdr[]) {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  const bob = await signUp(portal, 'bob')
  const admin = await signUp(portal, 'root', { isAdmin: true })
  await insertCdrs(portal.services.db, systemOwner, make(alice.id, bob.id))
  const list = async (token: string, query: Record<string, string> = {}) =>
    (await portal.call('GET /api/cdr', { token, query })).answer.records
  const find = async (token: string, uniqueid: string) => {
    const id = (await list(token)).find((record) => record.uniqueid === uniqueid)?.id ?? ''
    return (await portal.call('GET /api/cdr/:id', { token, params: { id }, query: {} })).answer.record
  }
  const findAny = async (uniqueid: string) => {
    const { token } = admin
    const { records } = (await portal.call('GET /api/admin/cdr', { token, query: {} })).answer
    const id = records.find((record) => record.uniqueid === uniqueid)?.id ?? ''
    return (await portal.call('GET /api/admin/cdr/:id', { token, params: { id }, query: {} })).answer.record
  }
  return { portal, alice, bob, admin, list, find, findAny }
}

it('explains an incoming call without its carrier, which administrators see', async () => {
  const { alice, find, findAny } = await setUp((userId) => [incoming({ userId })])
  const record = await find(alice.token, 'sw1/in')
  expect(record).toMatchObject({
    direction: 'in',
    caller: '+4930901820',
    caller_name: 'Berlin Office',
    destination: '+442079460100',
    source_address: '',
    explanation: 'Weekdays 9 to 17: phones, then forwarded to +447123456789.',
    price_steps: [
      'Incoming calls to +442079460100: $0.012 a minute, billed by the second.',
      '60 seconds of talk, billed as 60 seconds.',
      '$0.012 × 60 ÷ 60 = $0.012.',
      'Cost: $0.012.',
    ],
    attempts: [
      { trunk: 'Phones', code: 408, took_ms: 20_000 },
      { trunk: 'Forward to +447123456789', code: 200, took_ms: 5_000 },
    ],
  })
  expect(record.path.map(({ what }) => what)).toEqual([
    '+4930901820 called +442079460100.',
    'Weekdays 9 to 17: phones, then forwarded to +447123456789.',
    'The phone rang.',
    'Phones for 20 seconds: no answer.',
    'Answered: Forward to +447123456789.',
    'The caller hung up.',
  ])
  expect(JSON.stringify(record)).not.toMatch(/Carrier One|198\.51\.100\.9/)
  const seen = await findAny('sw1/in')
  expect(seen).toMatchObject({ trunk: 'Carrier One', source_address: '198.51.100.9' })
  expect(seen.path[0]?.what).toBe('+4930901820 called +442079460100 over Carrier One.')
})

it('tells administrators the route that set the price, which incoming and free calls do not have', async () => {
  const { find, findAny, alice } = await setUp((userId) => [
    incoming({ userId }),
    aCdr({ callId: 'sw1/out', userId, routeId: 12 }),
    aCdr({ callId: 'sw1/leg', userId, routeId: FLOW_LEG_ROUTE_ID }),
  ])
  expect((await findAny('sw1/out')).route_id).toBe(12)
  for (const call of ['sw1/in', 'sw1/leg']) expect((await findAny(call)).route_id).toBeNull()
  expect(await find(alice.token, 'sw1/out')).not.toHaveProperty('route_id')
})

it('links the legs of a customer, and never those of another one', async () => {
  const { alice, bob, find, findAny } = await setUp((userId, bobId) => [
    incoming({ userId }),
    aCdr({ callId: 'sw1/out', userId, startedAt: new Date(ms(20)), parentCallId: 'sw1/in' }),
    incoming({ callId: 'sw1/other', userId: bobId, startedAt: new Date(ms(21)), parentCallId: 'sw1/out' }),
  ])
  const first = await find(alice.token, 'sw1/in')
  const second = await find(alice.token, 'sw1/out')
  expect(first).toMatchObject({ linked: 'sw1/out', linked_id: second.id })
  expect(second).toMatchObject({ linked: 'sw1/in', linked_id: first.id })
  expect(await find(bob.token, 'sw1/other')).toMatchObject({ linked: null, linked_id: null })
  expect(await findAny('sw1/other')).toMatchObject({ linked: 'sw1/out' })
})

it('filters by direction and missed calls, in lists, totals and exports', async () => {
  const missed = { status: 'no-answer', reason: 'no_answer', costMicros: micros(0n) } as const
  const { portal, alice, admin, list } = await setUp((userId) => [
    incoming({ userId }),
    incoming({ callId: 'sw1/missed', userId, callerId: '', ...missed, attempts: [] }),
    aCdr({ callId: 'sw1/out', userId }),
    aCdr({ callId: 'sw1/unanswered', userId, ...missed }),
  ])
  const { token } = alice
  const names = async (query: Record<string, string>) =>
    (await list(token, query)).map(({ uniqueid }) => uniqueid).sort()
  expect(await names({ direction: 'in' })).toEqual(['sw1/in', 'sw1/missed'])
  expect(await names({ direction: 'out' })).toEqual(['sw1/out', 'sw1/unanswered'])
  expect(await names({ missed: 'true' })).toEqual(['sw1/missed'])
  const [withheld] = await list(token, { missed: 'true' })
  expect(withheld).toMatchObject({ caller: 'Withheld', src: 'Withheld' })
  const query = { missed: 'true' as const }
  const own = await portal.call('GET /api/cdr/totals', { token, query })
  expect(own.answer.totals).toMatchObject({ calls: 1, completed: 0 })
  const all = await portal.call('GET /api/admin/cdr/totals', {
    token: admin.token,
    query: { direction: 'in' },
  })
  expect(all.answer.totals).toMatchObject({ calls: 2, completed: 1 })
})

it('keeps figures of carriers free of incoming calls', async () => {
  const { portal } = await setUp((userId) => [
    incoming({ userId }),
    incoming({
      callId: 'sw1/failed',
      userId,
      status: 'failed',
      reason: 'carrier_failed',
      costMicros: micros(0n),
    }),
  ])
  const { db } = portal.services
  expect(await db.selectFrom('trunk_days').selectAll().execute()).toEqual([])
})

it('explains the free leg of a flow with the names of its targets, and does not list it as missed', async () => {
  const leg = (userId: number) =>
    incoming({
      userId,
      callId: 'sw1/leg',
      direction: 'out',
      numberId: null,
      parentCallId: 'sw1/in',
      routeId: FLOW_LEG_ROUTE_ID,
      routeName: 'Flow',
      rate: { priceMicros: ZERO, connectFeeMicros: ZERO, firstIncrement: 1, nextIncrement: 1 },
      costMicros: ZERO,
      trunkId: null,
      trunkName: null,
      status: 'no-answer',
      reason: 'no_answer',
      answeredAt: null,
      explanation: 'Rung by flow Reception.',
      attempts: [{ trunk: -1, name: 'Phones', code: 480, reason: '', at: ms(0), until: ms(0) }],
    })
  const { alice, list, find } = await setUp((userId) => [incoming({ userId }), leg(userId)])
  const record = await find(alice.token, 'sw1/leg')
  expect(record.price_steps[0]).toBe('Calls of a flow to your own phones: free of charge.')
  expect(record.attempts).toMatchObject([{ trunk: 'Phones', code: 480 }])
  const path = record.path.map(({ what }) => what)
  expect(path).toContain('Rung by flow Reception.')
  expect(path).toContain('Phones for 0 seconds: not reachable.')
  expect(path.at(-1)).toBe('Nobody answered.')
  expect(await list(alice.token, { missed: 'true' })).toEqual([])
})
