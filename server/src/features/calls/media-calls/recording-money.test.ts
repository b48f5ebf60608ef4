import { system } from '@trunkline/domain/access'
import { micros, ZERO } from '@trunkline/domain/money'
import { encode } from '@trunkline/media/encode'
import type { Conversation } from '@trunkline/media/endpoint'
import type { Decoded } from '@trunkline/media/rtpengine/bencode'
import type { Rtpengine } from '@trunkline/media/rtpengine/client'
import { signature } from '@trunkline/media/tones'
import { expect, it } from 'vitest'
import { planTo, rentNumber } from '../../../../test/incoming.ts'
import { forAll } from '../../../../test/lifetime.ts'
import { insertLiveCall } from '../../../../test/live-calls.ts'
import { createMedia, pathOf, recorded, recordedMenu, SPOKEN } from '../../../../test/media.ts'
import { systemClock } from '../../../platform/clock.ts'
import { saveSetting } from '../../identity/service-settings/store.ts'
import { createLedger } from '../../money/ledger/service.ts'

/** Recordings whose price the balance does not cover, or no longer covers. The calls go on. */
const CENT = 10_000n
const NOT_STARTED = 'The recording did not start, because the balance does not cover its price.'
const ENDED = 'The recording ended after 2 seconds, because the balance did not cover more.'

const asked: string[] = []
const rtpengine: Rtpengine = {
  async ask(command, fields) {
    asked.push(command)
    const tags: Record<string, Decoded> = {
      [`tag of ${String(fields['call-id'])}`]: { subscriptions: [{ tag: 'callee', type: 'offer/answer' }] },
      callee: { medias: [{ protocol: 'RTP/AVP' }] },
    }
    const sdp =
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 8\r\n'
    return { result: 'ok', tags, sdp, 'to-tag': 'copy' }
  },
  close: () => {},
}

/** A second of a recording costs a cent. */
const setup = forAll(async () => {
  const media = await createMedia()
  await saveSetting(media.db, 'recording_price', String(60n * CENT), systemClock.now())
  const ledger = createLedger(media.db, systemClock)
  return { media, ledger, server: await media.start({ rtpengines: [rtpengine] }) }
})

type Wishes = { announces?: boolean; records_dialed?: boolean }

async function newOwner(cents: bigint, wishes: Wishes = {}): Promise<number> {
  const { media, ledger } = setup()
  const userId = await media.newUser()
  await media.allowRecording(userId, wishes)
  if (cents > 0n)
    await ledger.post(system('test'), {
      kind: 'top_up',
      key: `top-up of ${userId}`,
      reference: 'ORD-1',
      userId,
      amountMicros: micros(cents * CENT),
    })
  return userId
}

/** A number that rings the phones and is recorded. */
function newNumber(userId: number): Promise<number> {
  const { db } = setup().media
  const plan = planTo({ kind: 'phones', steps: [{ devices: 'phones', seconds: 20 }] })
  const given = { plan, price: ZERO, records: true }
  return rentNumber({ db, clock: systemClock }, { id: userId }, `44207946${1_000 + userId}`, given)
}

/** A call that a phone has answered. */
async function answeredCall(userId: number) {
  const { media, server } = setup()
  const numberId = await newNumber(userId)
  const answered = Promise.withResolvers<Conversation>()
  media.answerLegs(async (leg) => answered.resolve(await leg.answer()))
  const call = await media.call(server, { kind: 'ring', id: 0, userId, numberId })
  return { call, other: await answered.promise }
}

const explanationOf = (callId: string) => async () => {
  const row = await setup()
    .media.db.selectFrom('live_calls')
    .select('explanation')
    .where('call_id', '=', callId)
    .executeTakeFirst()
  return row?.explanation
}

const recordingsOf = async (userId: number) =>
  (await setup().media.recordings()).filter(({ user_id }) => user_id === userId)

const heldBy = async (userId: number) =>
  (await setup().ledger.balanceOf(system('test'), userId)).heldMicros / CENT

it('connects a call without an announcement and a recording if the balance is empty, and says why', async () => {
  const userId = await newOwner(0n)
  const { call, other } = await answeredCall(userId)
  const heardThere = recorded(other)
  await expect.poll(explanationOf(call.callId)).toBe(NOT_STARTED)
  call.conversation.play(encode(signature(21, 600)))
  await expect.poll(heardThere).toEqual([21])
  expect(call.heard()).toEqual([])
  other.hangUp()
  await setup().media.ended(call)
  expect(await recordingsOf(userId)).toEqual([])
})

it('ends the recording where the balance ends, and goes on with the call', async () => {
  const userId = await newOwner(2n, { announces: false })
  const { call, other } = await answeredCall(userId)
  const heardThere = recorded(other)
  await expect.poll(() => heldBy(userId)).toBe(2n)
  const { done } = call.conversation.play(encode(signature(22, 600)), { loops: true })
  await expect.poll(async () => (await recordingsOf(userId))[0]?.state, { timeout: 15_000 }).toBe('ready')
  expect(await recordingsOf(userId)).toMatchObject([{ seconds: '2.00', price_micros: 60n * CENT }])
  expect(await explanationOf(call.callId)()).toBe(ENDED)
  call.conversation.stopPlaying()
  await done
  call.conversation.play(encode(signature(23, 600)))
  await expect.poll(heardThere).toContain(23)
  expect(call.isOver()).toBe(false)
  other.hangUp()
  await setup().media.ended(call)
  expect(await recordingsOf(userId)).toHaveLength(1)
})

it('takes the exit "failed" of a record step if the balance is empty', async () => {
  const { media, server } = setup()
  const userId = await newOwner(0n)
  const question = await media.newSound(userId, 19)
  const id = await media.newFlow(userId, recordedMenu(question))
  const call = await media.call(server, { id, userId })
  await call.hears(19)
  expect(await explanationOf(call.callId)()).toBe(NOT_STARTED)
  call.conversation.hangUp()
  expect(pathOf(await media.ended(call))[0]).toBe('record: failed')
})

it('holds the price before the announcement, and gives it back if the caller hangs up during it', async () => {
  const userId = await newOwner(100n)
  const { call, other } = await answeredCall(userId)
  await expect.poll(() => heldBy(userId)).toBe(60n)
  expect(call.heard()).toEqual([])
  call.conversation.hangUp()
  await setup().media.ended(call)
  expect(await recordingsOf(userId)).toEqual([])
  expect(await heldBy(userId)).toBe(0n)
  expect(recorded(other)()).toEqual([])
})

async function dialedCall(userId: number) {
  const { db } = setup().media
  const sip = `dialed-${userId}`
  const callId = `sw1/${sip}`
  const now = systemClock.now()
  await insertLiveCall(db, userId, { call_id: callId, started_at: now, state: 'answered', answered_at: now })
  const request = { call_id: callId, user_id: userId, sip_call_id: sip, sip_tag: `tag of ${sip}` }
  await db
    .insertInto('recording_requests')
    .values({ ...request, created_at: now })
    .execute()
  return callId
}

const requestOf = (callId: string) => () =>
  setup()
    .media.db.selectFrom('recording_requests')
    .select('state')
    .where('call_id', '=', callId)
    .executeTakeFirst()

it('does not announce a dialed call if the balance is empty, and gives the copies of its audio back', async () => {
  const userId = await newOwner(0n, { records_dialed: true })
  asked.length = 0
  const callId = await dialedCall(userId)
  await expect.poll(requestOf(callId), { timeout: 15_000 }).toBeUndefined()
  expect(await explanationOf(callId)()).toBe(NOT_STARTED)
  expect(asked).not.toContain('block media')
  expect(asked.filter((command) => command === 'unsubscribe')).toHaveLength(2)
})

it('announces and records a call whose price is held', async () => {
  const userId = await newOwner(100n)
  const { call, other } = await answeredCall(userId)
  await call.hears(SPOKEN)
  await expect.poll(async () => (await recordingsOf(userId)).length).toBe(1)
  expect(await explanationOf(call.callId)()).not.toContain('did not')
  other.hangUp()
  await setup().media.ended(call)
})
