import { type Micros, ZERO } from '@trunkline/domain/money'
import type { RentalState, RingPlan } from '@trunkline/domain/ringing'
import { expect, it } from 'vitest'
import {
  createIncomingProvider,
  forwardTo,
  openBrowser,
  planTo,
  rentNumber,
} from '../../../../test/incoming.ts'
import { NUMBER, passWithMedia, seeMedia } from '../../../../test/media-legs.ts'
import { LONDON, usd } from '../../../../test/telephony.ts'
import { earlier, MINUTE, SECOND } from '../../../platform/clock.ts'

/** A customer with a number, and test calls of it that media process `m1` has taken. */
async function createTests(given: { plan?: RingPlan; state?: RentalState; balance?: Micros } = {}) {
  const provider = await createIncomingProvider()
  const { phone, box, startControl } = provider
  const owner = await phone.newCustomer(given.balance ?? usd(1), phone.routeId)
  await seeMedia(phone, 'm1')
  const numberId = await rentNumber(phone, owner, NUMBER, given)
  await openBrowser(phone, owner, 'browser~one', 10 * MINUTE)
  await startControl()
  const { started_at } = await phone.db
    .selectFrom('media_servers')
    .select('started_at')
    .executeTakeFirstOrThrow()
  let tokens = 0
  const newTest = async (columns: { age?: number; media_id?: string } = {}) => {
    const token = `token-${++tokens}`
    await phone.db.deleteFrom('test_calls').execute()
    const rental = phone.db.selectFrom('number_rentals').select('id').where('number_id', '=', numberId)
    await phone.db
      .insertInto('test_calls')
      .values({
        rental_id: (await rental.executeTakeFirstOrThrow()).id,
        token,
        state: 'calling',
        created_at: earlier(phone.clock.now(), (columns.age ?? 0) * SECOND),
        media_id: columns.media_id ?? 'm1',
        media_started_at: started_at,
      })
      .execute()
    return { to: `leg~test~${token}`, user: 'media~m1', address: '127.0.0.1' }
  }
  return { ...provider, phone, box, owner, numberId, newTest }
}

it('admits a test call as a free call to the number that rings the own phones and browsers', async () => {
  const { phone, box, owner, numberId, newTest } = await createTests()
  const allow = await box.allowed(await newTest())
  expect(allow).toMatchObject({
    callerId: NUMBER,
    callerName: 'Test call',
    number: NUMBER,
    plan: [{ phones: [owner.username, 'browser~one'] }],
    trunks: [],
  })
  expect(await phone.balanceOf(owner.id)).toMatchObject({ heldMicros: ZERO })
  await box.answer(allow.call, -1)
  await box.end(allow.call, { seconds: 4, trunk: -1 })
  expect(await phone.cdrOf(allow.call)).toMatchObject({
    direction: 'in',
    number_id: numberId,
    user_id: owner.id,
    caller_id: NUMBER,
    caller_name: 'Test call',
    explanation: 'Test call. Always: phones and browsers.',
    source_address: '',
    cost_micros: ZERO,
  })
  expect(await phone.faults()).toEqual([])
})

it('charges the forwarded leg of a test call to the customer, with a hold', async () => {
  const { phone, box, owner, newTest } = await createTests({ plan: planTo(forwardTo(LONDON, 'caller')) })
  const allow = await box.allowed(await newTest())
  const { leg, target } = await box.nextLeg(allow)
  expect(leg).toMatchObject({ callerId: NUMBER, trunks: [{ id: phone.trunkId }] })
  const { heldMicros } = await phone.balanceOf(owner.id)
  expect(heldMicros).toBeGreaterThan(ZERO)
  const legs = [{ call: allow.call, trunk: target }]
  await box.answer(leg.call, phone.trunkId, legs)
  await box.end(leg.call, { seconds: 10, trunk: phone.trunkId, legs })
  expect(await phone.cdrOf(allow.call)).toMatchObject({ cost_micros: ZERO })
  const forwarded = await phone.cdrOf(leg.call)
  expect(forwarded).toMatchObject({ direction: 'out', parent_call_id: `legs/${allow.call}` })
  expect(forwarded.cost_micros).toBeGreaterThan(ZERO)
  expect(await phone.balanceOf(owner.id)).toMatchObject({ heldMicros: ZERO })
  expect(await phone.faults()).toEqual([])
})

it('does not ring a forward that the balance does not cover', async () => {
  const { box, newTest } = await createTests({ plan: planTo(forwardTo(LONDON)), balance: usd(0) })
  const allow = await box.allowed(await newTest())
  const next = allow.plan?.[0]?.next
  expect(next).toMatchObject({ direction: 'out', to: LONDON })
  const refused = await box.refused({ to: LONDON, ...next, parent: allow.call, hops: 1 })
  expect(refused.reason).toBe('no_balance')
})

it('refuses a token of another media process, one that is too old, and a second call with it', async () => {
  const { box, newTest } = await createTests()
  expect(await box.refused(await newTest({ media_id: 'other' }))).toMatchObject({ reason: 'unknown_caller' })
  expect(await box.refused(await newTest({ age: 61 }))).toMatchObject({ reason: 'unknown_caller' })
  const test = await newTest()
  expect(await box.refused({ ...test, user: 'alice' })).toMatchObject({ reason: 'unknown_caller' })
  await box.allowed(test)
  expect(await box.refused(test)).toMatchObject({ reason: 'unknown_caller' })
})

it('refuses a test call of a suspended number', async () => {
  const suspended = await createTests({ state: 'suspended' })
  expect(await suspended.box.refused(await suspended.newTest())).toMatchObject({ reason: 'number_suspended' })
})

it('ends the test call of a media process that was killed', async () => {
  const { phone, box, newTest } = await createTests()
  const { call } = await box.allowed(await newTest())
  await box.answer(call, -1)
  await passWithMedia(phone, 4)
  expect(box.all('hangup')).toEqual([])
  await passWithMedia(phone, 10, 'm1')
  await phone.waitUntil(() => box.all('hangup').some((one) => one.call === call))
  expect(box.last('hangup')).toMatchObject({ reason: 'media_lost' })
})
