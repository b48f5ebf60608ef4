import { setTimeout as pause } from 'node:timers/promises'
import { dollars, micros } from '@trunkline/domain/money'
import { saveSetting } from '@trunkline/server/features/identity/service-settings/store'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { encode } from '../../../media/encode.ts'
import { signature } from '../../../media/tones.ts'
import type { PhoneCall } from '../phone.ts'
import { BALANCE, CALLEE_VOICE, CALLER_VOICE, dialedRecordings } from './dialed-recordings.ts'
import { allEnded, channelsOf, hears, moneyIsRight, recordingsOf } from './flow-calls.ts'
import { providerForFile } from './for-file.ts'
import { planOf, toNumber, toPhones } from './incoming-calls.ts'
import { type Customer, PER_SECOND, until } from './provider.ts'

/** Recorded calls that customers dial: PostgreSQL, call control, media, Kamailio and rtpengine. */
const PBX = '127.0.0.41'
const ANNOUNCEMENT = 40
const ANNOUNCEMENT_MS = 2_000
const CALLER_LAST_VOICE = 20
const CALLEE_LAST_VOICE = 30
const WITHOUT_PRICE = '8835100099'
const RECORDED = 'The conversation is recorded.'

const provider = await providerForFile()
let media: { kill(): Promise<void> }
beforeAll(async () => {
  const { alaw, ulaw } = encode(signature(ANNOUNCEMENT, ANNOUNCEMENT_MS))
  await provider.db
    .insertInto('system_prompts')
    .values({
      language: 'en',
      name: 'recording_announcement',
      seconds: ANNOUNCEMENT_MS / 1_000,
      alaw: Buffer.from(alaw),
      ulaw: Buffer.from(ulaw),
      replaced_at: new Date(),
    })
    .execute()
  media = await provider.startMedia('m1')
})

const {
  createCaller,
  createFriend,
  startVoices,
  dial,
  dialRecorded,
  isRecorded,
  isFinished,
  contains,
  bookRecordings,
  isAudioEnded,
} = dialedRecordings(provider)
afterEach(isAudioEnded)

/** Ends the call, and waits for its recording. */
async function finish(call: PhoneCall, owner: Customer): Promise<void> {
  await call.hangUp()
  await allEnded(provider)
  await isFinished(owner)
}

it('announces the recording to both sides, and records them in stereo for a price that is booked once', async () => {
  await saveSetting(provider.db, 'recording_price', String(PER_SECOND * 60n), new Date())
  const { owner, call, near, far } = await dialRecorded()
  await Promise.all([hears(near, ANNOUNCEMENT), hears(far, ANNOUNCEMENT)])
  await isRecorded(owner)
  await hears(near, CALLEE_VOICE)
  await hears(far, CALLER_VOICE)
  await contains(owner, CALLER_VOICE, CALLEE_VOICE)
  await finish(call, owner)
  const [record, ...others] = await provider.cdrs(owner.id)
  expect(others).toEqual([])
  expect(record).toMatchObject({
    direction: 'out',
    status: 'completed',
    explanation: RECORDED,
    cost_micros: BigInt(record?.seconds ?? 0) * PER_SECOND,
  })
  const [recording] = await recordingsOf(provider, owner)
  expect(recording).toMatchObject({ call_id: record?.call_id })
  expect(await channelsOf(provider, recording?.file ?? '')).toEqual([
    new Set([CALLER_VOICE]),
    new Set([CALLEE_VOICE]),
  ])
  // It ends with the call: only the time of the announcement is missing.
  expect(Number(recording?.seconds)).toBeLessThan(record?.seconds ?? 0)
  const requests = () => provider.db.selectFrom('recording_requests').selectAll().execute()
  await until(async () => (await requests()).length === 0, 'the end of the request', 15_000)

  await Promise.all([bookRecordings(), bookRecordings()])
  await bookRecordings()
  const fee = BigInt(Math.ceil(Number(recording?.seconds))) * PER_SECOND
  expect(await recordingsOf(provider, owner)).toMatchObject([{ micros: fee }])
  const charged = (record?.cost_micros ?? 0n) + fee
  expect(await provider.balanceOf(owner.id)).toEqual({
    balanceMicros: micros(BALANCE - charged),
    heldMicros: 0n,
  })
  expect(await provider.faults()).toEqual([])
  await saveSetting(provider.db, 'recording_price', '0', new Date())
})

it('ends the recordings of two calls where the balance ends, and the calls go on', async () => {
  // The balance covers four seconds of recording beside both calls.
  const perSecond = dollars(24)
  await saveSetting(provider.db, 'recording_price', String(perSecond * 60n), new Date())
  const { owner, voices, ...first } = await dialRecorded({ announces: false })
  await isFinished(owner)
  const goesOn = async ({ call, near }: typeof first) => {
    near.forget()
    await hears(near, CALLEE_VOICE)
    expect(call.requests('BYE')).toEqual([])
  }
  await goesOn(first)
  const second = await dial({ account: owner.account }, voices)
  const explanations = async () => {
    const rows = await provider.db
      .selectFrom('live_calls')
      .select('explanation')
      .where('user_id', '=', owner.id)
      .orderBy('started_at')
      .execute()
    return rows.map(({ explanation }) => explanation)
  }
  await until(async () => (await explanations())[1] !== '', 'the second explanation', 15_000)
  expect(await explanations()).toEqual([
    `${RECORDED} The recording ended after 4 seconds, because the balance did not cover more.`,
    'The recording did not start, because the balance does not cover its price.',
  ])
  // The money for the recording is still held.
  expect(await recordingsOf(provider, owner)).toMatchObject([{ seconds: '4.00', booked_at: null }])
  expect(await provider.faults()).toEqual([])
  await goesOn(second)
  for (const { call } of [first, second]) await call.hangUp()
  await allEnded(provider)
  await Promise.all([bookRecordings(), bookRecordings()])
  const costs = (await provider.cdrs(owner.id)).reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
  expect(await provider.balanceOf(owner.id)).toEqual({
    balanceMicros: micros(BALANCE - costs - 4n * perSecond),
    heldMicros: 0n,
  })
  expect(await provider.faults()).toEqual([])
  await saveSetting(provider.db, 'recording_price', '0', new Date())
})

it('records nothing without the consent of the operator or the wish of the customer', async () => {
  const without = await Promise.all([
    createCaller({ is_allowed: false }),
    createCaller({ records_dialed: false }),
  ])
  const owner = await createCaller()
  const voices = await startVoices()
  const quiet = []
  for (const { account } of without) quiet.push(await dial({ account }, voices))
  const recorded = await dial({ account: owner.account }, voices)
  await isRecorded(owner)
  for (const { near } of quiet) expect(near.hears()).not.toContain(ANNOUNCEMENT)
  for (const { call } of [...quiet, recorded]) await call.hangUp()
  await allEnded(provider)
  for (const other of without) {
    expect(await recordingsOf(provider, other)).toEqual([])
    expect(await provider.cdrs(other.id)).toMatchObject([{ status: 'completed', explanation: '' }])
  }
})

it('records a call of a PBX by its address, without the part that it pauses with *5', async () => {
  const owner = await createCaller({ announces: false })
  await provider.setAddress(owner, PBX, 'approved')
  const voices = await startVoices()
  const { call, near, far } = await dial({ from: PBX }, voices)
  await isRecorded(owner)
  await contains(owner, CALLER_VOICE, CALLEE_VOICE)
  const press = async () => {
    const before = far.keys()
    near.press('*')
    await until(async () => far.keys() === `${before}*`, 'the first key', 15_000)
    near.press('5')
    await until(async () => far.keys() === `${before}*5`, 'both keys', 15_000)
  }
  /** The sound has passed the recorder. */
  const pass = async () => {
    for (const side of [near, far]) {
      side.fallsSilent()
      side.forget()
    }
    await until(async () => Math.min(near.heardSeconds(), far.heardSeconds()) > 1.5, 'silence', 30_000)
  }
  await pass()
  await press()
  near.plays(CALLER_LAST_VOICE)
  far.plays(CALLEE_LAST_VOICE)
  await hears(far, CALLER_LAST_VOICE)
  await hears(near, CALLEE_LAST_VOICE)
  await pass()
  await press()
  near.plays(12)
  far.plays(33)
  await contains(owner, 12, 33)
  expect(near.hears()).not.toContain(ANNOUNCEMENT)
  await finish(call, owner)
  const [recording] = await recordingsOf(provider, owner)
  expect(await channelsOf(provider, recording?.file ?? '')).toEqual([
    new Set([CALLER_VOICE, 12]),
    new Set([CALLEE_VOICE, 33]),
  ])
  await moneyIsRight(provider, owner, BALANCE)
})

it('goes on with the recording after the caller has put the call on hold', async () => {
  const { owner, call, near, far } = await dialRecorded({ announces: false })
  await isRecorded(owner)
  await contains(owner, CALLER_VOICE, CALLEE_VOICE)
  const offer = near.describe('127.0.0.1')
  const held = offer.replace('a=sendrecv', 'a=sendonly')
  expect((await call.request('INVITE', held)).status).toBe(200)
  near.fallsSilent()
  far.fallsSilent()
  expect((await call.request('INVITE', offer)).status).toBe(200)
  near.plays(CALLER_LAST_VOICE)
  far.plays(CALLEE_LAST_VOICE)
  await hears(far, CALLER_LAST_VOICE)
  await hears(near, CALLEE_LAST_VOICE)
  await contains(owner, CALLER_LAST_VOICE, CALLEE_LAST_VOICE)
  await finish(call, owner)
  await moneyIsRight(provider, owner, BALANCE)
})

it('records a call to the number of another customer, who neither pays nor gets a recording', async () => {
  const owner = await createCaller()
  const { friend, number, ...voices } = await createFriend()
  const { call, near, far } = await dial({ account: owner.account }, voices, number)
  await hears(far, ANNOUNCEMENT)
  // The announcement comes before the caller.
  expect(far.hears()).not.toContain(CALLER_VOICE)
  await hears(near, ANNOUNCEMENT)
  await isRecorded(owner)
  await contains(owner, CALLER_VOICE, CALLEE_VOICE)
  await call.hangUp()
  await allEnded(provider)
  expect(await recordingsOf(provider, friend)).toEqual([])
  const [record] = await provider.cdrs(owner.id)
  expect(record?.explanation).toContain(RECORDED)
  const [recording] = await recordingsOf(provider, owner)
  expect(recording).toMatchObject({ call_id: record?.call_id })
  await moneyIsRight(provider, owner, BALANCE)
})

it('lets another customer hear the caller after hold, and the announcement first after a refused forward', async () => {
  const owner = await createCaller()
  const { number, ...voices } = await createFriend(planOf(toNumber(WITHOUT_PRICE), toPhones(20)))
  const { call, near, far } = await dial({ account: owner.account }, voices, number)
  await hears(far, ANNOUNCEMENT)
  expect(far.hears()).not.toContain(CALLER_VOICE)
  await isRecorded(owner)
  await hears(far, CALLER_VOICE)
  const offer = near.describe('127.0.0.1')
  expect((await call.request('INVITE', offer.replace('a=sendrecv', 'a=sendonly'))).status).toBe(200)
  expect((await call.request('INVITE', offer)).status).toBe(200)
  near.plays(CALLER_LAST_VOICE)
  await hears(far, CALLER_LAST_VOICE)
  await finish(call, owner)
  await moneyIsRight(provider, owner, BALANCE)
})

it('lets another customer hear the caller if no media process is left to announce the recording', async () => {
  const owner = await createCaller()
  const { friend, number, ...voices } = await createFriend()
  await media.kill()
  const { call, near, far } = await dial({ account: owner.account }, voices, number)
  await hears(near, CALLEE_VOICE)
  await hears(far, CALLER_VOICE)
  for (const side of [near, far]) expect(side.hears()).not.toContain(ANNOUNCEMENT)
  await call.hangUp()
  await allEnded(provider)
  for (const { id } of [owner, friend])
    expect(await provider.cdrs(id)).toMatchObject([{ status: 'completed' }])
  expect(await recordingsOf(provider, owner)).toEqual([])
  await moneyIsRight(provider, owner, BALANCE)
  media = await provider.startMedia('m1')
})

it('goes on when the media process is killed, keeps the sound until then, and books its price once', async () => {
  await saveSetting(provider.db, 'recording_price', String(PER_SECOND * 60n), new Date())
  const { owner, call, near, far } = await dialRecorded()
  await isRecorded(owner)
  await contains(owner, CALLER_VOICE, CALLEE_VOICE)
  await media.kill()
  near.plays(CALLER_LAST_VOICE)
  far.plays(CALLEE_LAST_VOICE)
  for (const side of [near, far]) side.forget()
  await hears(near, CALLEE_LAST_VOICE)
  await hears(far, CALLER_LAST_VOICE)
  media = await provider.startMedia('m1')
  await isFinished(owner)
  near.forget()
  await hears(near, CALLEE_LAST_VOICE)
  expect(call.requests('BYE')).toEqual([])
  await call.hangUp()
  await allEnded(provider)
  const [record, ...others] = await provider.cdrs(owner.id)
  expect(others).toEqual([])
  expect(record).toMatchObject({ status: 'completed', reason: 'hung_up_by_caller' })
  const [recording, ...more] = await recordingsOf(provider, owner)
  expect(more).toEqual([])
  expect(await channelsOf(provider, recording?.file ?? '')).toEqual([
    new Set([CALLER_VOICE]),
    new Set([CALLEE_VOICE]),
  ])
  await Promise.all([bookRecordings(), bookRecordings()])
  const fee = BigInt(Math.ceil(Number(recording?.seconds))) * PER_SECOND
  expect(fee).toBeGreaterThan(0n)
  expect(await provider.balanceOf(owner.id)).toEqual({
    balanceMicros: micros(BALANCE - (record?.cost_micros ?? 0n) - fee),
    heldMicros: 0n,
  })
  expect(await provider.faults()).toEqual([])
  await saveSetting(provider.db, 'recording_price', '0', new Date())
})

it('lets both sides talk again when the media process is killed during the announcement', async () => {
  const { owner, call, near, far } = await dialRecorded()
  const begun = async () => {
    const requests = await provider.db.selectFrom('recording_requests').select('state').execute()
    return requests.some(({ state }) => state === 'announcing' || state === 'recording')
  }
  await until(begun, 'the announcement', 30_000)
  await media.kill()
  media = await provider.startMedia('m1')
  for (const side of [near, far]) side.forget()
  await hears(near, CALLEE_VOICE)
  await hears(far, CALLER_VOICE)
  await call.hangUp()
  await allEnded(provider)
  expect(await provider.cdrs(owner.id)).toMatchObject([{ status: 'completed' }])
  await moneyIsRight(provider, owner, BALANCE)
})

it('lets both sides talk again if the only media process is killed during the announcement', async () => {
  const { owner, call, near, far } = await dialRecorded()
  const state = async () => {
    const requests = provider.db.selectFrom('recording_requests').select('state')
    return (await requests.where('user_id', '=', owner.id).executeTakeFirst())?.state
  }
  await until(async () => (await state()) === 'announcing', 'the announcement', 30_000)
  // Until rtpengine has blocked the audio.
  await pause(ANNOUNCEMENT_MS / 3)
  expect(await state()).toBe('announcing')
  await media.kill()
  for (const side of [near, far]) side.forget()
  // No media process is running.
  await hears(near, CALLEE_VOICE)
  await hears(far, CALLER_VOICE)
  expect(await state()).toBe('overdue')
  media = await provider.startMedia('m1')
  await until(async () => (await state()) === undefined, 'the end of the request', 15_000)
  for (const side of [near, far]) side.forget()
  await hears(near, CALLEE_VOICE)
  await hears(far, CALLER_VOICE)
  await call.hangUp()
  await allEnded(provider)
  expect(await provider.cdrs(owner.id)).toMatchObject([{ status: 'completed' }])
  // Nothing was recorded yet.
  await until(async () => (await recordingsOf(provider, owner)).length === 0, 'no recording', 15_000)
  await moneyIsRight(provider, owner, BALANCE)
})

it('finishes the recording when rtpengine is killed, and records the next call', async () => {
  const { owner, voices, call } = await dialRecorded()
  await isRecorded(owner)
  await contains(owner, CALLER_VOICE, CALLEE_VOICE)
  process.kill(provider.harness.running.rtpenginePid() ?? 0, 'SIGKILL')
  await call.isHungUp()
  await allEnded(provider)
  await isFinished(owner)
  const other = await createCaller()
  await provider.settle()
  const next = await dial({ account: other.account }, voices)
  await isRecorded(other)
  await contains(other, CALLER_VOICE, CALLEE_VOICE)
  await finish(next.call, other)
  await moneyIsRight(provider, other, BALANCE)
})
