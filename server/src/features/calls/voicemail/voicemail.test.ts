import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startObjectStore } from '../../../../test/object-store.ts'
import { createSoundShop } from '../../../../test/sounds.ts'
import { listen } from '../../../platform/listen.ts'
import type { Mail } from '../../../platform/mailer.ts'
import { createVoicemailMailing } from './mailing.ts'

const DAY_MS = 86_400_000

it('lists finished messages with their caller, and plays them as WAV', async () => {
  const shop = await createSoundShop()
  const { alice, paula } = shop
  const id = await shop.leaveMessage(alice, { seconds: 2.5 })
  await shop.beginMessage(alice)
  const { answer } = await shop.call('GET /api/voicemail', { token: alice.token })
  expect(answer).toEqual({
    messages: [
      {
        id,
        caller: '+4930123456',
        caller_name: 'Berlin office',
        caller_country: 'Germany',
        caller_country_code: 'DE',
        number: '+442079460001',
        started_at: '2026-03-01T12:00:00.000Z',
        seconds: 2.5,
        is_new: true,
        expires_at: '2026-03-31T12:00:00.000Z',
      },
    ],
    next: null,
    counts: { new: 1, read: 0 },
  })
  const file = await shop.download(`/api/voicemail/${id}/audio`, alice)
  expect(file.statusCode).toBe(200)
  expect(file.headers['content-type']).toBe('audio/wav')
  expect(file.rawPayload.subarray(0, 4).toString()).toBe('RIFF')
  expect(file.rawPayload).toHaveLength(58 + 20_000)
  const stranger = await shop.call('GET /api/voicemail', { token: paula.token })
  expect(stranger.answer.messages).toEqual([])
})

it('pages through messages and filters them', async () => {
  const shop = await createSoundShop()
  const { token } = shop.alice
  const ids: number[] = []
  for (let count = 0; count < 5; count++) ids.push(await shop.leaveMessage(shop.alice))
  const list = async (query: object) =>
    (await shop.call('GET /api/voicemail', { token, query: { ...query } })).answer
  await shop.call('PATCH /api/voicemail', { token, body: { ids: [ids[1], ids[3]], is_new: false } })
  const first = await list({ limit: 2 })
  expect(first.messages.map(({ id }) => id)).toEqual([ids[4], ids[3]])
  const second = await list({ limit: 2, after: first.next })
  expect(second.messages.map(({ id }) => id)).toEqual([ids[2], ids[1]])
  expect((await list({ state: 'read' })).messages.map(({ id }) => id)).toEqual([ids[3], ids[1]])
  expect((await list({ state: 'new' })).messages).toHaveLength(3)
  expect(second.counts).toEqual({ new: 3, read: 2 })
})

it('neither shows, marks, plays nor deletes the messages of somebody else', async () => {
  const shop = await createSoundShop()
  const { alice, paula, root } = shop
  const id = await shop.leaveMessage(alice)
  for (const { token } of [paula, root]) {
    await shop.call('PATCH /api/voicemail', { token, body: { ids: [id], is_new: false } })
    await shop.call('POST /api/voicemail/delete', { token, body: { ids: [id] } })
    const played = await shop.call('GET /api/voicemail/:id/audio', { token, params: { id } })
    expect(played).toMatchObject({ status: 404, code: 'not_found' })
  }
  const { answer } = await shop.call('GET /api/voicemail', { token: alice.token })
  expect(answer.messages).toMatchObject([{ id, is_new: true }])
  expect(await shop.files()).toHaveLength(1)
})

it('deletes messages with their files, and drops messages without sound', async () => {
  const shop = await createSoundShop()
  const { token } = shop.alice
  const ids = [await shop.leaveMessage(shop.alice), await shop.leaveMessage(shop.alice)]
  await (await shop.beginMessage(shop.alice)).finish()
  const discarded = await shop.beginMessage(shop.alice)
  discarded.append(new Uint8Array(9_000))
  await discarded.discard()
  expect(await shop.files()).toHaveLength(2)
  const deleted = await shop.call('POST /api/voicemail/delete', { token, body: { ids } })
  expect(deleted.message).toBe('Messages deleted')
  expect(await shop.files()).toEqual([])
  expect((await shop.call('GET /api/voicemail', { token })).answer.messages).toEqual([])
})

it('finishes messages of a media process that is gone, with the sound that was written', async () => {
  const shop = await createSoundShop()
  const { voicemailWriting } = shop.services
  const dead = await shop.beginMessage(shop.alice, { mediaId: 'dead' })
  dead.append(new Uint8Array(20_000))
  await shop.beginMessage(shop.alice, { mediaId: 'dead' })
  const living = await shop.beginMessage(shop.alice, { mediaId: 'living' })
  await expect
    .poll(async () => (await shop.services.soundFiles.read(await fileOf(dead.id)))?.samples.length)
    .toBe(16_000)
  await Promise.all([1, 2].map(() => voicemailWriting.finishAbandoned(['dead'])))
  const { answer } = await shop.call('GET /api/voicemail', { token: shop.alice.token })
  expect(answer.messages).toMatchObject([{ id: dead.id, seconds: 2 }])
  living.append(new Uint8Array(8_000))
  await living.finish()
  expect((await shop.call('GET /api/voicemail/counts', { token: shop.alice.token })).answer.counts.new).toBe(
    2,
  )

  async function fileOf(id: number) {
    const { rows } = await sql<{ file: string; storage: 'folder' }>`
      select file, storage from voicemails where id = ${id}`.execute(shop.services.db)
    if (!rows[0]) throw new Error('no such message')
    return rows[0]
  }
})

it('tells call control when the number of new messages may have changed', async () => {
  const shop = await createSoundShop()
  const heard: string[] = []
  const started = Promise.withResolvers<void>()
  const listener = listen({
    url: shop.database.url,
    channels: { call_control: (payload) => heard.push(payload) },
    onListening: () => started.resolve(),
    onError: (error) => started.reject(error),
  })
  await started.promise
  const told = async () => {
    await listener.caughtUp()
    return heard.splice(0).filter((payload) => payload === `voicemail:${shop.alice.id}`).length
  }
  const caller = { userId: shop.alice.id, isAdmin: false }
  const id = await shop.leaveMessage(shop.alice)
  expect(await told()).toBe(2)
  await shop.services.voicemail.mark(caller, [id], false)
  expect(await told()).toBe(1)
  await shop.services.voicemail.mark(caller, [id], false)
  expect(await told()).toBe(0)
  await shop.services.voicemail.remove(caller, [id])
  expect(await told()).toBe(1)
  await listener.close()
})

it('mails each message once to the verified address, with the sound', async () => {
  const shop = await createSoundShop()
  const { alice } = shop
  await shop.verify(alice)
  const early = await shop.leaveMessage(alice)
  await shop.services.voicemailMailing.run()
  const settings = {
    greeting_sound_id: null,
    greeting_text: '',
    language: 'en',
    mails: true,
    attaches: true,
    days_kept: 30,
    version: 0,
  }
  await shop.call('PUT /api/voicemail/settings', { token: alice.token, body: settings })
  const id = await shop.leaveMessage(alice, { seconds: 65 })
  await Promise.all([1, 2, 3].map(() => shop.services.voicemailMailing.run()))
  await shop.services.voicemailMailing.run()
  const mails = await shop.mails(1)
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatchObject({
    to: ['alice@example.com'],
    subject: 'Trunkline: New voicemail from +4930123456',
    attachments: [{ name: `voicemail-2026-03-01-${id}.wav`, type: 'audio/wav', bytes: 58 + 65 * 8_000 }],
  })
  for (const fact of ['Berlin office', '+442079460001', '1:05', `/dashboard/voicemail?message=${id}`])
    expect(mails[0]?.text).toContain(fact)
  expect(mails[0]?.text).not.toContain(`message=${early}\n`)
})

it('mails each message once while the mail server is slow, and locks no message meanwhile', async () => {
  const shop = await createSoundShop()
  const { db, voicemail } = shop.services
  await shop.verify(shop.alice)
  const caller = { userId: shop.alice.id, isAdmin: false }
  const { mail_address, ...settings } = await voicemail.showSettings(caller)
  await voicemail.changeSettings(caller, { ...settings, mails: true })
  const ids = [await shop.leaveMessage(shop.alice), await shop.leaveMessage(shop.alice)]
  const sent: (string | undefined)[] = []
  const accepted = ids.map(() => Promise.withResolvers<void>())
  const nameOf = (id: number) => `<voicemail-${id}@example.com>`
  const mailer = {
    async send({ messageId }: Mail) {
      sent.push(messageId)
      await accepted[ids.findIndex((id) => nameOf(id) === messageId)]?.promise
    },
  }
  const { run } = createVoicemailMailing({
    ...shop.services,
    sounds: shop.services.soundFiles,
    mailer,
    publicUrl: 'https://example.com',
    siteName: 'T',
  })
  const runs = [run(), run()]
  await expect.poll(() => sent.length).toBe(2)
  const listened = voicemail.mark(caller, ids, false).then(() => 'marked')
  const outcome = await Promise.race([listened, pause(5_000, 'locked')])
  // As after the longest pause that the database allows.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`.execute(db)
  // The run of the last message has nothing left to do.
  accepted[1]?.resolve()
  await Promise.race(runs)
  accepted[0]?.resolve()
  await Promise.all(runs)
  expect(outcome).toBe('marked')
  await run()
  expect(sent.toSorted()).toEqual(ids.map(nameOf))
})

it('keeps a mail that cannot be sent for the next run, and gives up after a day', async () => {
  const shop = await createSoundShop({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const { db, voicemail, voicemailMailing } = shop.services
  await shop.verify(shop.alice)
  const caller = { userId: shop.alice.id, isAdmin: false }
  const { mail_address, ...settings } = await voicemail.showSettings(caller)
  await voicemail.changeSettings(caller, { ...settings, mails: true })
  await shop.leaveMessage(shop.alice)
  const isDone = async () =>
    (await db.selectFrom('voicemails').select('mail_done_at').executeTakeFirstOrThrow()).mail_done_at !== null
  await voicemailMailing.run()
  expect(await isDone()).toBe(false)
  shop.clock.advance(DAY_MS)
  await voicemailMailing.run()
  expect(await isDone()).toBe(true)
})

it('deletes messages and files when their retention ends', async () => {
  const shop = await createSoundShop()
  const { voicemail } = shop.services
  const caller = { userId: shop.alice.id, isAdmin: false }
  const { mail_address, ...settings } = await voicemail.showSettings(caller)
  await voicemail.changeSettings(caller, { ...settings, days_kept: 7 })
  await shop.leaveMessage(shop.alice)
  await shop.leaveMessage(shop.paula)
  const count = async () => (await shop.services.db.selectFrom('voicemails').select('id').execute()).length
  shop.clock.advance(7 * DAY_MS - 1_000)
  await voicemail.deleteExpired()
  expect(await count()).toBe(2)
  shop.clock.advance(1_000)
  await voicemail.deleteExpired()
  expect([await count(), (await shop.files()).length]).toEqual([1, 1])
  shop.clock.advance(23 * DAY_MS)
  await voicemail.deleteExpired()
  expect([await count(), (await shop.files()).length]).toEqual([0, 0])
})

it('saves settings, and refuses foreign sounds, old versions and mails without a verified address', async () => {
  const shop = await createSoundShop()
  const { token } = shop.alice
  const { answer } = await shop.call('GET /api/voicemail/settings', { token })
  expect(answer.settings).toEqual({
    greeting_sound_id: null,
    greeting_text: '',
    language: 'en',
    mails: false,
    attaches: true,
    days_kept: 30,
    version: 0,
    mail_address: null,
  })
  const { mail_address, ...given } = answer.settings
  const save = (change: object) =>
    shop.call('PUT /api/voicemail/settings', { token, body: { ...given, ...change } })
  expect(await save({ mails: true })).toMatchObject({ code: 'email_unverified' })
  const foreign = await shop.services.db
    .insertInto('sounds')
    .values({
      user_id: shop.paula.id,
      name: 'Hello',
      origin: 'upload',
      seconds: 1,
      alaw: Buffer.alloc(8_000),
      ulaw: Buffer.alloc(8_000),
      created_at: shop.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await save({ greeting_sound_id: foreign.id })).toMatchObject({ code: 'not_found' })
  const saved = await save({ greeting_text: 'Please leave a message.', language: 'de', days_kept: 90 })
  expect(saved.answer.settings).toMatchObject({ language: 'de', days_kept: 90, version: 1 })
  expect(await save({ days_kept: 10 })).toMatchObject({ code: 'changed_meanwhile' })
  const raced = await Promise.all([1, 2].map(() => save({ version: 1 })))
  expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

it('says that a sound is unavailable when its file is damaged', async () => {
  const shop = await createSoundShop()
  const id = await shop.leaveMessage(shop.alice)
  await shop.damage(id)
  const { status, code } = await shop.call('GET /api/voicemail/:id/audio', {
    token: shop.alice.token,
    params: { id },
  })
  expect({ status, code }).toEqual({ status: 503, code: 'sound_unavailable' })
})

it('takes no message into a full mailbox', async () => {
  const shop = await createSoundShop()
  await sql`
    insert into voicemails (user_id, call_id, number, caller, started_at, seconds, state, media_id, file)
    select ${shop.alice.id}, 'call', '1', '2', ${shop.clock.now()}, 1, 'new', 'media-1', 'file-' || count
      from generate_series(1, 300) as count`.execute(shop.services.db)
  await expect(shop.beginMessage(shop.alice)).rejects.toThrow('is full')
  await shop.leaveMessage(shop.paula)
  expect(await shop.files()).toHaveLength(1)
})

async function createShopWithStore() {
  const store = await startObjectStore()
  const { url, region, keyId, secret } = store.settings
  const shop = await createSoundShop({
    SOUND_S3_URL: url,
    SOUND_S3_REGION: region,
    SOUND_S3_KEY_ID: keyId,
    SOUND_S3_SECRET: secret,
  })
  return { store, shop }
}

it('moves the messages of one media process, so that other machines find them in the object store', async () => {
  const { store, shop } = await createShopWithStore()
  const { db, voicemail } = shop.services
  const id = await shop.leaveMessage(shop.alice)
  const { media_id } = await db.selectFrom('voicemails').select('media_id').executeTakeFirstOrThrow()
  expect(await voicemail.moveToStore('another media process')).toBe(true)
  expect(store.objects.size).toBe(0)
  store.state.isFailing = true
  expect(await voicemail.moveToStore(media_id)).toBe(false)
  store.state.isFailing = false
  expect(await voicemail.moveToStore(media_id)).toBe(true)
  // As on another machine, there is no file.
  expect(await shop.files()).toEqual([])
  const file = await shop.download(`/api/voicemail/${id}/audio`, shop.alice)
  expect(file.rawPayload).toHaveLength(58 + 16_000)
})

it('moves messages to the object store, reads them there and deletes them there', async () => {
  const { store, shop } = await createShopWithStore()
  const { voicemail } = shop.services
  const id = await shop.leaveMessage(shop.alice)
  const open = await shop.beginMessage(shop.alice)
  open.append(new Uint8Array(8_000))
  await expect.poll(async () => (await shop.files()).length).toBe(2)
  store.state.isFailing = true
  await voicemail.moveToStore()
  expect([store.objects.size, (await shop.files()).length]).toEqual([0, 2])
  store.state.isFailing = false
  await voicemail.moveToStore()
  expect([store.objects.size, (await shop.files()).length]).toEqual([1, 1])
  const file = await shop.download(`/api/voicemail/${id}/audio`, shop.alice)
  expect(file.rawPayload).toHaveLength(58 + 16_000)
  await voicemail.remove({ userId: shop.alice.id, isAdmin: false }, [id])
  expect(store.objects.size).toBe(0)
})
