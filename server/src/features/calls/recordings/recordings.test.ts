import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { createSoundShop } from '../../../../test/sounds.ts'
import { recordingCost } from './holds.ts'

const DAY_MS = 86_400_000

it('shows the recordings and messages of a call to its customer and to administrators', async () => {
  const shop = await createSoundShop()
  const { alice, paula, root } = shop
  const callId = 'sw1/a-call'
  const record = await shop.addCallRecord(alice, callId)
  const id = await shop.record(alice, { seconds: 3, callId })
  const message = await shop.leaveMessage(alice, { callId })
  await shop.record(alice)
  await shop.services.recordingBooking.run()
  const sounds = {
    recordings: [
      {
        id,
        started_at: '2026-03-01T12:00:00.000Z',
        seconds: 3,
        is_ready: true,
        cost: 0,
        expires_at: '2026-03-31T12:00:00.000Z',
      },
    ],
    messages: [{ id: message, seconds: 2, is_new: true }],
  }
  const params = { id: record }
  const own = await shop.call('GET /api/cdr/:id/sounds', { token: alice.token, params })
  expect(own.answer.sounds).toEqual(sounds)
  const any = await shop.call('GET /api/admin/cdr/:id/sounds', { token: root.token, params })
  expect(any.answer.sounds).toEqual(sounds)
  const stranger = await shop.call('GET /api/cdr/:id/sounds', { token: paula.token, params })
  expect(stranger).toMatchObject({ status: 404 })
})

it('plays a recording in stereo and writes who did into the audit log', async () => {
  const shop = await createSoundShop()
  const { alice, root } = shop
  const id = await shop.record(alice, { seconds: 1, callId: 'a-call' })
  const file = await shop.download(`/api/recordings/${id}/audio`, alice)
  expect(file.statusCode).toBe(200)
  expect(file.rawPayload.readUInt16LE(22)).toBe(2)
  expect(file.rawPayload).toHaveLength(58 + 16_000)
  await shop.download(`/api/recordings/${id}/audio?download=true`, alice)
  await shop.download(`/api/admin/recordings/${id}/audio`, root)
  const listened = await auditOf(shop, root, 'recording.listen')
  expect(listened.map(({ by, subject, user }) => [by.username, subject, user?.username])).toEqual([
    ['root', `recording ${id} of call a-call`, 'alice'],
    ['alice', `recording ${id} of call a-call`, 'alice'],
  ])
  expect(await auditOf(shop, root, 'recording.download')).toMatchObject([{ by: { username: 'alice' } }])
})

it('computes a waveform with 800 peaks for each channel', async () => {
  const shop = await createSoundShop()
  const writer = await shop.beginRecording(shop.alice)
  // Left: silence, then the loudest sample. Right: silence.
  writer.append(Uint8Array.from({ length: 32_000 }, (_, at) => (at % 2 === 0 && at > 16_000 ? 0xaa : 0xd5)))
  await writer.finish()
  const { answer } = await shop.call('GET /api/recordings/:id/peaks', {
    token: shop.alice.token,
    params: { id: writer.id },
  })
  const [left = [], right = []] = answer.peaks.channels
  expect([answer.peaks.seconds, left.length, right.length]).toEqual([2, 800, 800])
  expect([left[0], left[799], right[799]]).toEqual([0, 1, 0])
})

it('hides recordings from other customers', async () => {
  const shop = await createSoundShop()
  const id = await shop.record(shop.alice)
  const { token } = shop.paula
  for (const address of [
    'GET /api/recordings/:id/audio',
    'GET /api/recordings/:id/peaks',
    'DELETE /api/recordings/:id',
  ] as const)
    expect(await shop.call(address, { token, params: { id } })).toMatchObject({ status: 404 })
  expect(await shop.files()).toHaveLength(1)
  expect(await auditOf(shop, shop.root, 'recording.listen')).toEqual([])
})

describe('the price', () => {
  it.each([
    [60, 10_000n, 10_000n],
    [60.01, 10_000n, 10_167n],
    [0.2, 10_000n, 167n],
    [0, 10_000n, 0n],
    [3_600, 0n, 0n],
  ])('of %s seconds at %s micro-dollars a minute is %s', (seconds, perMinute, cost) => {
    expect(recordingCost(seconds, perMinute)).toBe(cost)
  })

  it('is booked once per recording, by any number of workers', async () => {
    const shop = await createSoundShop()
    const { alice, root } = shop
    await shop.topUp(alice, 1)
    await shop.call('PUT /api/admin/recording-price', { token: root.token, body: { price: 0.06 } })
    const ids = [await shop.record(alice, { seconds: 10 }), await shop.record(alice, { seconds: 20 })]
    await shop.beginRecording(alice)
    await Promise.all([1, 2, 3].map(() => shop.services.recordingBooking.run()))
    await shop.call('PUT /api/admin/recording-price', { token: root.token, body: { price: 1 } })
    await shop.services.recordingBooking.run()
    expect(await shop.balanceOf(alice)).toBe(0.97)
    const { answer } = await shop.call('GET /api/statement', {
      token: alice.token,
      query: { kind: 'recording' },
    })
    expect(answer.lines).toMatchObject([
      { amount: -0.02, reference: 'Call of 2026-03-01 12:00 UTC, 20 seconds' },
      { amount: -0.01, reference: 'Call of 2026-03-01 12:00 UTC, 10 seconds' },
    ])
    expect(ids).toHaveLength(2)
    expect(await auditOf(shop, root, 'recording_price.update')).toHaveLength(2)
    await shop.expectBooksToAddUp()
  })

  it('of an earlier release, without a hold, is booked after a top-up, and before the recording is deleted', async () => {
    const shop = await createSoundShop()
    const { alice, root } = shop
    const id = await shop.record(alice, { seconds: 10 })
    await shop.services.db.updateTable('recordings').set({ price_micros: null }).execute()
    await shop.call('PUT /api/admin/recording-price', { token: root.token, body: { price: 0.6 } })
    await shop.services.recordingBooking.run()
    const remove = () => shop.call('DELETE /api/recordings/:id', { token: alice.token, params: { id } })
    expect(await remove()).toMatchObject({ code: 'insufficient_balance' })
    await shop.topUp(alice, 1)
    expect(await remove()).toMatchObject({ status: 200, message: 'Recording deleted' })
    expect(await shop.balanceOf(alice)).toBe(0.9)
    expect(await shop.files()).toEqual([])
    expect(await auditOf(shop, root, 'recording.delete')).toHaveLength(1)
    await shop.expectBooksToAddUp()
  })

  it('of an unpaid recording is booked after a top-up, although retention has removed the file', async () => {
    const shop = await createSoundShop()
    const { alice } = shop
    const { recordings, recordingBooking, db } = shop.services
    const callId = 'sw1/a-call'
    const record = await shop.addCallRecord(alice, callId)
    await shop.record(alice, { seconds: 10, callId })
    await db.updateTable('recordings').set({ price_micros: null }).execute()
    await shop.call('PUT /api/admin/recording-price', { token: shop.root.token, body: { price: 0.6 } })
    await recordingBooking.run()
    shop.clock.advance(31 * DAY_MS)
    await recordings.deleteExpired()
    await recordings.deleteExpired()
    expect(await shop.files()).toEqual([])
    const caller = { userId: alice.id, isAdmin: false }
    expect(await recordings.ofCall(caller, record)).toEqual({ recordings: [], messages: [] })
    await shop.topUp(alice, 1)
    await recordingBooking.run()
    expect(await shop.balanceOf(alice)).toBe(0.9)
    await recordings.deleteExpired()
    expect(await db.selectFrom('recordings').selectAll().execute()).toEqual([])
    await shop.expectBooksToAddUp()
  })

  it('is booked before retention deletes the recording', async () => {
    const shop = await createSoundShop()
    await shop.topUp(shop.alice, 1)
    await shop.call('PUT /api/admin/recording-price', { token: shop.root.token, body: { price: 0.6 } })
    await shop.record(shop.alice, { seconds: 10 })
    shop.clock.advance(31 * DAY_MS)
    await shop.services.recordings.deleteExpired()
    expect(await shop.balanceOf(shop.alice)).toBe(0.9)
    expect(await shop.services.db.selectFrom('recordings').selectAll().execute()).toEqual([])
    await shop.expectBooksToAddUp()
  })

  it('is booked once if the worker dies between the posting and the commit', async () => {
    const shop = await createSoundShop()
    const { recordingBooking, db } = shop.services
    await shop.topUp(shop.alice, 1)
    await shop.call('PUT /api/admin/recording-price', { token: shop.root.token, body: { price: 0.6 } })
    const id = await shop.record(shop.alice, { seconds: 10 })
    // Delays the last statement of the transaction until its connection is closed.
    await sql`
      create function wait_here() returns trigger language plpgsql as $$
      begin perform pg_sleep(60); return new; end $$`.execute(db)
    await sql`create trigger wait_here before update of booked_at on recordings
      for each row execute function wait_here()`.execute(db)
    const run = recordingBooking.run()
    const kill = () =>
      sql<{ pid: number }>`
        select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event = 'PgSleep'`.execute(db)
    await expect.poll(async () => (await kill()).rows.length).toBe(1)
    await run
    expect(await shop.balanceOf(shop.alice)).toBe(1)
    await sql`drop trigger wait_here on recordings`.execute(db)
    await recordingBooking.run()
    await recordingBooking.run()
    expect(await shop.balanceOf(shop.alice)).toBe(0.9)
    expect(await db.selectFrom('recordings').select(['id', 'micros']).execute()).toEqual([
      { id, micros: 100_000n },
    ])
    await shop.expectBooksToAddUp()
  })

  it('of a killed process is booked for the seconds that were written', async () => {
    const shop = await createSoundShop()
    const { recordingBooking, soundFiles, db } = shop.services
    await shop.topUp(shop.alice, 1)
    await shop.call('PUT /api/admin/recording-price', { token: shop.root.token, body: { price: 0.6 } })
    const writer = await shop.beginRecording(shop.alice)
    writer.append(new Uint8Array(40_000))
    const { file } = await db.selectFrom('recordings').select('file').executeTakeFirstOrThrow()
    await expect
      .poll(async () => (await soundFiles.read({ file, storage: 'folder' }))?.samples.length)
      .toBe(32_000)
    await recordingBooking.run()
    expect(await shop.balanceOf(shop.alice)).toBe(1)
    await Promise.all([1, 2].map(() => shop.otherProcess().finishAbandoned(['media-1'])))
    await Promise.all([1, 2].map(() => recordingBooking.run()))
    expect(await shop.balanceOf(shop.alice)).toBe(0.98)
  })
})

it('deletes recordings and files when their retention ends', async () => {
  const shop = await createSoundShop()
  const { recordings, recordingSettings, db } = shop.services
  const caller = { userId: shop.alice.id, isAdmin: false }
  const { is_allowed, price, ...given } = await recordingSettings.show(caller)
  await recordingSettings.change(caller, { ...given, days_kept: 2 })
  await shop.record(shop.alice)
  shop.clock.advance(2 * DAY_MS - 1)
  await recordings.deleteExpired()
  expect(await shop.files()).toHaveLength(1)
  shop.clock.advance(1)
  await recordings.deleteExpired()
  expect(await shop.files()).toEqual([])
  expect(await db.selectFrom('recordings').selectAll().execute()).toEqual([])
})

it('lets customers record only with the consent of the operator', async () => {
  const shop = await createSoundShop()
  const { alice, root } = shop
  const number = await shop.addNumber({ setup: 0, monthly: 0 })
  await shop.rent(alice, number)
  const [rental] = await shop.own(alice)
  const id = rental?.id ?? 0
  expect(rental?.records).toBe(false)
  const settings = async () =>
    (await shop.call('GET /api/recording-settings', { token: alice.token })).answer.settings
  const given = { records_all: true, records_dialed: false, announces: true, days_kept: 30 }
  const change = async (version: number, wishes: Partial<typeof given> = {}) =>
    shop.call('PUT /api/recording-settings', { token: alice.token, body: { ...given, ...wishes, version } })
  const recordNumber = (records: boolean, token = alice.token) =>
    shop.call('PUT /api/numbers/:id/recording', { token, params: { id }, body: { records } })
  const nothing = { is_allowed: false, records_all: false, records_dialed: false }
  expect(await settings()).toMatchObject({ ...nothing, version: 0, price: 0 })
  for (const wishes of [{}, { records_all: false, records_dialed: true }])
    expect(await change(0, wishes)).toMatchObject({ status: 403, code: 'recording_not_allowed' })
  expect(await recordNumber(true)).toMatchObject({ status: 403, code: 'recording_not_allowed' })

  const allow = (is_allowed: boolean) =>
    shop.call('PUT /api/admin/users/:id/recording', {
      token: root.token,
      params: { id: alice.id },
      body: { is_allowed },
    })
  expect((await allow(true)).answer.settings.is_allowed).toBe(true)
  await allow(true)
  expect(await auditOf(shop, root, 'recording.allow')).toHaveLength(1)
  const { version } = await settings()
  const incoming = { records_all: true, records_dialed: false }
  expect((await change(version)).answer.settings).toMatchObject(incoming)
  expect(await change(version)).toMatchObject({ code: 'changed_meanwhile' })
  const dialed = { records_all: false, records_dialed: true }
  expect((await change(version + 1, dialed)).answer.settings).toMatchObject(dialed)
  // A page of the previous release does not know the calls that customers dial.
  const { records_dialed, ...older } = { ...given, days_kept: 60, version: version + 2 }
  const kept = await shop.call('PUT /api/recording-settings', { token: alice.token, body: older })
  expect(kept.answer.settings).toMatchObject({ records_dialed: true, days_kept: 60 })
  expect((await recordNumber(true)).answer.number.records).toBe(true)
  expect(await recordNumber(false, shop.paula.token)).toMatchObject({ status: 404 })

  await allow(false)
  expect(await recordNumber(true)).toMatchObject({ code: 'recording_not_allowed' })
  expect((await recordNumber(false)).answer.number.records).toBe(false)
})
