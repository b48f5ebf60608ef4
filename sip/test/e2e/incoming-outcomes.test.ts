import { dollars, micros } from '@trunkline/domain/money'
import type { RingPlan, RingRule } from '@trunkline/domain/ringing'
import { afterEach, describe, expect, it } from 'vitest'
import type { Behavior } from '../../../sandbox/carriers/behavior.ts'
import type { Carrier } from '../../../sandbox/carriers/carrier.ts'
import type { DialedCall } from '../../../sandbox/public-network/caller.ts'
import { type CalledPhone, startCalledPhone } from '../called-phone.ts'
import { networkForFile, providerForFile } from './for-file.ts'
import { planOf, reaches, recordsAfter, toPbx, toPhones } from './incoming-calls.ts'
import { type Customer, PER_SECOND, until } from './provider.ts'

/** Outcomes of calls to a number with a ring plan: the caller's reply, the record and the exact charge. */
const provider = await providerForFile()
const network = await networkForFile(provider)
afterEach(() => provider.db.deleteFrom('trusted_addresses').execute())
let lastNumber = 442079464000

/** Calls a number with this plan. */
async function callTo(customer: Customer, plan: RingPlan): Promise<DialedCall> {
  const number = String(++lastNumber)
  const carrier = await provider.harness.carrier({ kind: 'echo' })
  await provider.newTrunk(carrier, network.sources)
  await provider.setAddress(customer, '127.0.0.1', 'approved')
  await provider.newNumber(customer, number, { plan })
  await provider.settle()
  return network.call(number)
}

/** A registered phone of the customer. */
async function phoneOf(
  { id, account }: Customer,
  options: Parameters<typeof startCalledPhone>[2] = {},
): Promise<CalledPhone> {
  const phone = await startCalledPhone(provider.harness, account, options)
  // Call control knows the new customer.
  await provider.settle()
  await phone.register()
  await until(async () => {
    const rows = await provider.db.selectFrom('registrations').select('user_id').execute()
    return rows.some(({ user_id }) => user_id === id)
  }, 'registration')
  return phone
}

/** Ends an answered call and expects its only record, with the charge of its seconds. */
async function expectCompleted(customer: Customer, call: DialedCall, codes: number[]): Promise<void> {
  await reaches(call, 'answered')
  network.hangUp(call.id)
  const [record, ...others] = await recordsAfter(provider, [customer])
  expect(others).toEqual([])
  expect(record).toMatchObject({ direction: 'in', status: 'completed', reason: 'hung_up_by_caller' })
  expect(record?.attempts.map(({ code }) => code)).toEqual(codes)
  const spoken = ((call.endedAt ?? 0) - (call.answeredAt ?? 0)) / 1_000
  expect(record?.seconds).toBeGreaterThanOrEqual(Math.ceil(spoken))
  await expectCharged(customer, BigInt(record?.seconds ?? 0) * PER_SECOND, record?.cost_micros)
}

async function expectCharged(customer: Customer, cost: bigint, recorded: bigint | undefined): Promise<void> {
  expect(recorded).toBe(cost)
  expect(await provider.balanceOf(customer.id)).toEqual({
    balanceMicros: micros(dollars(10) - cost),
    heldMicros: 0n,
  })
  expect(await provider.faults()).toEqual([])
}

const refusing = (code: number, reason: string): Behavior => ({ kind: 'refuse', code, reason })

describe('an unanswered call costs nothing', () => {
  it.each([
    { phone: 486, code: 486, status: 'busy', reason: 'busy' },
    { phone: 603, code: 603, status: 'failed', reason: 'rejected' },
    { phone: 'rings', code: 480, status: 'no-answer', reason: 'no_answer' },
  ] as const)('of a phone: $phone', async ({ phone, code, status, reason }) => {
    const customer = await provider.newCustomer()
    const rung = await phoneOf(customer, { habit: phone })
    const call = await callTo(customer, planOf(toPhones(2)))
    await reaches(call, 'ended')
    expect(call.code).toBe(code)
    expect(rung.invites()).toHaveLength(1)
    const records = await recordsAfter(provider, [customer])
    expect(records).toMatchObject([{ direction: 'in', status, reason, seconds: 0 }])
    await expectCharged(customer, 0n, records[0]?.cost_micros)
  })

  it.each([
    { pbx: refusing(486, 'Busy Here'), code: 486, status: 'busy', reason: 'busy' },
    { pbx: refusing(603, 'Decline'), code: 603, status: 'failed', reason: 'rejected' },
    { pbx: { kind: 'rings' }, code: 480, status: 'no-answer', reason: 'no_answer' },
  ] as const)('of a PBX: $status', async ({ pbx, code, status, reason }) => {
    const customer = await provider.newCustomer()
    const exchange = await provider.harness.carrier(pbx)
    const call = await callTo(customer, planOf(toPbx(exchange.port, 2)))
    await reaches(call, 'ended')
    expect(call.code).toBe(code)
    const records = await recordsAfter(provider, [customer])
    expect(records).toMatchObject([{ direction: 'in', status, reason, seconds: 0 }])
    expect(records[0]?.attempts).toMatchObject([{ name: 'PBX 127.0.0.1' }])
    await expectCharged(customer, 0n, records[0]?.cost_micros)
  })

  it('that the caller cancels while the second device rings', async () => {
    const customer = await provider.newCustomer()
    const phone = await phoneOf(customer, { habit: 486 })
    const exchange = await provider.harness.carrier({ kind: 'rings' })
    const call = await callTo(customer, planOf(toPhones(20), toPbx(exchange.port, 60)))
    await until(async () => methodsOf(exchange).includes('INVITE'), 'ringing PBX')
    await reaches(call, 'ringing')
    network.hangUp(call.id)
    await reaches(call, 'ended')
    expect(call.code).toBe(487)
    await until(async () => methodsOf(exchange).includes('CANCEL'), 'CANCEL to the PBX')
    expect(phone.invites()).toHaveLength(1)
    const records = await recordsAfter(provider, [customer])
    expect(records).toMatchObject([{ direction: 'in', status: 'cancelled', reason: 'cancelled', seconds: 0 }])
    await expectCharged(customer, 0n, records[0]?.cost_micros)
  })
})

const methodsOf = ({ requests }: Carrier): (string | undefined)[] => requests.map(({ method }) => method)

describe('an answered call is charged by the second', () => {
  it('when the phone answers in the second step', async () => {
    const customer = await provider.newCustomer()
    const phone = await phoneOf(customer)
    const call = await callTo(customer, planOf(toPhones(2, 60)))
    await phone.gets('CANCEL')
    await phone.answer(2)
    await expectCompleted(customer, call, [408, 200])
  })

  it('when the phone does not answer in time and the PBX does', async () => {
    const customer = await provider.newCustomer()
    const phone = await phoneOf(customer)
    const exchange = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
    const call = await callTo(customer, planOf(toPhones(2), toPbx(exchange.port)))
    await phone.gets('CANCEL')
    await expectCompleted(customer, call, [408, 200])
    await until(async () => exchange.live() === 0, 'end at the PBX')
  })

  it('when the PBX accepts only SRTP', async () => {
    const customer = await provider.newCustomer()
    const pbx = await startCalledPhone(
      provider.harness,
      { user: 'pbx', password: '' },
      { habit: 'silent', describe: srtpAnswer },
    )
    const call = await callTo(customer, planOf(toPbx(pbx.phone.line.port, 60)))
    const first = await pbx.rung()
    expect(first.body).toMatch(/m=audio \d+ RTP\/AVP /)
    pbx.reply(first, 488)
    expect((await pbx.rung(2)).body).toMatch(/m=audio \d+ RTP\/SAVP /)
    await pbx.answer(2)
    await expectCompleted(customer, call, [200])
    await pbx.gets('BYE')
  })
})

const srtpAnswer = (host: string, port: number) =>
  [
    ...['v=0', `o=- 1 1 IN IP4 ${host}`, 's=-', `c=IN IP4 ${host}`, 't=0 0', `m=audio ${port} RTP/SAVP 8`],
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 7).toString('base64')}`,
    ...['a=rtpmap:8 PCMA/8000', 'a=sendrecv', ''],
  ].join('\r\n')

describe('a time rule', () => {
  const DAY = 24 * 60
  /** Kathmandu is always 5 hours and 45 minutes ahead of UTC. */
  const OFFSET = 5 * 60 + 45
  const everyDay = [1, 2, 3, 4, 5, 6, 7]

  /** A rule of 20 minutes that starts this many minutes from now. */
  function ruleFrom(minutes: number, daysOf: (day: number) => number[]): Omit<RingRule, 'destination'> {
    const start = Math.floor(Date.now() / 60_000) + OFFSET + minutes
    // 1970 began on a Thursday.
    const day = ((Math.floor(start / DAY) + 3) % 7) + 1
    const from = start % DAY
    return { name: 'Office', days: daysOf(day), from, to: (from + 20) % DAY }
  }

  it.each([
    { when: 'now', minutes: -10, daysOf: (day: number) => [day], isInside: true },
    { when: 'in an hour', minutes: 60, daysOf: () => everyDay, isInside: false },
    { when: 'an hour ago', minutes: -60, daysOf: () => everyDay, isInside: false },
    {
      when: 'now, on the other days',
      minutes: -10,
      daysOf: (day: number) => everyDay.filter((other) => other !== day),
      isInside: false,
    },
  ])('for a time $when decides who rings', async ({ minutes, daysOf, isInside }) => {
    const customer = await provider.newCustomer()
    const office = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
    const home = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
    const rule = { ...ruleFrom(minutes, daysOf), destination: toPbx(office.port) }
    const plan = { ...planOf(toPbx(home.port)), timeZone: 'Asia/Kathmandu', rules: [rule] }
    const call = await callTo(customer, plan)
    await expectCompleted(customer, call, [200])
    const [rung, silent] = isInside ? [office, home] : [home, office]
    expect(methodsOf(rung)).toContain('INVITE')
    expect(methodsOf(silent)).not.toContain('INVITE')
    const [record] = await provider.cdrs(customer.id)
    expect(record?.explanation).toMatch(isInside ? /^Office: / : /^Outside the rules: /)
  })
})
