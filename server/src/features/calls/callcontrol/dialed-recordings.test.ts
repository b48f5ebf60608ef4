import { describe, expect, it } from 'vitest'
import { createIncomingProvider, rentNumber } from '../../../../test/incoming.ts'
import { NUMBER, seeMedia } from '../../../../test/media-legs.ts'
import { type Customer, LONDON, type Telephony, usd } from '../../../../test/telephony.ts'
import { later, SECOND } from '../../../platform/clock.ts'
import { INTERNAL_TARGET_ID } from './allowing.ts'

/** Requests to record calls that customers dial. */
const OTHER = '442079460101'

type Wishes = { is_allowed: boolean; records_dialed: boolean; announces?: boolean }

const settle = ({ db }: Telephony, { id }: Customer, wishes: Wishes) =>
  db
    .insertInto('recording_settings')
    .values({ user_id: id, ...wishes })
    .execute()

async function createCallers() {
  const provider = await createIncomingProvider()
  const { phone, box } = provider
  const newCaller = async (wishes: Wishes) => {
    const customer = await phone.newCustomer(usd(10), phone.routeId)
    await settle(phone, customer, wishes)
    return customer
  }
  const owner = await newCaller({ is_allowed: true, records_dialed: true })
  const friend = await phone.newCustomer(usd(1), phone.routeId)
  let calls = 0
  const dial = (user: Customer, to: string, ids: { sip?: string; tag?: string } = {}) => {
    const own = { sip: `call-id-${++calls}`, tag: `tag-${calls}` }
    return box.allowed({ user: user.username, address: '203.0.113.5', to, ...own, ...ids })
  }
  const requests = () => phone.db.selectFrom('recording_requests').selectAll().orderBy('call_id').execute()
  const isRequested = async (call: string) =>
    (await requests()).some(({ call_id }) => call_id === `legs/${call}`)
  return { ...provider, newCaller, owner, friend, dial, requests, isRequested }
}

it('requests a recording of dialed calls to carriers and to other customers', async () => {
  const { phone, startControl, owner, friend, dial, requests, isRequested } = await createCallers()
  await rentNumber(phone, friend, NUMBER)
  await seeMedia(phone, 'm1', { copies_audio: true })
  await startControl()
  const abroad = await dial(owner, LONDON, { sip: 'the call', tag: 'the tag' })
  const inside = await dial(owner, `+${NUMBER}`)
  for (const { call } of [abroad, inside]) await phone.waitUntil(() => isRequested(call))
  const all = await requests()
  expect(all).toHaveLength(2)
  expect(all.find(({ call_id }) => call_id === `legs/${abroad.call}`)).toMatchObject({
    user_id: owner.id,
    sip_call_id: 'the call',
    sip_tag: 'the tag',
    state: 'waiting',
  })
  expect((await phone.liveRows()).map(({ explanation }) => explanation)).not.toContain('not recorded')
})

it('requests none without the consent and the wish, and for emergency calls, the mailbox and incoming calls', async () => {
  const { phone, box, startControl, newCaller, owner, dial, requests, isRequested } = await createCallers()
  const forbidden = await newCaller({ is_allowed: false, records_dialed: true })
  const unwilling = await newCaller({ is_allowed: true, records_dialed: false })
  await rentNumber(phone, owner, OTHER)
  await phone.db.updateTable('users').set({ home_country: 'GB' }).where('id', '=', owner.id).execute()
  await seeMedia(phone, 'm1', { copies_audio: true })
  await startControl()
  await dial(forbidden, LONDON)
  await dial(unwilling, LONDON)
  await dial(owner, '*97')
  await box.incoming(OTHER, { sip: 'incoming', tag: 'incoming' })
  await dial(owner, LONDON, { sip: 'x'.repeat(200) })
  await dial(owner, LONDON, { tag: '' })
  await box.ask({ user: owner.username, address: '203.0.113.5', to: '999', sip: 'help', tag: 'help' }).answer
  const last = await dial(owner, LONDON)
  await phone.waitUntil(() => isRequested(last.call))
  expect((await requests()).map(({ call_id }) => call_id)).toEqual([`legs/${last.call}`])
})

it('says in the record that no media process can record the call', async () => {
  const { phone, box, startControl, owner, friend, dial } = await createCallers()
  await rentNumber(phone, friend, NUMBER)
  await seeMedia(phone, 'm1')
  await startControl()
  const out = await dial(owner, LONDON)
  await box.answer(out.call, phone.trunkId)
  await box.end(out.call, { seconds: 5, trunk: phone.trunkId })
  expect(await phone.cdrOf(out.call)).toMatchObject({
    explanation: 'It is not recorded, because no media process can record it.',
  })
  const inside = await dial(owner, `+${NUMBER}`)
  expect((await phone.liveRows()).find(({ call_id }) => call_id.endsWith(inside.call))?.explanation).toBe(
    'The number belongs to this service, so no carrier was needed. It is not recorded, because no media process can record it.',
  )
})

it('has the switch end an announcement that takes too long, three times, and only then', async () => {
  const { phone, box, startControl, owner, dial, requests, isRequested } = await createCallers()
  await seeMedia(phone, 'm1', { copies_audio: true })
  await startControl()
  const { call } = await dial(owner, LONDON, { sip: 'the call', tag: 'the tag' })
  await phone.waitUntil(() => isRequested(call))
  const media = { media_id: 'm1', media_started_at: phone.clock.now() }
  const announced_until = later(phone.clock.now(), 2 * SECOND)
  await phone.db
    .updateTable('recording_requests')
    .set({ ...media, state: 'announcing', announced_until })
    .execute()
  await phone.advance(3)
  expect(box.all('unmute')).toEqual([])
  expect(await requests()).toMatchObject([{ state: 'announcing' }])
  await phone.advance(1)
  const [unmute] = box.all('unmute')
  expect(unmute).toMatchObject({ call })
  expect(await requests()).toMatchObject([{ state: 'overdue' }])
  await phone.advance(10)
  expect(box.all('unmute')).toHaveLength(3)
})

describe('a call between customers', () => {
  /** An answered call to a number of another customer. */
  async function createCalls() {
    const callers = await createCallers()
    const { phone, box, startControl, owner, friend, dial } = callers
    await rentNumber(phone, friend, NUMBER)
    await rentNumber(phone, owner, OTHER)
    const silent = await callers.newCaller({ is_allowed: true, records_dialed: true, announces: false })
    await seeMedia(phone, 'm1', { copies_audio: true })
    await startControl()
    const answer = async (user: Customer) => {
      const { call, plan } = await dial(user, `+${NUMBER}`)
      await phone.waitUntil(() => callers.isRequested(call))
      return { call, mutes: plan?.[0]?.next?.mutes, answer: () => box.answer(call, INTERNAL_TARGET_ID) }
    }
    return { ...callers, silent, answer, unmuted: () => box.all('unmute').map(({ call }) => call) }
  }

  it('mutes the caller until the announcement, if there is one', async () => {
    const { owner, silent, friend, dial, answer } = await createCalls()
    expect(await answer(owner)).toMatchObject({ mutes: true })
    expect(await answer(silent)).toMatchObject({ mutes: undefined })
    const { plan } = await dial(owner, LONDON)
    expect(plan).toBeUndefined()
    const unrecorded = await dial(friend, `+${OTHER}`)
    expect(unrecorded.plan?.[0]?.next).toBeDefined()
    expect(unrecorded.plan?.[0]?.next?.mutes).toBeUndefined()
  })

  it('unmutes the caller after five seconds if no media process announces anything', async () => {
    const { phone, owner, answer, requests, unmuted } = await createCalls()
    const waiting = await answer(owner)
    await waiting.answer()
    const taken = await answer(owner)
    await taken.answer()
    await phone.db
      .updateTable('recording_requests')
      .set({ state: 'taken', media_id: 'm1', media_started_at: phone.clock.now() })
      .where('call_id', '=', `legs/${taken.call}`)
      .execute()
    await phone.advance(4)
    expect(unmuted()).toEqual([])
    await phone.advance(2)
    expect(unmuted().toSorted()).toEqual([waiting.call, taken.call].toSorted())
    expect(await requests()).toMatchObject([{ state: 'overdue' }, { state: 'overdue' }])
  })

  it('unmutes the caller at the answer if no media process knows of the call', async () => {
    const { phone, owner, answer, unmuted } = await createCalls()
    const call = await answer(owner)
    await phone.db.deleteFrom('recording_requests').execute()
    await call.answer()
    await phone.waitUntil(async () => unmuted().length > 0)
    expect(unmuted()).toEqual([call.call])
  })
})
