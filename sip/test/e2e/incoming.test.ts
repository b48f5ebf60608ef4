import { setTimeout as pause } from 'node:timers/promises'
import { dollars, micros } from '@trunkline/domain/money'
import type { Destination, RingPlan } from '@trunkline/domain/ringing'
import { describe, expect, it } from 'vitest'
import { headerOf } from '../../../sandbox/carriers/sip-message.ts'
import type { DialedCall, DialWish } from '../../../sandbox/public-network/caller.ts'
import { startBaresip } from '../softphones/baresip.ts'
import { type Softphone, type SoftphoneOptions, softphonesForFile } from '../softphones/console.ts'
import { startLinphone } from '../softphones/linphone.ts'
import { networkForFile, providerForFile } from './for-file.ts'
import { type Customer, LONDON, PER_SECOND, until } from './provider.ts'

/** Calls to rented numbers, with the real switch, call control and database, and real softphones. */
const provider = await providerForFile()
const network = await networkForFile(provider)
const softphones = softphonesForFile()
let lastNumber = 442079461000

const PHONES: Destination = { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] }
const planOf = (destination: Destination, fallback: Destination | null = null): RingPlan => ({
  timeZone: 'UTC',
  rules: [],
  destination,
  fallback,
})

const newE164 = (): string => String(++lastNumber)

/** A carrier that takes calls to London and sends calls of our numbers. */
async function connected() {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 100 })
  const trunkId = await provider.newTrunk(carrier, { incoming_sources: [`127.0.0.1:${network.port}`] })
  return { carrier, trunkId }
}

async function dial(number: string, wish: Partial<DialWish> = {}): Promise<DialedCall> {
  const call = await network.dial({
    number: `+${number}`,
    callerId: '+12025550143',
    name: 'Grace Hopper',
    isWithheld: false,
    sound: 'tone',
    ...wish,
  })
  if (!call) throw new Error('no switch')
  return call
}

const state = (call: DialedCall, wanted: DialedCall['state']) =>
  until(async () => call.state === wanted, `${wanted}, not ${call.state} ${call.outcome}`, 30_000)

async function softphone(
  start: (options: SoftphoneOptions) => Promise<Softphone>,
  { account }: Customer,
): Promise<Softphone> {
  const phone = await start({
    account,
    transport: 'udp',
    requiresSrtp: false,
    host: '127.0.0.1',
    port: provider.sipPort,
  })
  softphones.push(phone)
  return phone
}

const registrations = async (userId: number): Promise<number> =>
  (await provider.db.selectFrom('registrations').select('contact').where('user_id', '=', userId).execute())
    .length

/** Costs nothing else than this call. */
async function expectCharged(customer: Customer, cost: bigint): Promise<void> {
  expect(await provider.balanceOf(customer.id)).toEqual({
    balanceMicros: micros(dollars(10) - cost),
    heldMicros: 0n,
  })
  expect(await provider.faults()).toEqual([])
}

/** A customer with a number that the carrier can call. */
async function connectedCustomer(plan?: RingPlan) {
  const { carrier, trunkId } = await connected()
  const customer = await provider.newCustomer()
  const number = newE164()
  const numberId = await provider.newNumber(customer, number, { trunk_id: trunkId, ...(plan && { plan }) })
  await provider.settle()
  return { carrier, trunkId, customer, number, numberId }
}

describe('a call to a rented number', () => {
  it('rings two softphones; one answers, the other stops, both hear each other, and the minute is charged', async () => {
    const { trunkId, customer, number, numberId } = await connectedCustomer()
    const baresip = await softphone(startBaresip, customer)
    const linphone = await softphone(startLinphone, customer)
    await until(async () => (await registrations(customer.id)) === 2, 'two registrations')

    const call = await dial(number)
    await Promise.all([baresip.rings(), linphone.rings()])
    await state(call, 'ringing')
    const [live] = await until(async () => {
      const rows = await provider.liveCalls()
      return rows[0]?.state === 'ringing' && rows
    }, 'ringing live call')
    expect(live).toMatchObject({ direction: 'in', caller_id: '12025550143', number_id: numberId })

    await baresip.answer()
    const answeredAt = Date.now()
    await linphone.stopsRinging()
    expect(Date.now() - answeredAt).toBeLessThan(5_000)
    await state(call, 'answered')
    await until(async () => (network.calls()[0]?.heard ?? 0) > 20, 'speech of the softphone')
    await pause(1_200)
    network.hangUp(call.id)

    const record = await provider.cdrOf(customer.id)
    const cost = BigInt(record.seconds) * PER_SECOND
    expect(record).toMatchObject({
      direction: 'in',
      status: 'completed',
      reason: 'hung_up_by_caller',
      caller_id: '12025550143',
      caller_name: 'Grace Hopper',
      destination: number,
      number_id: numberId,
      trunk_id: trunkId,
      cost_micros: cost,
    })
    expect(record.attempts.at(-1)).toMatchObject({ code: 200 })
    await expectCharged(customer, cost)
  })

  it('is answered by Linphone and ended by the called party', async () => {
    const { customer, number } = await connectedCustomer()
    const linphone = await softphone(startLinphone, customer)
    await until(async () => (await registrations(customer.id)) === 1, 'a registration')
    const call = await dial(number, { isWithheld: true })
    await linphone.rings()
    await linphone.answer()
    await state(call, 'answered')
    await linphone.hangUp()
    await state(call, 'ended')
    expect(await provider.cdrOf(customer.id)).toMatchObject({
      status: 'completed',
      reason: 'hung_up_by_callee',
      caller_id: '',
    })
  })

  it('gets a clear result when nobody is registered, and costs nothing', async () => {
    const { customer, number } = await connectedCustomer()
    const call = await dial(number)
    await state(call, 'ended')
    expect(call.code).toBe(480)
    expect(await provider.cdrOf(customer.id)).toMatchObject({
      direction: 'in',
      status: 'no-answer',
      cost_micros: 0n,
    })
    await expectCharged(customer, 0n)
  })

  it('is a missed call when the caller gives up', async () => {
    const { customer, number } = await connectedCustomer()
    const baresip = await softphone(startBaresip, customer)
    await until(async () => (await registrations(customer.id)) === 1, 'a registration')
    const call = await dial(number)
    await baresip.rings()
    await state(call, 'ringing')
    network.hangUp(call.id)
    await baresip.stopsRinging()
    expect(await provider.cdrOf(customer.id)).toMatchObject({ direction: 'in', status: 'cancelled' })
  })

  it('of a number that is not in the inventory gets 404 and no customer', async () => {
    await connected()
    await provider.settle()
    const call = await dial(newE164())
    await state(call, 'ended')
    expect(call.code).toBe(404)
  })

  it('from an unknown address is challenged and leaves no record', async () => {
    const customer = await provider.newCustomer()
    const number = newE164()
    await provider.newNumber(customer, number)
    await provider.settle()
    const before = (await provider.cdrs(null)).length
    const call = await dial(number)
    await state(call, 'ended')
    expect(call.code).toBe(407)
    await pause(500)
    expect(await provider.cdrs(customer.id)).toEqual([])
    expect((await provider.cdrs(null)).length).toBe(before)
  })
})

describe('a forwarded call', () => {
  it('has two legs, each charged by its own price, and nothing of the carrier in it', async () => {
    const plan = planOf({ kind: 'number', number: LONDON, callerId: 'number', seconds: 20 })
    const { carrier, customer, number } = await connectedCustomer(plan)
    const call = await dial(number)
    await state(call, 'answered')
    const [invite] = carrier.requests.filter(({ method }) => method === 'INVITE')
    expect(headerOf(invite as never, 'from')).toContain(`sip:${number}@`)
    await until(async () => (network.calls()[0]?.heard ?? 0) > 20, 'echo of the carrier')
    await pause(1_200)
    network.hangUp(call.id)
    await until(async () => carrier.live() === 0, 'end at the carrier')
    const records = await until(async () => {
      const found = await provider.cdrs(customer.id)
      return found.length === 2 && found
    }, 'two records')
    const incoming = records.find(({ direction }) => direction === 'in')
    const outgoing = records.find(({ direction }) => direction === 'out')
    expect(outgoing).toMatchObject({
      destination: LONDON,
      status: 'completed',
      parent_call_id: incoming?.call_id,
    })
    expect(incoming).toMatchObject({ destination: number, status: 'completed' })
    expect(incoming?.seconds).toBe(outgoing?.seconds)
    await expectCharged(customer, BigInt(outgoing?.seconds ?? 0) * PER_SECOND * 2n)
  })

  it('does not ring the other number when the balance does not cover it', async () => {
    const { carrier, trunkId } = await connected()
    const customer = await provider.newCustomer({ balance: micros(100n) })
    const number = newE164()
    const plan = planOf({ kind: 'number', number: LONDON, callerId: 'number', seconds: 20 })
    await provider.newNumber(customer, number, { trunk_id: trunkId, price_micros: 0n, plan })
    await provider.settle()
    const call = await dial(number)
    await state(call, 'ended')
    expect(carrier.requests.filter(({ method }) => method === 'INVITE')).toEqual([])
    await until(
      async () => (await provider.cdrs(customer.id)).some(({ reason }) => reason === 'no_balance'),
      'record of the refusal',
    )
  })

  it('follows when the phones do not answer', async () => {
    const forward: Destination = { kind: 'number', number: LONDON, callerId: 'caller', seconds: 20 }
    const { carrier, number } = await connectedCustomer(planOf(PHONES, forward))
    const call = await dial(number)
    await state(call, 'answered')
    const [invite] = carrier.requests.filter(({ method }) => method === 'INVITE')
    expect(headerOf(invite as never, 'from')).toContain('12025550143')
    expect(headerOf(invite as never, 'diversion')).toContain(number)
  })
})

it('connects two customers without a carrier, with one record for each', async () => {
  const { carrier, trunkId } = await connected()
  const alice = await provider.newCustomer()
  const paula = await provider.newCustomer()
  const number = newE164()
  await provider.newNumber(paula, number, { trunk_id: trunkId })
  await provider.settle()
  const baresip = await softphone(startBaresip, paula)
  await until(async () => (await registrations(paula.id)) === 1, 'a registration')
  const phone = await provider.harness.phone({ account: alice.account })
  const call = await phone.call(number)
  await baresip.rings()
  await baresip.answer()
  expect((await call.ended).status).toBe(200)
  await call.hangUp()
  expect(await provider.cdrOf(alice.id)).toMatchObject({
    direction: 'out',
    destination: number,
    cost_micros: 0n,
  })
  expect(await provider.cdrOf(paula.id)).toMatchObject({
    direction: 'in',
    caller_id: '12025550123',
    cost_micros: 0n,
  })
  expect(carrier.requests.filter(({ method }) => method === 'INVITE')).toEqual([])
})
