import { ZERO } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import {
  createIncomingProvider,
  createProviderWithOwner,
  forwardTo,
  openBrowser,
  planTo,
  rentNumber,
} from '../../../../test/incoming.ts'
import { usd } from '../../../../test/telephony.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { INTERNAL_CALL_PRICE } from '../../catalogue/snapshot/numbers-store.ts'

const NUMBER = '442079460100'
const OTHER = '442079460200'

async function setPrice({ phone }: Awaited<ReturnType<typeof createIncomingProvider>>, value: string) {
  const row = { name: INTERNAL_CALL_PRICE, value, updated_at: phone.clock.now() }
  await phone.db.insertInto('service_settings').values(row).execute()
}

it('connects two customers without a carrier, at the internal price', async () => {
  const provider = await createIncomingProvider()
  const { phone, box, startControl } = provider
  const caller = await phone.newCustomer(usd(1), phone.routeId, { country: 'DE', callerId: '442079460999' })
  await phone.guard(caller.id, { blocked_countries: ['GB'] })
  const owner = await phone.newCustomer(ZERO, phone.routeId)
  await rentNumber(phone, owner, NUMBER)
  await rentNumber(phone, null, '442079460101')
  await setPrice(provider, '600')
  await startControl()
  const dial = { user: caller.username, address: '203.0.113.5', to: `+${NUMBER}` }
  const out = await box.allowed(dial)
  expect(out).toMatchObject({
    callerId: '442079460999',
    trunks: [],
    plan: [{ id: -1, seconds: 120, next: { direction: 'in', to: NUMBER } }],
  })
  const { leg } = await box.nextLeg(out)
  expect(leg).toMatchObject({
    callerId: '442079460999',
    number: NUMBER,
    plan: [{ phones: [owner.username] }],
  })
  const legs = [{ call: out.call, trunk: -1, attempts: [{ trunk: -1, code: 200, reason: '' }] }]
  await box.answer(leg.call, -1, legs)
  await box.end(leg.call, { seconds: 30, trunk: -1, legs })
  expect(await phone.cdrOf(out.call)).toMatchObject({
    user_id: caller.id,
    direction: 'out',
    route_id: -2,
    route_name: 'Internal',
    trunk_id: null,
    cost_micros: 300n,
    buy_micros: 0n,
  })
  expect(await phone.cdrOf(leg.call)).toMatchObject({
    user_id: owner.id,
    direction: 'in',
    caller_id: '442079460999',
    parent_call_id: `legs/${out.call}`,
    source_address: '',
    trunk_id: null,
    cost_micros: 0n,
    buy_micros: 0n,
  })
  expect(await box.refused({ ...dial, to: '+442079460101' })).toEqual({ code: 404, reason: 'unknown_number' })
  // A changed price applies to the next call.
  await phone.db
    .updateTable('service_settings')
    .set({ value: '1200' })
    .where('name', '=', INTERNAL_CALL_PRICE)
    .execute()
  await phone.settle()
  const dearer = await box.allowed(dial)
  expect(await phone.liveRows()).toMatchObject([{ call_id: `legs/${dearer.call}`, held_micros: 1_200n }])
  expect(await phone.faults()).toEqual([])
})

it('hides the number of a caller who withholds it, and shows that of a customer who forwards the call', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  const caller = await phone.newCustomer(usd(1), phone.routeId, { callerId: '442079460999' })
  const forwarder = await phone.newCustomer(usd(1), phone.routeId)
  const owner = await phone.newCustomer(usd(1), phone.routeId)
  await rentNumber(phone, owner, NUMBER)
  await rentNumber(phone, forwarder, OTHER, { plan: planTo(forwardTo(NUMBER)) })
  await startControl()
  const dial = (to: string) => box.allowed({ user: caller.username, address: '203.0.113.5', to: `+${to}` })
  const { leg } = await box.nextLeg(await dial(NUMBER), { isPrivate: true })
  expect(leg).toMatchObject({ callerId: '', isPrivate: true })
  await box.fail(leg.call, 486)
  await phone.settle()
  expect(await phone.cdrOf(leg.call)).toMatchObject({ user_id: owner.id, caller_id: '' })

  const forwarded = await box.nextLeg(await dial(OTHER), { isPrivate: true })
  const out = await box.nextLeg(forwarded.leg, { isPrivate: true, hops: 2 })
  const last = await box.nextLeg(out.leg, { isPrivate: true, hops: 3 })
  expect(last.leg).toMatchObject({ callerId: OTHER })
  expect(last.leg.isPrivate).toBeUndefined()
})

it('does not ring the browser that places the call', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await rentNumber(phone, owner, NUMBER)
  await openBrowser(phone, owner, 'browser~one', MINUTE)
  await openBrowser(phone, owner, 'browser~two', MINUTE)
  await startControl()
  const out = await box.allowed({ user: 'browser~one', address: '203.0.113.5', to: NUMBER })
  const { leg } = await box.nextLeg(out)
  expect(leg.plan).toMatchObject([{ phones: [owner.username, 'browser~two'] }])
})

it('forwards to a number of another customer as three legs, and stops a circle of two numbers', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  const one = await phone.newCustomer(usd(1), phone.routeId)
  const two = await phone.newCustomer(usd(1), phone.routeId)
  await rentNumber(phone, one, NUMBER, { plan: planTo(forwardTo(OTHER)) })
  await rentNumber(phone, two, OTHER, { plan: planTo(forwardTo(NUMBER)) })
  await startControl()
  const first = await box.incoming(NUMBER)
  const { leg: second } = await box.nextLeg(first)
  expect(second).toMatchObject({
    callerId: NUMBER,
    trunks: [],
    plan: [{ next: { direction: 'in', to: OTHER } }],
  })
  const { leg: third } = await box.nextLeg(second, { hops: 2 })
  expect(third).toMatchObject({ callerId: NUMBER, number: OTHER })
  const { leg: fourth } = await box.nextLeg(third, { hops: 3 })
  expect(await box.refused({ direction: 'in', to: NUMBER, parent: fourth.call, hops: 4 })).toEqual({
    code: 482,
    reason: 'call_loop',
  })
})

it('ends both legs when an administrator ends one, and tells the other customer nothing', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  const caller = await phone.newCustomer(usd(1), phone.routeId)
  const owner = await phone.newCustomer(usd(1), phone.routeId)
  await rentNumber(phone, owner, NUMBER)
  await startControl()
  const out = await box.allowed({ user: caller.username, address: '203.0.113.5', to: NUMBER })
  const { leg } = await box.nextLeg(out)
  const legs = [{ call: out.call, trunk: -1 }]
  await box.answer(leg.call, -1, legs)
  await phone.guard(caller.id, { are_calls_stopped: true })
  await phone.settle()
  await phone.tick()
  await phone.waitUntil(() => box.all('hangup').some(({ call }) => call === out.call))
  expect(box.all('hangup').map(({ call }) => call)).toEqual([out.call])
  await box.end(leg.call, { seconds: 3, trunk: -1, legs, by: 'control' })
  expect(await phone.cdrOf(out.call)).toMatchObject({ reason: 'account_stopped' })
  expect(await phone.cdrOf(leg.call)).toMatchObject({ reason: 'hung_up_by_caller' })
})
