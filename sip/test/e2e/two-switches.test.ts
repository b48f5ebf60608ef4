import { setTimeout as pause } from 'node:timers/promises'
import { dollars, micros } from '@trunkline/domain/money'
import { sipDigest } from '@trunkline/server/platform/tokens'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mediaTarget } from '../../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from '../called-phone.ts'
import { type Harness, nextPort, startHarness } from '../harness.ts'
import { browserAnswer, CALLER, CARRIER } from '../incoming-calls.ts'
import type { PhoneCall } from '../phone.ts'
import { openSoundEnd, type SoundEnd } from '../sound-end.ts'
import { newFlow, stepBase } from './flow-calls.ts'
import { type Customer, PER_SECOND, type Provider, startProvider, until } from './provider.ts'

/** Two switches with one call control: a call that arrives at A rings the phones at A and at B. */
let provider: Provider
let a: Harness
let b: Harness
let trunkId: number
let lastNumber = 442079462000
const HOST_B = '127.0.0.5'
const limits = { controlAnswersWithinMs: 20_000, trunkAnswersWithinMs: 20_000 }

beforeAll(async () => {
  b = await startHarness({ id: 'switch-b', host: HOST_B, limits, wsPort: nextPort(), phonePort: 0 })
  const controlPort = nextPort()
  const SWITCHES = `127.0.0.1:${controlPort},127.0.0.1:${b.running.controlPort}`
  provider = await startProvider({ SWITCHES }, { controlPort })
  a = provider.harness
  await until(async () => (await switches()).length === 2, 'both switches')
  const carrier = await provider.newTrunk({ host: CARRIER, port: 5060 }, { incoming_sources: [CARRIER] })
  trunkId = carrier
})
afterEach(async () => {
  await a.reset()
  await b.reset()
  await until(async () => (await provider.liveCalls()).length === 0, 'end of all calls')
})
afterAll(async () => {
  await provider?.close()
  await b?.close()
})

const switches = () => provider.db.selectFrom('switches').select('switch_id').execute()

const hostOf = (harness: Harness) => (harness === b ? HOST_B : '127.0.0.1')

/** A customer with a number, and a phone at each of these switches. */
async function customerAt(...at: Harness[]) {
  const customer = await provider.newCustomer()
  const number = String(++lastNumber)
  await provider.newNumber(customer, number, { trunk_id: trunkId })
  await provider.settle()
  const phones = []
  for (const harness of at) {
    const phone = await startCalledPhone(harness, customer.account, { switchHost: hostOf(harness) })
    await phone.register()
    phones.push(phone)
  }
  const stored = () =>
    provider.db.selectFrom('registrations').select('contact').where('user_id', '=', customer.id).execute()
  await until(async () => (await stored()).length === at.length, 'registrations')
  return { customer, number, phones }
}

/** The carrier calls at switch A, plays a tone and recognizes what it hears. */
async function dial(number: string) {
  const carrier = await a.phone({ from: CARRIER })
  const end = a.keep(await openSoundEnd(CARRIER))
  const from: [string, string] = [
    'From',
    `"Jane Roe" <sip:${CALLER}@carrier.example>;tag=${Math.random().toString(36).slice(2)}`,
  ]
  const call = await carrier.call(number, [from], (host) => end.describe(host))
  return { carrier, call, end }
}

/** A customer's phone calls at a switch. */
async function dialFrom(harness: Harness, { account }: Customer, number: string) {
  const phone = await harness.phone({ account, switchHost: hostOf(harness) })
  const end = harness.keep(await openSoundEnd('127.0.0.1'))
  const call = await phone.call(number, [], (host) => end.describe(host))
  return { call, end }
}

/** Waits for the answer. The called phone echoes the tone that the caller plays. */
async function talk({ call, end }: { call: PhoneCall; end: SoundEnd }): Promise<void> {
  const answer = await call.ended
  expect(answer.status).toBe(200)
  end.aim(mediaTarget(answer.body))
  end.plays(7)
  await expect.poll(() => end.hears(), { timeout: 30_000 }).toContain(7)
}

/** The other switch has no record of its own. */
const recordsOf = async ({ id }: Customer) =>
  until(async () => {
    const isOver = (await provider.liveCalls()).length === 0
    const records = await provider.cdrs(id)
    return isOver && records.length > 0 && records
  }, 'records')

/** Costs nothing else than the incoming call. */
async function expectCharged(customer: Customer, cost: bigint): Promise<void> {
  expect(await provider.balanceOf(customer.id)).toEqual({
    balanceMicros: micros(dollars(10) - cost),
    heldMicros: 0n,
  })
  expect(await provider.faults()).toEqual([])
}

describe('a call at one switch to phones at both', () => {
  it('is answered at the other switch: both hear each other, and it is charged once', async () => {
    const { customer, number, phones } = await customerAt(a, b)
    const [atA, atB] = phones
    const { call, end } = await dial(number)
    await Promise.all([atA?.rung(), atB?.rung()])
    await atB?.answer()
    const answer = await call.ended
    expect(answer.status).toBe(200)
    await atA?.gets('CANCEL')
    end.aim(mediaTarget(answer.body))
    end.plays(7)
    await expect.poll(() => end.hears(), { timeout: 10_000 }).toContain(7)
    await pause(1_200)
    expect((await call.hangUp()).status).toBe(200)
    await atB?.gets('BYE')
    const [record, ...others] = await recordsOf(customer)
    expect(others).toEqual([])
    expect(record).toMatchObject({ direction: 'in', status: 'completed', reason: 'hung_up_by_caller' })
    await expectCharged(customer, BigInt(record?.seconds ?? 0) * PER_SECOND)
  })

  it('ends for the caller when the phone at the other switch hangs up', async () => {
    const { customer, number, phones } = await customerAt(b)
    const { call } = await dial(number)
    await phones[0]?.answer()
    expect((await call.ended).status).toBe(200)
    await phones[0]?.gets('ACK')
    await phones[0]?.hangUp()
    await call.isHungUp()
    const [record] = await recordsOf(customer)
    expect(record).toMatchObject({ status: 'completed', reason: 'hung_up_by_callee' })
    await expectCharged(customer, BigInt(record?.seconds ?? 0) * PER_SECOND)
  })

  it('stops at the other switch within a second when a phone here answers', async () => {
    const { number, phones } = await customerAt(a, b)
    const [atA, atB] = phones
    const { call } = await dial(number)
    await Promise.all([atA?.rung(), atB?.rung()])
    await atA?.answer()
    expect((await call.ended).status).toBe(200)
    const answeredAt = Date.now()
    await atB?.gets('CANCEL')
    expect(Date.now() - answeredAt).toBeLessThan(1_000)
    await call.hangUp()
  })

  it('stops at both when the caller gives up', async () => {
    const { customer, number, phones } = await customerAt(a, b)
    const { call } = await dial(number)
    await Promise.all(phones.map((phone) => phone.rung()))
    call.cancel()
    await Promise.all(phones.map((phone) => phone.gets('CANCEL')))
    expect((await call.ended).status).toBe(487)
    expect(await recordsOf(customer)).toMatchObject([{ status: 'cancelled' }])
    await expectCharged(customer, 0n)
  })

  it('is busy if the only phone, at the other switch, is busy', async () => {
    const { customer, number, phones } = await customerAt(b)
    const { call } = await dial(number)
    await phones[0]?.refuse(486)
    expect((await call.ended).status).toBe(486)
    await recordsOf(customer)
    await expectCharged(customer, 0n)
  })

  it('refuses a stranger who guesses the address of such a call, without a record', async () => {
    const { customer, number, phones } = await customerAt(a, b)
    const { call } = await dial(number)
    await phones[1]?.rung()
    const [live] = await provider.liveCalls()
    const name = live?.call_id.split('/')[1] ?? ''
    const until = Date.now() + 20_000
    const guess = `leg~peer~${customer.id}~p~${until}~test-switch~${name}~${'0'.repeat(32)}`
    const before = await provider.cdrs(null)
    const stranger = await b.phone({ switchHost: HOST_B, from: '127.0.0.66' })
    const attempt = await stranger.call(guess)
    expect((await attempt.ended).status).toBeGreaterThanOrEqual(400)
    expect(phones[1]?.invites()).toHaveLength(1)
    expect(await provider.cdrs(null)).toEqual(before)
    call.cancel()
    await call.ended
  })
})

describe('a call between customers to a phone at the other switch', () => {
  it.each([
    ['A', 'B'],
    ['B', 'A'],
  ])('from %s to %s is answered, free, and has a record on each side', async (from) => {
    const [here, there] = from === 'A' ? [a, b] : [b, a]
    const { customer, number, phones } = await customerAt(there)
    const caller = await provider.newCustomer()
    await provider.settle()
    const dialed = await dialFrom(here, caller, number)
    await phones[0]?.answer()
    await talk(dialed)
    expect((await dialed.call.hangUp()).status).toBe(200)
    await phones[0]?.gets('BYE')
    expect(await recordsOf(caller)).toMatchObject([{ direction: 'out', status: 'completed' }])
    expect(await recordsOf(customer)).toMatchObject([{ direction: 'in', status: 'completed' }])
    await expectCharged(caller, 0n)
    await expectCharged(customer, 0n)
  })

  it('is refused when that phone declines', async () => {
    const { customer, number, phones } = await customerAt(b)
    const caller = await provider.newCustomer()
    await provider.settle()
    const { call } = await dialFrom(a, caller, number)
    await phones[0]?.refuse(603)
    expect((await call.ended).status).toBe(603)
    expect(await recordsOf(caller)).toHaveLength(1)
    expect(await recordsOf(customer)).toHaveLength(1)
    await expectCharged(caller, 0n)
  })
})

describe('a browser at the other switch', () => {
  /** A page of this customer that is connected to switch B through the portal. */
  async function openPage(customer: Customer) {
    const now = new Date()
    const later = new Date(now.getTime() + 3_600_000)
    const { id: session_id } = await provider.db
      .insertInto('sessions')
      .values({
        token_hash: Buffer.from(`session of ${customer.username}`),
        user_id: customer.id,
        created_at: now,
        last_used_at: now,
        proven_at: now,
        expires_at: later,
        address: '127.0.0.1',
        user_agent: 'test',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const account = { user: `browser~${customer.id}`, password: 'of the portal' }
    const digest = (algorithm: 'md5' | 'sha256') =>
      sipDigest(algorithm, account.user, 'trunkline', account.password)
    await provider.db
      .insertInto('phones')
      .values({
        name: account.user,
        session_id,
        user_id: customer.id,
        token_hash: Buffer.from(`socket of ${customer.username}`),
        realm: 'trunkline',
        ha1_md5: digest('md5'),
        ha1_sha256: digest('sha256'),
        made_at: now,
        connected_at: now,
        expires_at: later,
        receives: true,
      })
      .execute()
    await provider.settle()
    const page = await startCalledPhone(b, account, {
      transport: 'ws',
      switchHost: '127.0.0.1',
      switchPort: b.running.phonePort ?? 0,
      path: `/phone/${account.user}`,
      claims: 'page.invalid',
      contact: `sip:${account.user}@page.invalid;transport=ws`,
      describe: browserAnswer,
    })
    await page.register()
    return page
  }

  it('rings beside a phone here and answers', async () => {
    const { customer, number, phones } = await customerAt(a)
    const page = await openPage(customer)
    const { call } = await dial(number)
    const [invite] = await Promise.all([page.rung(), phones[0]?.rung()])
    expect(invite.body).toMatch(/m=audio \d+ UDP\/TLS\/RTP\/SAVPF/)
    await page.answer()
    const answer = await call.ended
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(/m=audio \d+ RTP\/AVP/)
    await phones[0]?.gets('CANCEL')
    expect((await call.hangUp()).status).toBe(200)
    await page.gets('BYE')
    expect(await recordsOf(customer)).toMatchObject([{ direction: 'in', status: 'completed' }])
  })
})

describe('a flow that rings the phones of the customer', () => {
  it('reaches a phone at the other switch, and the caller hears it', async () => {
    const { customer, number, phones } = await customerAt(b)
    await provider.startMedia('first')
    await leadToFlow(customer, number)
    const dialed = await dial(number)
    await phones[0]?.answer()
    await talk(dialed)
    await phones[0]?.hangUp()
    await dialed.call.isHungUp()
    const [incoming, ...legs] = await recordsOf(customer)
    expect(incoming).toMatchObject({ direction: 'in', status: 'completed' })
    expect(legs).toMatchObject([{ status: 'completed', cost_micros: 0n }])
    await expectCharged(customer, BigInt(incoming?.seconds ?? 0) * PER_SECOND)
  })

  /** Publishes a flow that rings all phones, and points the number to it. */
  async function leadToFlow({ id }: Customer, number: string): Promise<void> {
    const destination = { kind: 'phones' as const, steps: [{ devices: 'all' as const, seconds: 30 }] }
    const flowId = await newFlow(provider, id, {
      start: 'ring',
      steps: [{ ...stepBase('ring'), kind: 'ring', destination }],
    })
    const plan = { timeZone: 'UTC', rules: [], destination: { kind: 'flow', flowId }, fallback: null }
    await provider.db
      .updateTable('number_rentals')
      .set({ ring_plan: JSON.stringify(plan) })
      .where('e164', '=', number)
      .execute()
    await provider.settle()
  }
})

describe('a switch that is killed', () => {
  /** Kills switch B. Resolves when call control is connected to its successor. */
  async function killB(): Promise<void> {
    const since = new Date()
    const pid = b.running.kamailioPid()
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    const startedAt = async () => {
      const switches = provider.db.selectFrom('switches').select('started_at')
      return (await switches.where('switch_id', '=', 'switch-b').executeTakeFirst())?.started_at ?? since
    }
    await until(async () => (await startedAt()) > since, 'the restarted switch')
  }

  it('while its phone rings: the caller gets an end, and nothing is charged', async () => {
    const { customer, number, phones } = await customerAt(b)
    const { call } = await dial(number)
    await phones[0]?.rung()
    const restarted = killB()
    expect((await call.ended).status).toBeGreaterThanOrEqual(400)
    await recordsOf(customer)
    await expectCharged(customer, 0n)
    // A phone that registers at the dying switch would be lost.
    await restarted
  })

  it('during the call: hanging up ends it at both, and it is charged once', async () => {
    const { customer, number, phones } = await customerAt(b)
    const { call } = await dial(number)
    await phones[0]?.answer()
    expect((await call.ended).status).toBe(200)
    await phones[0]?.gets('ACK')
    // A switch saves an answered call at about the time at which it reports it.
    const isAnswered = async () => (await provider.liveCalls()).every(({ state }) => state === 'answered')
    await until(isAnswered, 'answered legs')
    await killB()
    expect((await call.hangUp()).status).toBe(200)
    await phones[0]?.gets('BYE')
    const [record] = await recordsOf(customer)
    expect(record).toMatchObject({ status: 'completed' })
    await expectCharged(customer, BigInt(record?.seconds ?? 0) * PER_SECOND)
  })
})
