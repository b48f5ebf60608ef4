import { ZERO } from '@trunkline/domain/money'
import type { Destination } from '@trunkline/domain/ringing'
import { expect, it } from 'vitest'
import {
  CALLER,
  createIncomingProvider,
  createProviderWithOwner,
  planTo,
  rentNumber,
} from '../../../../test/incoming.ts'
import { answeredByFlow, NUMBER, newFlow, passWithMedia, seeMedia } from '../../../../test/media-legs.ts'
import { LONDON, usd } from '../../../../test/telephony.ts'
import { sipDigest } from '../../../platform/tokens.ts'
import { readMediaUser } from '../live-calls/media-address.ts'

const phones: Destination = { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] }

const forwardTo = (number: string, callerId: 'number' | 'caller' = 'number'): Destination => ({
  kind: 'number',
  number,
  callerId,
  seconds: 30,
})

it('sends a call to the media process with the fewest calls, and to a second one', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await seeMedia(phone, 'busy', { port: 5071, live_calls: 9 })
  await seeMedia(phone, 'idle', { port: 5072, live_calls: 1 })
  await seeMedia(phone, 'full', { port: 5073, live_calls: 50 })
  const { id } = await newFlow(phone, owner, 'Reception')
  const plan = planTo({ kind: 'flow', flowId: id }, { kind: 'voicemail' })
  await rentNumber(phone, owner, NUMBER, { plan })
  await startControl()
  const allow = await box.incoming(NUMBER)
  const user = `flow~${id}~legs~${allow.call}`
  const mailbox = `voicemail~${owner.id}~legs~${allow.call}`
  expect(allow.plan).toEqual([
    { id: -1, seconds: 10, isMedia: true, uri: `sip:${user}@127.0.0.1:5072;transport=tcp` },
    { id: -2, seconds: 10, isMedia: true, uri: `sip:${user}@127.0.0.1:5071;transport=tcp` },
    { id: -3, seconds: 10, isMedia: true, uri: `sip:${mailbox}@127.0.0.1:5072;transport=tcp` },
    { id: -4, seconds: 10, isMedia: true, uri: `sip:${mailbox}@127.0.0.1:5071;transport=tcp` },
  ])
  expect(readMediaUser(user)).toEqual({ kind: 'flow', id, callId: `legs/${allow.call}` })
  expect(await phone.liveRows()).toMatchObject([{ explanation: 'Always: flow Reception, then voicemail.' }])
  await box.answer(allow.call, -1)
  await box.end(allow.call, { seconds: 7, trunk: -1, by: 'callee' })
  expect(await phone.cdrOf(allow.call)).toMatchObject({
    status: 'completed',
    seconds: 7,
    cost_micros: 1_400n,
    attempts: [{ name: 'Flow Reception', code: 200 }],
  })
  expect(await phone.faults()).toEqual([])
})

it('skips leaving and dead media processes, and flows that do not exist, are not published or not own', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  const other = await phone.newCustomer(usd(1), phone.routeId)
  const own = await newFlow(phone, owner, 'Reception')
  const draft = await newFlow(phone, owner, 'Draft', false)
  const foreign = await newFlow(phone, other, 'Secret')
  await seeMedia(phone, 'gone')
  await seeMedia(phone, 'leaving')
  await seeMedia(phone, 'm1', { port: 5079 })
  await phone.db.updateTable('media_servers').set({ is_leaving: true }).where('id', '=', 'leaving').execute()
  const flows = [own.id, draft.id, foreign.id, 999_999]
  for (const [index, flowId] of flows.entries())
    await rentNumber(phone, owner, `44207946010${index}`, { plan: planTo({ kind: 'flow', flowId }, phones) })
  await startControl()
  await passWithMedia(phone, 4, 'gone')
  const answers = []
  for (const index of flows.keys()) answers.push(await box.incoming(`44207946010${index}`))
  expect(answers[0]?.plan?.map(({ uri }) => uri?.split('@')[1])).toEqual([
    '127.0.0.1:5079;transport=tcp',
    undefined,
  ])
  for (const { plan } of answers.slice(1)) expect(plan).toMatchObject([{ phones: [owner.username] }])
  const rows = await phone.liveRows()
  const explanations = answers.map(
    ({ call }) => rows.find(({ call_id }) => call_id === `legs/${call}`)?.explanation,
  )
  expect(explanations.slice(1)).toEqual([
    'Always: flow Draft, then phones and browsers. Flow Draft was skipped, because it is not published.',
    `Always: flow ${foreign.id}, then phones and browsers. Flow ${foreign.id} was skipped, because it does not exist.`,
    'Always: flow 999999, then phones and browsers. Flow 999999 was skipped, because it does not exist.',
  ])
  await phone.advance(4)
  expect(await box.incoming(NUMBER)).toMatchObject({ plan: [{ phones: [owner.username] }] })
})

it('knows the password of a media process, and the new one after a restart', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  await seeMedia(phone, 'm1')
  await startControl()
  const asked = { type: 'credentials', user: 'media~m1', at: 1 } as const
  box.say({ ...asked, request: 'r1' })
  await phone.waitUntil(() => box.all('credentials').length > 0)
  const md5 = sipDigest('md5', 'media~m1', 'trunkline', 'secret')
  expect(box.last('credentials')).toMatchObject({ user: 'media~m1', md5, sha256: null })
  await phone.db.updateTable('media_servers').set({ password: 'new' }).execute()
  await phone.waitUntil(() => box.all('forget').some(({ users }) => users?.includes('media~m1')))
  box.say({ ...asked, user: 'media~other', request: 'r2' })
  await phone.waitUntil(() => box.last('credentials')?.request === 'r2')
  expect(box.last('credentials')).toMatchObject({ md5: null })
})

it('forwards a call of a flow with a hold, a price and a record of its own', async () => {
  const { phone, box, owner, call, newLeg } = await answeredByFlow()
  const leg = await box.allowed(await newLeg(forwardTo(LONDON)))
  expect(leg).toMatchObject({ callerId: NUMBER, trunks: [{ id: phone.trunkId }] })
  const { heldMicros } = await phone.balanceOf(owner.id)
  expect(heldMicros).toBeGreaterThan(12_000n)
  await box.answer(leg.call, phone.trunkId)
  await box.end(leg.call, { seconds: 10, trunk: phone.trunkId })
  const record = await phone.cdrOf(leg.call)
  expect(record).toMatchObject({
    direction: 'out',
    user_id: owner.id,
    parent_call_id: `legs/${call}`,
    explanation: 'Forwarded by flow Reception.',
    caller_id: NUMBER,
    source_address: '',
  })
  expect(record.cost_micros).toBeGreaterThan(0n)
  // The call of the flow continues.
  expect(await phone.liveRows()).toMatchObject([{ call_id: `legs/${call}`, state: 'answered' }])
  const shown = await box.allowed(await newLeg(forwardTo(LONDON, 'caller')))
  expect(shown).toMatchObject({ callerId: CALLER, diversion: NUMBER })
})

it('rings the phones of a flow without a charge and without counting as a missed call', async () => {
  const { phone, box, owner, call, newLeg } = await answeredByFlow()
  const { heldMicros } = await phone.balanceOf(owner.id)
  const leg = await box.allowed(await newLeg(phones))
  expect(leg).toMatchObject({
    callerId: CALLER,
    number: NUMBER,
    plan: [{ id: -1, seconds: 20, phones: [owner.username] }],
    trunks: [],
  })
  expect(await phone.balanceOf(owner.id)).toMatchObject({ heldMicros })
  await box.fail(leg.call, 480, 'carrier', [{ trunk: -1, code: 480, reason: '' }])
  expect(await phone.cdrOf(leg.call)).toMatchObject({
    direction: 'out',
    status: 'no-answer',
    cost_micros: ZERO,
    number_id: null,
    parent_call_id: `legs/${call}`,
    route_name: 'Flow',
    explanation: 'Rung by flow Reception.',
    attempts: [{ name: 'Phones and browsers', code: 480 }],
  })
  // Stopping the account's calls does not end them: the customer receives a call.
  await phone.guard(owner.id, { are_calls_stopped: true })
  const again = await box.allowed(await newLeg(phones))
  await phone.advance(2)
  expect(box.all('hangup')).toEqual([])
  expect(await box.refused(await newLeg(forwardTo(LONDON)))).toMatchObject({ reason: 'calls_stopped' })
  await box.answer(again.call, -1)
  await box.end(again.call, { seconds: 5, trunk: -1 })
  expect(await phone.faults()).toEqual([])
})

it('repeats the answer for a leg, and refuses its token for another call', async () => {
  const { phone, box, newLeg } = await answeredByFlow()
  const asked = await newLeg(phones)
  const leg = await box.allowed({ ...asked, call: 'l1' })
  box.clearReceived()
  expect(await box.allowed({ ...asked, call: 'l1' })).toEqual(leg)
  expect(await box.refused({ ...asked, call: 'l2' })).toMatchObject({ reason: 'unknown_caller' })
  expect(await phone.liveRows()).toHaveLength(2)
})

it('refuses legs of strangers, of other media processes, old tokens and ended calls', async () => {
  const { phone, box, owner, call, newLeg } = await answeredByFlow()
  const stranger = { reason: 'unknown_caller' }
  expect(await box.refused({ ...(await newLeg(phones)), to: 'leg~guessed' })).toMatchObject(stranger)
  expect(await box.refused(await newLeg(phones, { age: 61 }))).toMatchObject(stranger)
  expect(await box.refused(await newLeg(phones, { media_id: 'm2' }))).toMatchObject(stranger)
  const { to } = await newLeg(phones)
  // A phone, a browser and a carrier that dial the address of a leg.
  expect(await box.refused({ to, user: owner.username })).toMatchObject({ reason: 'unknown_number' })
  expect(await box.refused({ to, direction: 'in' })).toMatchObject({ reason: 'unknown_number' })
  expect(await box.refused({ to })).toMatchObject(stranger)
  expect(await box.refused({ to, claimed: 'media~m1' })).toMatchObject(stranger)
  for (const dialed of [`flow~1~legs~${call}`, `voicemail~${owner.id}~legs~x`, `mailbox~${owner.id}~legs~x`])
    expect(await box.refused({ to: dialed, user: owner.username })).toMatchObject({
      reason: 'unknown_number',
    })
  // A media process may dial nothing else.
  expect(await box.refused({ to: LONDON, user: 'media~m1' })).toMatchObject(stranger)
  const late = await newLeg(phones)
  await phone.db.updateTable('media_calls').set({ ended_at: phone.clock.now() }).execute()
  expect(await box.refused(late)).toMatchObject(stranger)
})

it('refuses a flow that forwards to its own number', async () => {
  const { box, newLeg } = await answeredByFlow()
  const leg = await box.allowed(await newLeg(forwardTo(NUMBER)))
  const target = leg.plan?.[0]
  const further = { ...target?.next, to: NUMBER, parent: leg.call, hops: 1 }
  expect(await box.refused(further)).toMatchObject({ reason: 'call_loop' })
  // The same over a carrier, which shows the rented number or the caller.
  expect(await box.refused({ to: NUMBER, direction: 'in', from: NUMBER })).toMatchObject({
    reason: 'call_loop',
  })
  expect(await box.refused({ to: NUMBER, direction: 'in', from: CALLER })).toMatchObject({
    reason: 'call_loop',
  })
})

it('connects *97 with the own mailbox for nothing, and no stranger', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner(ZERO)
  const asked = { to: '*97', user: owner.username }
  await startControl()
  expect(await box.refused(asked)).toMatchObject({ reason: 'unavailable' })
  await seeMedia(phone, 'm1')
  await phone.tick()
  const allow = await box.allowed(asked)
  const uri = `sip:mailbox~${owner.id}~legs~${allow.call}@127.0.0.1:5070;transport=tcp`
  expect(allow.plan).toEqual([{ id: -1, seconds: 10, isMedia: true, uri }])
  await box.answer(allow.call, -1)
  await box.end(allow.call, { seconds: 30, trunk: -1 })
  expect(await phone.cdrOf(allow.call)).toMatchObject({
    direction: 'out',
    dialed: '*97',
    destination: '*97',
    route_name: 'Voicemail',
    status: 'completed',
    seconds: 30,
    cost_micros: ZERO,
    attempts: [{ name: 'Voicemail', code: 200 }],
  })
  expect(await box.refused({ to: '*97', address: '203.0.113.1' })).toMatchObject({ reason: 'unknown_caller' })
  expect(await box.refused({ to: '*97', claimed: owner.username, address: '203.0.113.1' })).toMatchObject({
    reason: 'unknown_caller',
  })
  expect(await box.refused({ to: '*97', direction: 'in' })).toMatchObject({ reason: 'unknown_number' })
})
