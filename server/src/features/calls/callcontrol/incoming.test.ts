import { ZERO } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import {
  CALLER,
  CARRIER_ADDRESS,
  createIncomingProvider,
  createProviderWithOwner,
  forwardTo,
  openBrowser,
  planTo,
  rentNumber,
} from '../../../../test/incoming.ts'
import { usd } from '../../../../test/telephony.ts'
import { MINUTE } from '../../../platform/clock.ts'

/** 1.2 cents per minute: a second costs 200 micro-dollars, a slice of 60 seconds 12,000. The carrier gets half. */
const NUMBER = '442079460100'

it('rings phones and browsers, charges the owner by the second and records the carrier', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  const numberId = await rentNumber(phone, owner, NUMBER)
  await startControl()
  const allow = await box.incoming(`+${NUMBER}`, { fromName: 'Berlin\u0000 Office' })
  expect(allow).toMatchObject({
    callerId: CALLER,
    callerName: 'Berlin Office',
    coveredSeconds: 60,
    number: NUMBER,
    plan: [{ id: -1, seconds: 25, phones: [owner.username] }],
    lastCode: 480,
    trunks: [],
  })
  expect(await phone.balanceOf(owner.id)).toEqual({ balanceMicros: usd(1), heldMicros: 12_000n })
  expect(await phone.liveRows()).toMatchObject([
    { direction: 'in', user_id: owner.id, trunk_id: phone.trunkId, number_id: numberId, caller_id: CALLER },
  ])
  const { call } = allow
  await box.emit({ type: 'ringing', call, at: phone.switchClock.now(), trunk: -1 })
  await box.answer(call, -1)
  expect(await phone.liveRows()).toMatchObject([{ state: 'answered', trunk_id: phone.trunkId }])
  await box.end(call, { seconds: 7, trunk: -1, by: 'callee' })
  expect(await phone.cdrOf(call)).toMatchObject({
    status: 'completed',
    reason: 'hung_up_by_callee',
    direction: 'in',
    destination: NUMBER,
    dialed: `+${NUMBER}`,
    caller_name: 'Berlin Office',
    number_id: numberId,
    route_id: -1,
    route_name: 'Incoming',
    sip_account: owner.username,
    trunk_id: phone.trunkId,
    trunk_name: 'Carrier One',
    attempts: [{ trunk: -1, name: 'Phones and browsers', code: 200 }],
    seconds: 7,
    cost_micros: 1_400n,
    buy_micros: 700n,
    explanation: 'Always: phones and browsers.',
  })
  expect(await phone.balanceOf(owner.id)).toEqual({ balanceMicros: usd(1) - 1_400n, heldMicros: ZERO })
  expect(await phone.faults()).toEqual([])
})

it('reads the called number in the formats of the carrier', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner(usd(1), {
    trunk: { incoming_prefix: '9900' },
  })
  await rentNumber(phone, owner, NUMBER)
  await startControl()
  const written = [NUMBER, `+${NUMBER}`, `00${NUMBER}`, '02079460100', '2079460100', `9900${NUMBER}`]
  for (const to of written) expect(await box.incoming(to)).toMatchObject({ number: NUMBER })
})

it('forbids a source that belongs to no carrier, and numbers of another carrier', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await rentNumber(phone, owner, NUMBER)
  const other = await phone.newTrunk(phone.planId, {
    name: 'Carrier Two',
    incoming_sources: ['198.51.100.20:5070'],
  })
  await rentNumber(phone, owner, '442079460101', { trunkId: other })
  await startControl()
  const asked = { direction: 'in', to: NUMBER, from: CALLER } as const
  expect(await box.refused({ ...asked, address: '203.0.113.1' })).toEqual({
    code: 403,
    reason: 'unknown_caller',
  })
  expect(await box.refused({ ...asked, to: '442079460101' })).toEqual({ code: 404, reason: 'unknown_number' })
  const fromOther = { ...asked, to: '442079460101', address: '198.51.100.20' }
  expect(await box.refused({ ...fromOther, port: 5060 })).toMatchObject({ reason: 'unknown_caller' })
  expect(await box.allowed({ ...fromOther, port: 5070 })).toMatchObject({ number: '442079460101' })
  // Nobody owns these records.
  const refusals = (await phone.cdrs()).filter(({ status }) => status === 'refused')
  expect(refusals.map(({ user_id }) => user_id)).toEqual([null, null, null])
})

it('accepts a carrier that signs in, and sends its digest and all sources to the switch', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await rentNumber(phone, owner, NUMBER)
  const signedIn = await phone.newTrunk(phone.planId, {
    incoming_realm: 'trunkline',
    incoming_ha1: 'a'.repeat(32),
    registers: true,
    auth_username: 'us',
    auth_password: 'secret',
  })
  await startControl()
  await phone.waitUntil(() => box.all('registers').length > 0)
  expect(box.all('sources')).toEqual([{ type: 'sources', clear: true, add: [CARRIER_ADDRESS] }])
  expect(box.all('registers')).toMatchObject([
    { trunks: [{ id: signedIn, username: 'us', password: 'secret' }] },
  ])
  const user = `carrier~${signedIn}`
  box.say({ type: 'credentials', request: 'r1', user, at: 1 })
  await phone.waitUntil(() => box.all('credentials').length > 0)
  expect(box.last('credentials')).toMatchObject({ user, md5: 'a'.repeat(32), sha256: null })
  const asked = { direction: 'in', address: '203.0.113.1', user } as const
  const { call } = await box.incoming(NUMBER, asked)
  expect(await phone.liveRows()).toMatchObject([{ trunk_id: signedIn }])
  await box.fail(call, 487, 'caller')
  box.clearReceived()
  const changed = { incoming_sources: ['2001:db8::9', '198.51.100.30'], status: 'active' as const }
  await phone.db.updateTable('trunks').set(changed).where('id', '=', signedIn).execute()
  await phone.waitUntil(() => box.all('sources').length > 0)
  expect(box.last('sources')).toMatchObject({
    clear: true,
    add: ['198.51.100.30', CARRIER_ADDRESS, '2001:db8:0:0:0:0:0:9', '2001:db8::9'].sort(),
  })
  await phone.db
    .updateTable('trunks')
    .set({ incoming_ha1: 'b'.repeat(32) })
    .where('id', '=', signedIn)
    .execute()
  await phone.waitUntil(() => box.all('forget').some(({ users }) => users?.includes(user)))
})

it('accepts calls of a carrier to the registration there, as long as the switch registers', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  const registrar = await phone.newTrunk(phone.planId, {
    registers: true,
    auth_username: 'us',
    auth_password: 'secret',
  })
  await rentNumber(phone, owner, NUMBER, { trunkId: registrar })
  await startControl()
  const asked = { direction: 'in', address: '203.0.113.1', registrar } as const
  const { call } = await box.incoming(NUMBER, asked)
  expect(await phone.liveRows()).toMatchObject([{ trunk_id: registrar }])
  await box.fail(call, 487, 'caller')
  const stranger = { ...asked, to: NUMBER, from: CALLER, registrar: phone.trunkId }
  expect(await box.refused(stranger)).toEqual({ code: 403, reason: 'unknown_caller' })
})

it('refuses unrented, blocked and suspended numbers, and disabled owners', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  const disabled = await phone.newCustomer(usd(1), phone.routeId, { disabled_at: phone.clock.now() })
  await rentNumber(phone, null, '442079460101')
  await rentNumber(phone, null, '442079460102', { status: 'blocked' })
  await rentNumber(phone, owner, '442079460103', { state: 'suspended' })
  await rentNumber(phone, disabled, '442079460104')
  await startControl()
  const refusalOf = (to: string) => box.refused({ direction: 'in', to, from: CALLER, call: `to-${to}` })
  expect(await refusalOf('442079460101')).toEqual({ code: 404, reason: 'unknown_number' })
  expect(await refusalOf('442079460102')).toEqual({ code: 404, reason: 'unknown_number' })
  expect(await refusalOf('442079460103')).toEqual({ code: 480, reason: 'number_suspended' })
  expect(await refusalOf('442079460104')).toEqual({ code: 480, reason: 'account_disabled' })
  expect(await phone.cdrOf('to-442079460103')).toMatchObject({
    user_id: owner.id,
    direction: 'in',
    status: 'refused',
    sip_code: 480,
    caller_id: CALLER,
    sip_account: owner.username,
  })
  expect(await phone.liveRows()).toEqual([])
})

it('admits calls although outgoing calls are stopped, up to the limits of number and account', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await phone.guard(owner.id, { are_calls_stopped: true, max_concurrent_calls: 3 })
  await rentNumber(phone, owner, NUMBER, { maxCalls: 2 })
  await rentNumber(phone, owner, '442079460101')
  await startControl()
  await box.incoming(NUMBER)
  await box.incoming(NUMBER)
  const asked = { direction: 'in', from: CALLER } as const
  expect(await box.refused({ ...asked, to: NUMBER })).toEqual({ code: 486, reason: 'too_many_calls' })
  await box.incoming('442079460101')
  expect(await box.refused({ ...asked, to: '442079460101' })).toEqual({ code: 486, reason: 'too_many_calls' })
  await phone.tick()
  expect(box.all('hangup')).toEqual([])
})

it('refuses a paid call without balance and over the daily limit, and admits a free one', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  const poor = await phone.newCustomer(ZERO, phone.routeId)
  const limited = await phone.newCustomer(usd(1), phone.routeId)
  await phone.guard(limited.id, { daily_spend_micros: 12_100n })
  await rentNumber(phone, poor, NUMBER)
  await rentNumber(phone, poor, '442079460101', { price: ZERO })
  await rentNumber(phone, limited, '442079460102')
  await startControl()
  const asked = { direction: 'in', from: CALLER } as const
  expect(await box.refused({ ...asked, to: NUMBER })).toEqual({ code: 480, reason: 'no_balance' })
  const free = await box.incoming('442079460101')
  await box.answer(free.call, -1)
  await box.end(free.call, { seconds: 30, trunk: -1 })
  expect(await phone.cdrOf(free.call)).toMatchObject({ seconds: 30, cost_micros: 0n, buy_micros: 3_000n })
  await box.incoming('442079460102')
  expect(await box.refused({ ...asked, to: '442079460102' })).toEqual({
    code: 480,
    reason: 'daily_spend_reached',
  })
  expect(await phone.faults()).toEqual([])
})

it('rings browsers that have not expired, a trusted PBX, and plays busy', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  const owner = await phone.newCustomer(usd(1), phone.routeId, { address: '203.0.113.7' })
  const steps = [
    { devices: 'browsers' as const, seconds: 10 },
    { devices: 'all' as const, seconds: 20 },
  ]
  const pbx = { kind: 'pbx' as const, port: 5060, transport: 'tcp' as const, seconds: 15 }
  await rentNumber(phone, owner, NUMBER, {
    plan: planTo({ kind: 'phones', steps }, { ...pbx, address: '203.0.113.7' }),
  })
  await rentNumber(phone, owner, '442079460101', { plan: planTo({ ...pbx, address: '203.0.113.8' }) })
  await rentNumber(phone, owner, '442079460102', { plan: planTo({ kind: 'busy' }) })
  await openBrowser(phone, owner, 'browser~new', MINUTE)
  await openBrowser(phone, owner, 'browser~old', -1)
  await startControl()
  expect(await box.incoming(NUMBER)).toMatchObject({
    plan: [
      { id: -1, seconds: 10, phones: ['browser~new'] },
      { id: -2, seconds: 20, phones: [owner.username, 'browser~new'] },
      { id: -3, seconds: 15, uri: `sip:${NUMBER}@203.0.113.7:5060;transport=tcp` },
    ],
    lastCode: 480,
  })
  const untrusted = await box.incoming('442079460101')
  expect(untrusted).toMatchObject({ plan: [], lastCode: 480 })
  const busy = await box.incoming('442079460102')
  expect(busy).toMatchObject({ plan: [], lastCode: 486 })
  await box.fail(busy.call, 486)
  expect(await phone.cdrOf(busy.call)).toMatchObject({ status: 'busy', explanation: 'Always: busy.' })
  expect((await phone.liveRows()).map(({ explanation }) => explanation)).toContain(
    'Always: PBX 203.0.113.8. PBX 203.0.113.8 was skipped, because it is not a trusted address of the account.',
  )
})

it('rings the newest sixteen browsers only, so that the answer fits in a message to the switch', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  const steps = [{ devices: 'browsers' as const, seconds: 10 }]
  await rentNumber(phone, owner, NUMBER, { plan: planTo({ kind: 'phones', steps }) })
  for (let age = 0; age < 20; age++) await openBrowser(phone, owner, `browser~${age}`, MINUTE - age)
  await startControl()
  const { plan } = await box.incoming(NUMBER)
  expect(plan?.[0]?.phones).toEqual([...Array(16)].map((_, age) => `browser~${age}`))
})

it('hides the number of a caller who withheld it', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await rentNumber(phone, owner, NUMBER)
  await startControl()
  expect(await box.incoming(NUMBER, { isPrivate: true })).toMatchObject({ callerId: '', isPrivate: true })
  expect(await phone.liveRows()).toMatchObject([{ caller_id: '' }])
})

it('learns of rented, changed and deleted numbers by notification, also of thousands at once', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await startControl()
  const asked = { direction: 'in', from: CALLER } as const
  expect(await box.refused({ ...asked, to: NUMBER })).toMatchObject({ reason: 'unknown_number' })
  const id = await rentNumber(phone, owner, NUMBER)
  await phone.settle()
  expect(await box.incoming(NUMBER)).toMatchObject({ plan: [{ phones: [owner.username] }] })
  await phone.db
    .updateTable('number_rentals')
    .set({ ring_plan: JSON.stringify(planTo({ kind: 'busy' })) })
    .where('number_id', '=', id)
    .execute()
  await phone.settle()
  expect(await box.incoming(NUMBER, { from: '4930901821' })).toMatchObject({ lastCode: 486 })
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    e164: `4420800${String(index).padStart(5, '0')}`,
    country: 'GB',
    type: 'local' as const,
    monthly_micros: 0n,
    setup_micros: 0n,
    price_micros: 0n,
    status: 'available' as const,
    created_at: phone.clock.now(),
  }))
  await phone.db.insertInto('numbers').values(many).execute()
  const last = await rentNumber(phone, owner, '442080099999')
  await phone.settle()
  expect(await box.incoming('442080099999')).toMatchObject({ number: '442080099999' })
  await phone.db.deleteFrom('number_rentals').where('number_id', '=', last).execute()
  await phone.db.deleteFrom('numbers').where('id', '=', last).execute()
  await phone.settle()
  expect(await box.refused({ ...asked, to: '442080099999' })).toMatchObject({ reason: 'unknown_number' })
})

it('alerts the customer whose number reaches nobody three times in a row, once a day', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  const numberId = await rentNumber(phone, owner, NUMBER)
  await startControl()
  const alerts = () =>
    phone.db.selectFrom('alerts').selectAll().where('kind', '=', 'unreachable_number').execute()
  const miss = async (attempts: { trunk: number; code: number; reason: string }[] = []) => {
    const { call } = await box.incoming(NUMBER)
    const failed = { type: 'failed', call, at: phone.switchClock.now(), code: 480 } as const
    await box.emit({ ...failed, by: 'carrier', attempts })
  }
  await miss()
  await miss([{ trunk: -1, code: 480, reason: '' }])
  // A phone that rings starts the count again.
  const { call } = await box.incoming(NUMBER)
  await box.emit({ type: 'ringing', call, at: phone.switchClock.now(), trunk: -1 })
  await box.fail(call, 487, 'caller')
  await miss()
  await miss()
  expect(await alerts()).toEqual([])
  await miss()
  await phone.waitUntil(async () => (await alerts()).length === 1)
  await miss()
  await phone.settle()
  expect(await alerts()).toMatchObject([{ subject: `number:${numberId}`, user_id: owner.id, times: 1 }])
})

it('alerts the customer whose PBX takes no call and whose forward is refused, but not while anything is reached', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  const address = '203.0.113.7'
  const owner = await phone.newCustomer(usd(1), phone.routeId, { address })
  const pbx = { kind: 'pbx', address, port: 5060, transport: 'udp', seconds: 15 } as const
  await rentNumber(phone, owner, NUMBER, { plan: planTo(pbx, forwardTo('447123456789')) })
  await startControl()
  const alerts = () =>
    phone.db.selectFrom('alerts').selectAll().where('kind', '=', 'unreachable_number').execute()
  const dead = { trunk: -1, code: 408, reason: 'No answer' }
  const refused = { trunk: -2, code: 402, reason: 'no_balance' }
  const miss = async (...attempts: { trunk: number; code: number; reason: string }[]) => {
    const { call } = await box.incoming(NUMBER)
    const failed = { type: 'failed', call, at: phone.switchClock.now(), code: 480 } as const
    await box.emit({ ...failed, by: 'carrier', attempts })
  }
  // A carrier that took the forward, and somebody at the PBX who declined, start the count again.
  const reached = [
    [dead, { trunk: -2, code: 480, reason: 'The forwarded call failed' }],
    [{ trunk: -1, code: 603, reason: 'Decline' }, refused],
  ]
  for (const attempts of reached) {
    await miss(dead, refused)
    await miss(dead, { ...refused, code: 403, reason: 'country_blocked' })
    await miss(...attempts)
  }
  await miss(dead, refused)
  await miss({ trunk: -1, code: 503, reason: 'Service Unavailable' }, refused)
  await phone.settle()
  expect(await alerts()).toEqual([])
  await miss(dead, refused)
  await phone.waitUntil(async () => (await alerts()).length === 1)
  expect((await alerts())[0]?.message).toMatch(
    /the PBX did not take the call and the forwarded call was refused/,
  )
})

it('alerts administrators about a carrier that sends calls to unknown numbers', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  await startControl()
  await box.refused({ direction: 'in', from: CALLER, to: NUMBER })
  const alerts = () =>
    phone.db.selectFrom('alerts').selectAll().where('kind', '=', 'unknown_incoming_number').execute()
  await phone.waitUntil(async () => (await alerts()).length > 0)
  expect(await alerts()).toMatchObject([{ subject: `trunk:${phone.trunkId}`, user_id: null }])
})
