import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createProviderWithCustomer, createSmallProvider, usd } from '../../../../test/telephony.ts'

type Provider = Awaited<ReturnType<typeof createSmallProvider>>
type NewEvent = Parameters<Provider['switch']['emit']>[0]

/** All events of an answered call, in any order and any number; `failed` comes too late. */
const story = fc
  .record({
    ringMs: fc.integer({ min: 0, max: 5_000 }),
    talkMs: fc.integer({ min: 1, max: 59_000 }),
    by: fc.constantFrom('caller' as const, 'callee' as const, 'timeout' as const),
    copies: fc.tuple(fc.nat(2), fc.nat(2), fc.integer({ min: 1, max: 3 })),
    failedAfter: fc.boolean(),
  })
  .chain((history) => {
    const [ringing, answered, ended] = history.copies
    const steps = [
      ...Array<'ringing'>(ringing).fill('ringing'),
      ...Array<'answered'>(answered).fill('answered'),
      ...Array<'ended'>(ended).fill('ended'),
    ]
    return fc.shuffledSubarray(steps, { minLength: steps.length }).map((order) => ({
      ...history,
      order: [...order, ...(history.failedAfter ? (['failed'] as const) : [])],
    }))
  })

it('gives the same result for any order and repetition of events', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(100))
  await phone.guard(id, { max_calls_per_second: 1_000, max_concurrent_calls: 1_000 })
  await phone.startControl()
  const { trunkId: trunk } = phone
  let spent = 0n
  await fc.assert(
    fc.asyncProperty(story, async ({ ringMs, talkMs, by, order }) => {
      // A carrier that never answers, so that only the test sends events.
      const carriers = [{ code: 200, afterMs: 1e9, ringAfterMs: null }]
      const { call } = await phone.place({ user: username, carriers })
      const at = phone.switchClock.now()
      const answeredAt = at + ringMs
      const said: Record<(typeof order)[number], NewEvent> = {
        ringing: { type: 'ringing', call, at, trunk },
        answered: { type: 'answered', call, at: answeredAt, trunk },
        ended: { type: 'ended', call, at: answeredAt + talkMs, answeredAt, trunk, by, attempts: [] },
        failed: { type: 'failed', call, at: answeredAt + talkMs, code: 487, by: 'caller', attempts: [] },
      }
      for (const step of order) {
        // Too late: after the end is committed.
        if (step === 'failed') await phone.settle()
        phone.switch.emit(said[step])
      }
      await phone.settle()
      const seconds = Math.ceil(talkMs / 1000)
      spent += BigInt(seconds) * 1_000n
      const cdr = { status: 'completed', seconds, cost_micros: BigInt(seconds) * 1_000n, trunk_id: trunk }
      // If `ringing` comes first it is in the record, even if `ended` follows immediately.
      const rang = order[0] === 'ringing' && { ringing_at: new Date(at) }
      expect(await phone.cdrOf(call)).toMatchObject({ ...cdr, ...rang, hung_up_by: by })
      expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(100) - spent, heldMicros: 0n })
      phone.switch.hangUp(call)
    }),
    { numRuns: 40 },
  )
  expect(await phone.liveRows()).toEqual([])
  expect(await phone.faults()).toEqual([])
})

it('records the true outcome when the switch duplicates, delays and reorders events', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(100))
  await phone.guard(id, { max_calls_per_second: 1_000, max_concurrent_calls: 1_000 })
  await phone.startControl()
  phone.switch.setFaults({ doubled: true, delay_ms: 200, jitter_ms: 8_000 })
  for (let index = 0; index < 60; index++)
    await phone.place({
      user: username,
      carriers: [{ code: index % 5 === 4 ? 486 : 200, afterMs: 500 + 37 * index, ringAfterMs: 100 }],
      talkMs: 900 * index,
    })
  for (let second = 0; second < 80; second++) {
    phone.switchClock.advance(1_000)
    await Promise.all([...phone.controls].map((control) => control.tick()))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  phone.switch.resetFaults()
  await phone.settle()
  await expectMatchingRecords(phone)
  expect(await phone.balanceOf(id)).toMatchObject({ heldMicros: 0n })
})

/** Every call has one record that matches the switch's log. */
async function expectMatchingRecords(phone: Provider): Promise<void> {
  const records = new Map((await phone.cdrs()).map((cdr) => [cdr.call_id, cdr]))
  const truth = phone.switch.truth()
  expect(records.size).toBe(truth.length)
  for (const { call, answeredAt, seconds, code, by } of truth)
    expect(records.get(`sw1/${call}`)).toMatchObject(
      answeredAt === null
        ? { status: 'busy', sip_code: code, seconds: 0, cost_micros: 0n }
        : { status: 'completed', seconds, cost_micros: BigInt(seconds) * 1_000n, hung_up_by: by },
    )
  expect(await phone.faults()).toEqual([])
}

it('records the reason of a silent call and charges it to its end', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(1))
  await phone.startControl()
  const carriers = [{ code: 200, afterMs: 1e9, ringAfterMs: null }]
  const { call } = await phone.place({ user: username, carriers })
  const at = phone.switchClock.now()
  const { trunkId: trunk } = phone
  phone.switch.emit({ type: 'answered', call, at, trunk })
  phone.switch.emit({
    type: 'ended',
    call,
    answeredAt: at,
    at: at + 9_500,
    trunk,
    by: 'silence',
    attempts: [],
  })
  await phone.settle()
  expect(await phone.cdrOf(call)).toMatchObject({
    status: 'completed',
    reason: 'went_silent',
    hung_up_by: 'silence',
    seconds: 10,
  })
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(1) - 10_000n, heldMicros: 0n })
})

it('records the cost of a carrier that charges a fee and whole minutes', async () => {
  const phone = await createSmallProvider({
    trunk: { buy_connect_fee_micros: 700n, buy_first_increment: 60, buy_next_increment: 60 },
  })
  await phone.db
    .insertInto('trunk_rates')
    .values({ trunk_id: phone.trunkId, prefix: '4471', price_micros: 12_000n, next_increment: 30 })
    .execute()
  const { username } = await phone.newCustomer(usd(5), phone.routeId)
  await phone.startControl()
  const calls = [
    await phone.place({ user: username, talkMs: 61_000 }),
    await phone.place({ user: username, to: '447123456789', talkMs: 61_000 }),
  ]
  await phone.advance(70, 4)
  const costs = await Promise.all(calls.map(async ({ call }) => (await phone.cdrOf(call)).buy_micros))
  // 120 s at $0.01 and the fee; 1 s and two blocks of 30 s at $0.012 for the prefix.
  expect(costs).toEqual([20_700n, 12_200n])
})

it('records who hung up, the attempted trunks and their replies', async () => {
  const phone = await createSmallProvider()
  const second = await phone.newTrunk(phone.planId, {
    name: 'Carrier Two',
    priority: 200,
    buy_rate_micros: 30_000n,
  })
  const { username } = await phone.newCustomer(usd(1), phone.routeId)
  await phone.startControl()
  const refuses = { code: 503, afterMs: 100, ringAfterMs: null }
  const answers = { code: 200, afterMs: 100, ringAfterMs: null }
  const busy = { code: 486, afterMs: 100, ringAfterMs: 50 }
  const answered = await phone.place({
    user: username,
    carriers: [refuses, answers],
    talkMs: 10_000,
    hangsUp: 'callee',
  })
  const failed = await phone.place({ user: username, carriers: [refuses, busy] })
  const givenUp = await phone.place({
    user: username,
    carriers: [{ ...answers, afterMs: 60_000 }],
    givesUpAfterMs: 5_000,
  })
  await phone.advance(12, 4)
  const tried = { trunk: phone.trunkId, name: 'Carrier One', code: 503 }
  expect(await phone.cdrOf(answered.call)).toMatchObject({
    reason: 'hung_up_by_callee',
    trunk_id: second,
    seconds: 10,
    buy_micros: 5_000n,
    attempts: [tried, { trunk: second, name: 'Carrier Two', code: 200 }],
  })
  expect(await phone.cdrOf(failed.call)).toMatchObject({
    status: 'busy',
    reason: 'busy',
    sip_code: 486,
    cost_micros: 0n,
    attempts: [tried, { trunk: second, name: 'Carrier Two', code: 486 }],
  })
  expect(await phone.cdrOf(givenUp.call)).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled',
    sip_code: 487,
  })
  expect(await phone.faults()).toEqual([])
})

it('charges the talk time even if the switch reports the end as a failure', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(1))
  await phone.startControl()
  const { call } = await phone.place({ user: username })
  await phone.advance(9, 3)
  phone.switch.emit({
    type: 'failed',
    call,
    at: phone.switchClock.now(),
    code: 500,
    by: 'carrier',
    attempts: [],
  })
  await phone.settle()
  expect(await phone.cdrOf(call)).toMatchObject({ status: 'completed', seconds: 9, cost_micros: 9_000n })
})

it('ends a call after a hangup request, notified or found later', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(1))
  await phone.startControl()
  const { call } = await phone.place({ user: username })
  await phone.advance(5, 5)
  await phone.db
    .updateTable('live_calls')
    .set({ hangup_at: phone.clock.now(), hangup_by: id, hangup_reason: 'hung_up_by_customer' })
    .execute()
  await phone.advance(4)
  expect(await phone.cdrOf(call)).toMatchObject({ reason: 'hung_up_by_customer', hung_up_by: 'control' })
})

it('keeps a list of registered phones', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(1))
  await phone.startControl()
  const at = phone.switchClock.now()
  const contact = 'sip:1@192.0.2.9'
  const said = {
    type: 'registered',
    at,
    user: username.toUpperCase(),
    contact,
    address: '192.0.2.9',
  } as const
  phone.switch.emit({ ...said, device: 'Phone 1', expiresAt: at + 3_600_000 })
  await phone.settle()
  const registrations = () => phone.db.selectFrom('registrations').selectAll().execute()
  expect(await registrations()).toMatchObject([{ user_id: id, contact, device: 'Phone 1', switch_id: 'sw1' }])
  // An older event changes nothing.
  phone.switch.emit({ type: 'unregistered', at: at - 1, user: username, contact })
  await phone.settle()
  expect(await registrations()).toHaveLength(1)
  phone.switch.emit({ type: 'unregistered', at: at + 1, user: username, contact })
  await phone.settle()
  expect(await registrations()).toEqual([])
})

it.each([
  [0, 'No call was affected.'],
  [1, 'One call lost its audio and ended.'],
  [7, '7 calls lost their audio and ended.'],
])('raises an alert when rtpengine has failed with %i calls', async (calls, message) => {
  const phone = await createSmallProvider()
  await phone.startControl()
  phone.switch.emit({ type: 'media_failed', at: phone.switchClock.now(), calls })
  await phone.settle()
  expect(await phone.db.selectFrom('alerts').selectAll().execute()).toMatchObject([
    {
      kind: 'media_relay_failed',
      subject: 'switch:sw1',
      user_id: null,
      message: `rtpengine failed on Switch sw1 and was restarted. ${message}`,
    },
  ])
})

it('ignores late and repeated events of an answered call', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(1))
  await phone.startControl()
  const { call, record } = await phone.place({ user: username, talkMs: 100_000 })
  await phone.settle()
  const [before] = await phone.liveRows()
  const at = phone.switchClock.now()
  phone.switch.emit({ type: 'ringing', call, at: at + 1, trunk: phone.trunkId })
  await phone.settle()
  phone.switch.emit({ type: 'answered', call, at: at + 30_000, trunk: phone.trunkId })
  await phone.settle()
  expect(await phone.liveRows()).toEqual([before])
  await phone.advance(110, 2)
  expect(record.seconds).toBe(100)
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 100, answered_at: before?.answered_at })
})
