import { SOUNDS_MAX, VOICEMAIL_MESSAGES_MAX } from '@trunkline/contract/limits'
import { encode } from '@trunkline/media/encode'
import type { Conversation } from '@trunkline/media/endpoint'
import { decodeG711 } from '@trunkline/media/g711'
import { join, recognize, signature, silence } from '@trunkline/media/tones'
import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import {
  createMedia,
  type MediaCall,
  pathOf,
  recorded,
  recordedMenu,
  SPOKEN,
  stepOf,
} from '../../../../test/media.ts'

const setup = forAll(async () => {
  const media = await createMedia()
  return { media, server: await media.start() }
})

const speak = ({ conversation }: MediaCall, number: number, ms: number) =>
  conversation.play(encode(signature(number, ms))).done

const voicemailsOf = async (userId: number) =>
  (await setup().media.voicemails()).filter(({ user_id }) => user_id === userId)

/** Signatures in a stored sound: of the only channel, or of left and right. */
async function storedSignatures(file: string): Promise<number[][]> {
  const sound = await setup().media.files.read({ file, storage: 'folder' })
  if (!sound) throw new Error('no file')
  const side = (channel: number) =>
    recognize(
      decodeG711(
        sound.samples.filter((_, at) => at % sound.channels === channel),
        'alaw',
      ),
    )
  return Array.from({ length: sound.channels }, (_, channel) => side(channel))
}

/** Leaves a message after the greeting and the beep. */
async function leaveMessage(userId: number, number: number): Promise<void> {
  const { media, server } = setup()
  const call = await media.call(server, { kind: 'voicemail', id: userId, userId })
  await recording(userId)
  await speak(call, number, 1_500)
  call.conversation.hangUp()
  await media.ended(call)
}

const recording = (userId: number) =>
  expect.poll(async () => (await voicemailsOf(userId)).some(({ state }) => state === 'recording')).toBe(true)

describe('voicemail', () => {
  it('plays the greeting, records, and keeps the message as soon as the caller hangs up', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const call = await media.call(server, { kind: 'voicemail', id: userId, userId })
    await recording(userId)
    expect(call.heard()).toEqual([SPOKEN])
    await speak(call, 11, 1_500)
    call.conversation.hangUp()
    await expect.poll(() => voicemailsOf(userId)).toMatchObject([{ state: 'new' }])
    const [message] = await voicemailsOf(userId)
    expect(message).toMatchObject({
      call_id: call.callId,
      caller: '12025550100',
      caller_name: 'Berlin Office',
      number: '442079460000',
    })
    expect(Number(message?.seconds)).toBeGreaterThan(1.3)
    expect(await storedSignatures(message?.file ?? '')).toEqual([[11]])
    expect(pathOf(await media.ended(call))).toEqual(['voicemail: null', 'ended: caller'])
  })

  it('ends a message after silence or a key, and the flow goes on', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const id = await media.newFlow(userId, [
      stepOf('voicemail', 'voicemail', { greeting: null, maxSeconds: 60 }, { next: 'thanks' }),
      stepOf('play', 'thanks', { sound: await media.newSound(userId, 12) }),
    ])
    await media.db
      .insertInto('voicemail_settings')
      .values({ user_id: userId, greeting_sound_id: await soundId(userId, 13) })
      .execute()
    for (const endsByKey of [true, false]) {
      const call = await media.call(server, { id, userId })
      await recording(userId)
      await speak(call, 14, 1_500)
      if (endsByKey) call.conversation.press('#')
      await call.hears(13, 12)
      expect(pathOf(await media.ended(call))).toEqual(['voicemail: next', 'thanks: next', 'ended: no_exit'])
    }
    const messages = await voicemailsOf(userId)
    expect(messages.map(({ state }) => state)).toEqual(['new', 'new'])
    // The second one ended by 4 seconds of silence.
    expect(Number(messages[1]?.seconds)).toBeGreaterThan(5)
    expect(Number(messages[0]?.seconds)).toBeLessThan(3)
  })

  it('says that the mailbox is full instead of the greeting, and takes no message', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    await media.db
      .insertInto('voicemail_settings')
      .values({ user_id: userId, greeting_sound_id: await soundId(userId, 28) })
      .execute()
    const id = await media.newFlow(userId, [
      stepOf('voicemail', 'voicemail', { greeting: null, maxSeconds: 60 }, { failed: 'sorry' }),
      stepOf('play', 'sorry', { sound: await media.newSound(userId, 29) }),
    ])
    const row = { user_id: userId, call_id: 'call', number: '1', caller: '2', caller_name: '', seconds: 1 }
    const stored = { ...row, started_at: new Date(), state: 'new' as const, media_id: 'media' }
    await media.db
      .insertInto('voicemails')
      .values(Array.from({ length: VOICEMAIL_MESSAGES_MAX }, (_, at) => ({ ...stored, file: `full-${at}` })))
      .execute()
    const plain = await media.call(server, { kind: 'voicemail', id: userId, userId })
    expect(pathOf(await media.ended(plain))).toEqual(['voicemail: failed', 'ended: no_exit'])
    await plain.hears(SPOKEN)
    const inFlow = await media.call(server, { id, userId })
    expect(pathOf(await media.ended(inFlow))).toEqual(['voicemail: failed', 'sorry: next', 'ended: no_exit'])
    await inFlow.hears(SPOKEN, 29)
    expect(await voicemailsOf(userId)).toHaveLength(VOICEMAIL_MESSAGES_MAX)
    await media.db.deleteFrom('voicemails').where('user_id', '=', userId).execute()
  })

  it('drops a message without speech', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const call = await media.call(server, { kind: 'voicemail', id: userId, userId })
    await recording(userId)
    await speak(call, 15, 300)
    call.conversation.hangUp()
    await media.ended(call)
    expect(await voicemailsOf(userId)).toEqual([])
  })
})

const soundId = async (userId: number, number: number): Promise<number> => {
  const sound = await setup().media.newSound(userId, number)
  return sound.kind === 'file' ? sound.soundId : 0
}

describe('the mailbox', () => {
  it('plays new messages in order and repeats, deletes and marks them as read', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    await leaveMessage(userId, 16)
    await leaveMessage(userId, 17)
    const call = await media.call(server, { kind: 'mailbox', id: userId, userId })
    await call.hears(SPOKEN, 16, SPOKEN)
    call.conversation.press('1')
    await call.hears(SPOKEN, 16, SPOKEN, 16, SPOKEN)
    call.conversation.press('2')
    await call.hears(SPOKEN, 16, SPOKEN, 16, SPOKEN, 17, SPOKEN)
    call.conversation.press('3')
    await expect.poll(() => voicemailsOf(userId)).toMatchObject([{ state: 'read' }])
    call.conversation.press('*')
    await media.ended(call)
    await expect.poll(call.isOver).toBe(true)
  })

  it('keeps a message whose file cannot be deleted, and goes on with the next one', async () => {
    const { media } = setup()
    const userId = await media.newUser()
    await leaveMessage(userId, 26)
    await leaveMessage(userId, 27)
    const sounds = { ...media.files, remove: () => Promise.reject(new Error('the object store is away')) }
    const server = await media.start({ sounds })
    const call = await media.call(server, { kind: 'mailbox', id: userId, userId })
    await call.hears(SPOKEN, 26, SPOKEN)
    call.conversation.press('3')
    await call.hears(SPOKEN, 26, SPOKEN, 27, SPOKEN)
    call.conversation.press('*')
    await media.ended(call)
    expect(await voicemailsOf(userId)).toMatchObject([{ state: 'read' }, { state: 'read' }])
    await server.close()
  })

  it('records the greeting that callers then hear', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const call = await media.call(server, { kind: 'mailbox', id: userId, userId })
    await call.hears(SPOKEN)
    call.conversation.press('9')
    await call.hears(SPOKEN, SPOKEN)
    // The beep follows.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await speak(call, 18, 1_200)
    call.conversation.press('#')
    await media.ended(call)
    const rows = await media.db.selectFrom('sounds').selectAll().where('user_id', '=', userId).execute()
    expect(rows).toMatchObject([{ origin: 'phone' }])
    const caller = await media.call(server, { kind: 'voicemail', id: userId, userId })
    await caller.hears(18)
    caller.conversation.hangUp()
    await media.ended(caller)
  })
})

/** Records by phone in the mailbox, after the prompt and its beep. */
async function recordWithKey(userId: number, key: string, number: number): Promise<void> {
  const { media, server } = setup()
  const call = await media.call(server, { kind: 'mailbox', id: userId, userId })
  await call.hears(SPOKEN)
  call.conversation.press(key)
  await call.hears(SPOKEN, SPOKEN)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  // Long enough even if the beep is late.
  await speak(call, number, 3_000)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  call.conversation.press('#')
  await call.hears(SPOKEN, SPOKEN, SPOKEN)
  call.conversation.hangUp()
  await media.ended(call)
}

describe('a sound that is recorded by phone', () => {
  it('is in the library, ends with the speech, and is not the greeting', async () => {
    const { media } = setup()
    const userId = await media.newUser()
    await recordWithKey(userId, '8', 22)
    const rows = await media.db.selectFrom('sounds').selectAll().where('user_id', '=', userId).execute()
    expect(rows).toMatchObject([{ origin: 'phone', name: expect.stringContaining('Recorded by phone') }])
    const samples = decodeG711(rows[0]?.alaw ?? new Uint8Array(), 'alaw')
    expect(recognize(samples)).toEqual([22])
    expect(recognize(samples.subarray(-4_800))).toEqual([22])
    const settings = media.db.selectFrom('voicemail_settings').selectAll().where('user_id', '=', userId)
    expect(await settings.execute()).toEqual([])
  })

  it('is not saved in a full library', async () => {
    const { media } = setup()
    const userId = await media.newUser()
    const sound = { alaw: Buffer.of(1), ulaw: Buffer.of(1), seconds: 1, origin: 'upload' as const }
    const rows = Array.from({ length: SOUNDS_MAX }, (_, index) => ({
      ...sound,
      user_id: userId,
      name: `Sound ${index}`,
      created_at: new Date(),
    }))
    await media.db.insertInto('sounds').values(rows).execute()
    await recordWithKey(userId, '8', 23)
    const saved = await media.db.selectFrom('sounds').select('id').where('user_id', '=', userId).execute()
    expect(saved).toHaveLength(SOUNDS_MAX)
  })
})

describe('a recording', () => {
  it('has the caller on the left and the flow on the right, and ends with the call', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const question = await media.newSound(userId, 19)
    const id = await media.newFlow(userId, recordedMenu(question))
    const refused = await media.call(server, { id, userId })
    await refused.hears(19)
    refused.conversation.hangUp()
    expect(pathOf(await media.ended(refused))[0]).toBe('record: failed')

    await media.allowRecording(userId)
    const call = await media.call(server, { id, userId })
    await call.hears(19)
    await speak(call, 21, 600)
    call.conversation.hangUp()
    expect(pathOf(await media.ended(call))[0]).toBe('record: next')
    const [row, ...others] = (await media.recordings()).filter(({ user_id }) => user_id === userId)
    expect(others).toEqual([])
    expect(row).toMatchObject({ state: 'ready', call_id: call.callId })
    expect(await storedSignatures(row?.file ?? '')).toEqual([[21], [19]])
  })

  it('begins with the call and an announcement if the account records everything, and *5 pauses it', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    await media.allowRecording(userId, { records_all: true })
    const destination = { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] } as const
    const id = await media.newFlow(userId, [stepOf('ring', 'ring', { destination })])
    const answered = Promise.withResolvers<Conversation>()
    media.answerLegs(async (leg) => answered.resolve(await leg.answer()))
    const call = await media.call(server, { id, userId })
    await call.hears(SPOKEN)
    const other = await answered.promise
    const heardThere = recorded(other)
    const keys: string[] = []
    other.onKey((key) => keys.push(key))
    // Until both are connected.
    await expect
      .poll(async () => {
        await other.play(encode(signature(25, 600))).done
        return call.heard().at(-1)
      })
      .toBe(25)
    const say = async (number: number) => {
      // The silence lets the media process finish what has arrived late.
      await call.conversation.play(encode(join(signature(number, 600), silence(500)))).done
      await expect.poll(() => heardThere().at(-1)).toBe(number)
    }
    /** The other side gets the keys too. */
    const press = async () => {
      call.conversation.press('*5')
      await expect.poll(() => keys.splice(0).at(-1)).toBe('5')
    }
    await say(22)
    await press()
    await say(23)
    await press()
    await say(24)
    call.conversation.hangUp()
    await media.ended(call)
    const [row] = (await media.recordings()).filter(({ user_id }) => user_id === userId)
    expect((await storedSignatures(row?.file ?? ''))[0]).toEqual([22, 24])
  })
})
