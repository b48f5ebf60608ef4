import { ZERO } from '@trunkline/domain/money'
import { type Destination, defaultPlan } from '@trunkline/domain/ringing'
import { encode } from '@trunkline/media/encode'
import type { Conversation, IncomingCall } from '@trunkline/media/endpoint'
import { decodeG711 } from '@trunkline/media/g711'
import { join, recognize, signature, silence } from '@trunkline/media/tones'
import { expect, it } from 'vitest'
import { rentNumber } from '../../../../test/incoming.ts'
import { forAll } from '../../../../test/lifetime.ts'
import { createMedia, recorded, SPOKEN } from '../../../../test/media.ts'
import { systemClock } from '../../../platform/clock.ts'
import { mediaUser } from '../live-calls/media-address.ts'

/** A media process rings the destinations of a ring plan and records the conversation. */
const setup = forAll(async () => {
  const media = await createMedia()
  return { media, server: await media.start() }
})

const phones: Destination = { kind: 'phones', steps: [{ devices: 'phones', seconds: 20 }] }
const forward: Destination = { kind: 'number', number: '442079460999', callerId: 'number', seconds: 30 }

let numbers = 0

/** A customer whose number rings the phones, then another number. */
async function createOwner(settings: { is_allowed?: boolean; announces?: boolean } = {}) {
  const { media } = setup()
  const userId = await media.newUser()
  const e164 = `4420794601${++numbers}`
  const plan = { ...defaultPlan('UTC'), destination: phones, fallback: forward }
  const rented = { db: media.db, clock: systemClock }
  const numberId = await rentNumber(rented, { id: userId }, e164, { plan, price: ZERO, records: true })
  await media.allowRecording(userId, settings)
  return { userId, numberId }
}

const place = (owner: { userId: number; numberId: number }, position = 0) => {
  const { media, server } = setup()
  return media.place(server, { kind: 'ring', id: position, ...owner })
}

const recordingsOf = async (userId: number) =>
  (await setup().media.recordings()).filter(({ user_id }) => user_id === userId)

async function storedSignatures(file: string): Promise<number[][]> {
  const stored = await setup().media.files.read({ file, storage: 'folder' })
  if (!stored) return []
  const { samples, channels } = stored
  return Array.from({ length: channels }, (_, channel) =>
    recognize(
      decodeG711(
        samples.filter((_sample, at) => at % channels === channel),
        'alaw',
      ),
    ),
  )
}

async function answeredCall(settings: Parameters<typeof createOwner>[0] = {}) {
  const { media } = setup()
  const owner = await createOwner(settings)
  const answered = Promise.withResolvers<Conversation>()
  media.answerLegs(async (leg) => answered.resolve(await leg.answer()))
  const placed = place(owner)
  const other = await answered.promise
  const heardThere = recorded(other)
  const call = await placed
  if (typeof call === 'number') throw new Error(`refused with ${call}`)
  return { media, owner, call, other, heardThere }
}

it('answers when somebody answers, announces the recording to both sides, and records them in stereo', async () => {
  const { media, owner, call, other, heardThere } = await answeredCall()
  await call.hears(SPOKEN)
  await expect.poll(heardThere).toEqual([SPOKEN])
  await expect.poll(async () => (await recordingsOf(owner.userId)).length).toBe(1)
  call.conversation.play(encode(signature(21, 600)))
  await expect.poll(heardThere).toEqual([SPOKEN, 21])
  other.play(encode(signature(22, 600)))
  await call.hears(SPOKEN, 22)
  other.hangUp()
  await expect.poll(call.isOver).toBe(true)
  await media.ended(call)
  const [row] = await recordingsOf(owner.userId)
  expect(row).toMatchObject({ state: 'ready', call_id: call.callId })
  expect(await storedSignatures(row?.file ?? '')).toEqual([[21], [22]])
})

it('is paused and resumed by the side that answered, with *5', async () => {
  const { media, owner, call, other, heardThere } = await answeredCall({ announces: false })
  await expect.poll(async () => (await recordingsOf(owner.userId)).length).toBe(1)
  const speak = async (number: number) => {
    // The silence lets the media process finish what has arrived late.
    await call.conversation.play(encode(join(signature(number, 600), silence(500)))).done
    await expect.poll(() => heardThere().at(-1)).toBe(number)
  }
  const keys: string[] = []
  call.conversation.onKey((key) => keys.push(key))
  /** The caller gets the keys too. */
  const press = async () => {
    other.press('*5')
    await expect.poll(() => keys.splice(0).at(-1)).toBe('5')
  }
  await speak(24)
  await press()
  await speak(25)
  await press()
  await speak(26)
  call.conversation.hangUp()
  await media.ended(call)
  const [row] = await recordingsOf(owner.userId)
  expect((await storedSignatures(row?.file ?? ''))[0]).toEqual([24, 26])
})

it('connects without a recording if the operator has taken the consent back', async () => {
  const { media, owner, call, other, heardThere } = await answeredCall({ is_allowed: false })
  call.conversation.play(encode(signature(23, 600)))
  await expect.poll(heardThere).toEqual([23])
  other.hangUp()
  await media.ended(call)
  expect(call.heard()).toEqual([])
  expect(await recordingsOf(owner.userId)).toEqual([])
})

it.each([
  ['nobody answers', (leg: IncomingCall) => leg.ring(), 480, 408],
  ['no phone is registered', () => {}, 480, 480],
  ['the line is busy', (leg: IncomingCall) => leg.ring(), 486, 486],
  ['the call is declined', (leg: IncomingCall) => leg.ring(), 603, 603],
  ['the leg fails', () => {}, 503, 480],
])(
  'leaves the call unanswered if %s, so that the next destination is tried',
  async (_what, ring, code, reply) => {
    const { media } = setup()
    const owner = await createOwner()
    media.answerLegs((leg) => {
      ring(leg)
      leg.reject(code, 'Some Reason')
    })
    expect(await place(owner)).toBe(reply)
    const rows = await media.db.selectFrom('media_calls').where('user_id', '=', owner.userId).execute()
    expect(rows).toEqual([])
    expect(await recordingsOf(owner.userId)).toEqual([])
  },
)

it('rings the destination at the position, and refuses as unavailable what the plan does not have', async () => {
  const { media } = setup()
  const owner = await createOwner()
  const rung = () =>
    media.db.selectFrom('media_legs').select('destination').where('user_id', '=', owner.userId).execute()
  let legs: Awaited<ReturnType<typeof rung>> = []
  // The leg is forgotten with the call.
  media.answerLegs(async (leg) => {
    legs = await rung()
    leg.reject(486, 'Busy Here')
  })
  expect(await place(owner, 1)).toBe(486)
  expect(legs).toEqual([{ destination: forward }])
  expect(await place(owner, 2)).toBe(503)
  expect(await place({ ...owner, userId: await media.newUser() })).toBe(503)
})

it('leaves the call to another process that has taken it over while it rang', async () => {
  const { media } = setup()
  const owner = await createOwner({ announces: false })
  const legs: IncomingCall[] = []
  media.answerLegs((leg) => {
    leg.ring()
    legs.push(leg)
  })
  const given = place(owner)
  await expect.poll(() => legs.length).toBe(1)
  const rowOf = () =>
    media.db
      .selectFrom('media_calls')
      .selectAll()
      .where('user_id', '=', owner.userId)
      .executeTakeFirstOrThrow()
  const { call_id: callId, media_id: first } = await rowOf()
  const second = await media.start()
  const taken = media.dial(second, mediaUser('ring', 0, { callId, switchId: 'sw1' }), callId)
  await expect.poll(() => legs.length).toBe(2)
  // The switch tries the next target after this code.
  legs[0]?.reject(480, 'Ended')
  expect(await given).toBe(503)
  await legs[1]?.answer()
  const call = await taken
  if (typeof call === 'number') throw new Error(`refused with ${call}`)
  const row = await rowOf()
  expect(row).toMatchObject({ call_id: callId, is_ringing: false, ended_at: null })
  expect(row.media_id).not.toBe(first)
  // It has been answered, so it is not taken over any more.
  expect(await media.dial(setup().server, mediaUser('ring', 0, { callId, switchId: 'sw1' }), callId)).toBe(
    482,
  )
  call.conversation.hangUp()
  await media.ended(call)
})
