import { SOUNDS_MAX } from '@trunkline/contract/limits'
import { readWav, writeWav } from '@trunkline/media/wav'
import { expect, it } from 'vitest'
import { createShop, racing, type Shop } from '../../../../test/catalogue.ts'
import type { SignedIn } from '../../../../test/portal.ts'
import { createSpeech } from './speech.ts'

/** A tone of 440 Hz. */
const tone = (seconds: number, { rate = 8_000, channels = 1, level = 8_000 } = {}): Buffer => {
  const samples = Int16Array.from({ length: seconds * rate }, (_, at) =>
    Math.round(Math.sin((2 * Math.PI * 440 * at) / rate) * level),
  )
  return writeWav(
    Array.from({ length: channels }, () => samples),
    rate,
  )
}

const soundsOf = (shop: Shop, { token }: SignedIn) => ({
  list: async () => (await shop.call('GET /api/sounds', { token })).answer.sounds,
  add: (name: string, wav: Buffer | string = tone(1), origin = 'upload') =>
    shop.call('POST /api/sounds', {
      token,
      body: { name, origin, wav: typeof wav === 'string' ? wav : wav.toString('base64') },
    }),
  rename: (id: number, name: string) =>
    shop.call('PATCH /api/sounds/:id', { token, params: { id }, body: { name } }),
  remove: (id: number) => shop.call('DELETE /api/sounds/:id', { token, params: { id } }),
  audio: (id: number, headers: Record<string, string> = {}) =>
    shop.api.inject({
      url: `/api/sounds/${id}/audio`,
      headers: { authorization: `Bearer ${token}`, ...headers },
    }),
  speak: (payload: object) =>
    shop.api.inject({
      method: 'POST',
      url: '/api/speech',
      headers: { authorization: `Bearer ${token}` },
      payload,
    }),
})

async function withSound() {
  const shop = await createShop()
  const mine = soundsOf(shop, shop.alice)
  const { sound } = (await mine.add('Welcome')).answer
  return { shop, mine, id: sound.id }
}

const loudest = (file: Buffer): number => {
  const wav = readWav(file)
  if (!wav.ok) throw new Error(wav.fault)
  return wav.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
}

it('keeps a recording as callers hear it: one channel, 8 kHz, at the usual loudness', async () => {
  const { shop, mine } = await withSound()
  const quiet = await mine.add('Quiet', tone(2, { rate: 48_000, channels: 2, level: 900 }), 'microphone')
  expect(quiet).toMatchObject({ status: 200, answer: { sound: { origin: 'microphone', seconds: 2 } } })
  expect(quiet.answer.sound).toMatchObject({ used_by: [], created_at: shop.clock.now().toISOString() })
  const { headers, rawPayload } = await mine.audio(quiet.answer.sound.id)
  expect(headers).toMatchObject({
    'content-type': 'audio/wav',
    'content-length': String(44 + 2 * 16_000),
    'content-disposition': `inline; filename="Quiet.wav"; filename*=UTF-8''Quiet.wav`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  })
  expect(loudest(rawPayload)).toBeGreaterThan(3_000)
  expect(loudest(rawPayload) / loudest((await mine.audio(1)).rawPayload)).toBeCloseTo(1, 1)
  expect((await mine.list()).map(({ name }) => name)).toEqual(['Quiet', 'Welcome'])
})

it('names a file by its name, whatever signs it has', async () => {
  const { mine, id } = await withSound()
  await mine.rename(id, 'Grüße "1"/\r\n2')
  expect((await mine.audio(id)).headers['content-disposition']).toBe(
    `inline; filename="Gr__e _1____2.wav"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22%2F%0D%0A2.wav`,
  )
})

const compressed = () => {
  const file = tone(1)
  file.writeUInt16LE(0x11, 20)
  return file
}

it.each([
  ['that is no WAV file', Buffer.from('ID3 this is an MP3'), 'This is not a WAV file.'],
  ['that is no base64', 'so not base64!', 'This is not a WAV file.'],
  ['that is longer than two minutes', tone(120.1), 'This sound is longer than two minutes.'],
  ['without samples', tone(0), 'This file contains no sound.'],
  ['that is silent', tone(1, { level: 0 }), 'This sound is silent.'],
  ['that is compressed', compressed(), 'This WAV file is compressed. Save it as PCM with 16 bits.'],
])('refuses a file %s', async (_kind, file, message) => {
  const { mine } = await withSound()
  expect(await mine.add('Wrong', file)).toMatchObject({
    status: 400,
    code: 'sound_invalid',
    message,
    answer: { error: { fields: [{ field: 'wav', message }] } },
  })
  expect(await mine.list()).toHaveLength(1)
})

it('encodes two minutes of stereo at 48 kHz in a thread of its own', async () => {
  const { shop, mine } = await withSound()
  const wav = tone(120, { rate: 48_000, channels: 2 }).toString('base64')
  const caller = { userId: shop.alice.id, isAdmin: false }
  const before = { own: process.threadCpuUsage(), all: process.cpuUsage() }
  await shop.services.sounds.add(caller, { name: 'Long', origin: 'upload', wav })
  const own = process.threadCpuUsage(before.own)
  const all = process.cpuUsage(before.all)
  expect((await mine.list()).find(({ name }) => name === 'Long')?.seconds).toBe(120)
  expect((own.user + own.system) / (all.user + all.system)).toBeLessThan(0.3)
})

it('renames a sound, but not to a name that is taken', async () => {
  const { mine, id } = await withSound()
  await mine.add('Goodbye')
  expect((await mine.rename(id, 'Hello')).answer.sound).toMatchObject({ id, name: 'Hello' })
  expect(await mine.rename(id, 'Goodbye')).toMatchObject({ status: 409, code: 'name_taken' })
  expect(await mine.add('Goodbye')).toMatchObject({
    status: 409,
    code: 'name_taken',
    answer: { error: { fields: [{ field: 'name' }] } },
  })
})

it('shows and plays sounds to nobody else', async () => {
  const { shop, mine, id } = await withSound()
  const theirs = soundsOf(shop, shop.paula)
  expect(await theirs.list()).toEqual([])
  const tried = [await theirs.rename(id, 'Mine'), await theirs.remove(id)]
  expect(tried.map(({ status }) => status)).toEqual([404, 404])
  expect((await theirs.audio(id)).statusCode).toBe(404)
  expect((await soundsOf(shop, shop.root).audio(id)).statusCode).toBe(404)
  expect(await mine.list()).toMatchObject([{ name: 'Welcome' }])
})

it('deletes no sound that a draft, a published flow or the greeting plays', async () => {
  const { shop, mine, id } = await withSound()
  const { token } = shop.alice
  const at = { name: '', x: 0, y: 0 }
  const end = { ...at, id: 'end', kind: 'hangup', exits: {} }
  const flow = (soundId: number | null) => ({
    start: 'say',
    steps: [
      soundId === null
        ? { ...end, id: 'say' }
        : {
            ...at,
            id: 'say',
            kind: 'voicemail',
            greeting: { kind: 'file', soundId },
            maxSeconds: 60,
            exits: { next: 'end', failed: 'end' },
          },
      ...(soundId === null ? [] : [end]),
    ],
  })
  const created = await shop.call('POST /api/flows', { token, body: { name: 'Night', flow: flow(id) } })
  const params = { id: created.answer.flow.id }
  const inUse = { status: 409, code: 'sound_in_use' }
  expect(await mine.list()).toMatchObject([{ used_by: ['Night'] }])
  expect(await mine.remove(id)).toMatchObject(inUse)
  const publish = (version: number) =>
    shop.call('POST /api/flows/:id/publish', { token, params, body: { version } })
  expect((await publish(1)).status).toBe(200)
  await shop.call('PATCH /api/flows/:id', { token, params, body: { flow: flow(null), version: 1 } })
  // Calls still use the published version.
  expect(await mine.list()).toMatchObject([{ used_by: ['Night'] }])
  expect(await mine.remove(id)).toMatchObject(inUse)
  expect((await publish(2)).status).toBe(200)
  expect(await mine.list()).toMatchObject([{ used_by: [] }])
  const { db } = shop.services
  await db
    .insertInto('voicemail_settings')
    .values({ user_id: shop.alice.id, greeting_sound_id: id })
    .execute()
  expect(await mine.remove(id)).toMatchObject(inUse)
  await db.updateTable('voicemail_settings').set({ greeting_sound_id: null }).execute()
  expect(await mine.remove(id)).toMatchObject({ status: 200, message: 'Sound deleted.' })
})

it('never publishes a flow whose sound is being deleted', async () => {
  const { shop, mine, id } = await withSound()
  const { token } = shop.alice
  const end = { name: '', x: 0, y: 0, id: 'end', kind: 'hangup', exits: {} }
  const exits = { next: 'end', failed: 'end' }
  const say = { ...end, id: 'say', kind: 'play', sound: { kind: 'file', soundId: id }, exits }
  const body = { name: 'Night', flow: { start: 'say', steps: [say, end] } }
  const { flow } = (await shop.call('POST /api/flows', { token, body })).answer
  const [published] = await racing(
    shop,
    async (tx) => tx.deleteFrom('sounds').where('id', '=', id).execute(),
    () => [
      shop.call('POST /api/flows/:id/publish', { token, params: { id: flow.id }, body: { version: 1 } }),
    ],
  )
  expect(published).toMatchObject({ status: 409, code: 'flow_has_problems' })
  expect(await mine.list()).toEqual([])
})

it('sends the parts of a file that are requested', async () => {
  const { mine, id } = await withSound()
  const whole = (await mine.audio(id)).rawPayload
  const size = whole.length
  const part = async (range: string, headers = {}) => {
    const response = await mine.audio(id, { range, ...headers })
    return [response.statusCode, response.headers['content-range'], response.rawPayload] as const
  }
  expect(await part('bytes=0-3')).toEqual([206, `bytes 0-3/${size}`, whole.subarray(0, 4)])
  expect(await part('bytes=100-')).toEqual([206, `bytes 100-${size - 1}/${size}`, whole.subarray(100)])
  expect(await part('bytes=-10')).toEqual([
    206,
    `bytes ${size - 10}-${size - 1}/${size}`,
    whole.subarray(-10),
  ])
  expect(await part('bytes=0-999999')).toEqual([206, `bytes 0-${size - 1}/${size}`, whole])
  expect(await part('bytes=-999999')).toEqual([206, `bytes 0-${size - 1}/${size}`, whole])
  // Not a single range of bytes, or of another version: the whole file.
  for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'bytes=-', 'items=0-1', 'bytes=a-b'])
    expect(await part(range)).toEqual([200, undefined, whole])
  expect(await part('bytes=0-3', { 'if-range': '"other"' })).toEqual([200, undefined, whole])
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const [status, contentRange] = await part(range)
    expect([status, contentRange]).toEqual([416, `bytes */${size}`])
  }
})

it('speaks a text once for all customers, and forgets texts that nobody uses', async () => {
  const { shop, mine } = await withSound()
  const { db, speech } = shop.services
  const spoken = await mine.speak({ text: 'Press one.', language: 'en' })
  expect(spoken.headers['content-type']).toBe('audio/wav')
  expect(loudest(spoken.rawPayload)).toBeGreaterThan(1_000)
  const keys = () => db.selectFrom('spoken_texts').selectAll().execute()
  expect(await keys()).toHaveLength(1)
  await db
    .updateTable('spoken_texts')
    .set({ alaw: Buffer.alloc(800, 0xd5) })
    .execute()
  const again = await soundsOf(shop, shop.paula).speak({ text: ' Press one. ', language: 'en' })
  expect(again.rawPayload).toHaveLength(44 + 1_600)
  await mine.speak({ text: 'Drücken Sie die Eins.', language: 'de' })
  expect(await keys()).toHaveLength(2)
  shop.clock.advance(59 * 24 * 3_600_000)
  await speech.say('Press one.', 'en')
  shop.clock.advance(2 * 24 * 3_600_000)
  await speech.forgetUnused()
  const [kept] = await keys()
  expect(kept?.alaw).toHaveLength(800)
  // The table has a limit: texts with variables differ in every call.
  await speech.say('Press two.', 'en')
  await speech.forgetUnused({ texts: 1 })
  expect((await keys()).map(({ key }) => key)).not.toContain(kept?.key)
  expect(await keys()).toHaveLength(1)
})

it('keeps at most 2 GB of spoken texts, those that were used last', async () => {
  const { shop } = await withSound()
  const { db, clock } = shop.services
  const speech = createSpeech(db, clock, async () => ({ alaw: Buffer.alloc(500), ulaw: Buffer.alloc(500) }))
  for (const text of ['One', 'Two', 'Three']) {
    await speech.say(text, 'en')
    shop.clock.advance(1_000)
  }
  const keys = async () => await db.selectFrom('spoken_texts').select('key').orderBy('used_at').execute()
  const [, two, three] = await keys()
  await speech.forgetUnused()
  expect(await keys()).toHaveLength(3)
  await speech.forgetUnused({ bytes: 2_999 })
  expect(await keys()).toEqual([two, three])
})

it('cuts a spoken text after two minutes', async () => {
  const { shop } = await withSound()
  const { db, clock } = shop.services
  const long = Buffer.alloc(600 * 8_000)
  const speech = createSpeech(db, clock, async () => ({ alaw: long, ulaw: long }))
  const bytes = async () => {
    const spoken = await speech.say('1 2 3', 'en')
    return [spoken?.alaw.length, spoken?.ulaw.length]
  }
  // Spoken, and then kept.
  expect(await bytes()).toEqual([960_000, 960_000])
  expect(await bytes()).toEqual([960_000, 960_000])
})

it('limits sounds, and how many are added and spoken in an hour', async () => {
  const { shop, mine } = await withSound()
  const row = { user_id: shop.alice.id, origin: 'upload' as const, seconds: 1, created_at: shop.clock.now() }
  const laws = { alaw: Buffer.alloc(1), ulaw: Buffer.alloc(1) }
  await shop.services.db
    .insertInto('sounds')
    .values(
      Array.from({ length: SOUNDS_MAX - 1 }, (_, index) => ({ ...row, ...laws, name: `Sound ${index}` })),
    )
    .execute()
  expect(await mine.add('One more')).toMatchObject({ status: 409, code: 'too_many_sounds' })
  const tries = await Promise.all(Array.from({ length: 60 }, () => mine.add('Again', 'AAAA')))
  expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
})
