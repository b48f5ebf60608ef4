import { dollars } from '@trunkline/domain/money'
import type { RingPlan } from '@trunkline/domain/ringing'
import { expect, it } from 'vitest'
import { mediaTarget } from '../../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from '../called-phone.ts'
import type { PhoneCall } from '../phone.ts'
import { openSoundEnd, type SoundEnd } from '../sound-end.ts'
import {
  allEnded,
  channelsOf as channelsIn,
  hears,
  moneyIsRight,
  recordingsOf as ownRecordingsOf,
} from './flow-calls.ts'
import { providerForFile } from './for-file.ts'
import { planOf, toNumber, toPbx, toPhones } from './incoming-calls.ts'
import { type Customer, LONDON, PER_SECOND, until } from './provider.ts'

/** Recorded calls to numbers with a plain ring plan: PostgreSQL, call control, media, Kamailio and rtpengine. */
const CARRIER = '127.0.0.32'
const NUMBER = '442079464001'
const BALANCE = dollars(100)
const CALLER_VOICE = 3
const PHONE_VOICE = 9
const CALLER_LAST_VOICE = 20
const PHONE_LAST_VOICE = 30

const provider = await providerForFile()
let media = await provider.startMedia('m1')

/** A customer whose number records its calls, if the operator allows it, and a carrier. */
async function createOwner(plan: RingPlan, isAllowed = true) {
  const far = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
  await provider.newTrunk(far, { incoming_sources: [CARRIER] })
  const owner = await provider.newCustomer({ balance: BALANCE })
  const id = await provider.newNumber(owner, NUMBER, { plan })
  await provider.db.updateTable('number_rentals').set({ records: true }).where('number_id', '=', id).execute()
  await provider.db
    .insertInto('recording_settings')
    .values({ user_id: owner.id, is_allowed: isAllowed })
    .execute()
  await provider.settle()
  return { owner, far }
}

async function startPhone({ account }: Customer, habit: 'rings' | 'answers') {
  const sound = provider.harness.keep(await openSoundEnd())
  const phone = await startCalledPhone(provider.harness, account, {
    habit,
    describe: (host) => sound.describe(host),
  })
  await phone.register()
  return { phone, sound }
}

async function callOfCarrier() {
  const phone = await provider.harness.phone({ from: CARRIER })
  const end = provider.harness.keep(await openSoundEnd(CARRIER))
  const call = await phone.call(NUMBER, [], (host) => end.describe(host))
  return { call, end }
}

async function answers(call: PhoneCall, end: SoundEnd): Promise<void> {
  const answer = await call.ended
  expect(answer.status).toBe(200)
  end.aim(mediaTarget(answer.body))
}

const recordingsOf = (owner: Customer) => ownRecordingsOf(provider, owner)
const channelsOf = (file: string) => channelsIn(provider, file)
const isRecorded = (owner: Customer) =>
  until(async () => (await recordingsOf(owner)).length === 1, 'a recording', 20_000)

/** Both sides speak until they have heard each other. */
async function talk(
  end: SoundEnd,
  sound: SoundEnd,
  caller = CALLER_VOICE,
  called = PHONE_VOICE,
): Promise<void> {
  end.plays(caller)
  sound.plays(called)
  await hears(end, called)
  await hears(sound, caller)
}

it('rings two phones, and records both sides of the conversation from the answer of one', async () => {
  const { owner } = await createOwner(planOf(toPhones(20)))
  const quiet = await startPhone(owner, 'rings')
  const { phone, sound } = await startPhone(owner, 'rings')
  const { call, end } = await callOfCarrier()
  const invite = await phone.rung()
  await quiet.phone.rung()
  expect(invite.headers.find(([name]) => name.toLowerCase() === 'to')?.[1]).toContain(NUMBER)
  await phone.answer()
  await quiet.phone.gets('CANCEL')
  await answers(call, end)
  sound.aim(mediaTarget(invite.body))
  await isRecorded(owner)
  await talk(end, sound)
  // Once more, because the end of what was said may still be on its way when the caller hangs up.
  for (const side of [end, sound]) side.forget()
  await hears(end, PHONE_VOICE)
  await hears(sound, CALLER_VOICE)
  await call.hangUp()
  await phone.gets('BYE')
  await allEnded(provider)
  const [record, ...others] = await provider.cdrs(owner.id)
  expect(others).toEqual([])
  expect(record).toMatchObject({
    direction: 'in',
    status: 'completed',
    reason: 'hung_up_by_caller',
    explanation: 'Always: phones. The conversation is recorded.',
    attempts: [{ name: 'Phones', code: 200 }],
    cost_micros: BigInt(record?.seconds ?? 0) * PER_SECOND,
  })
  await until(async () => (await recordingsOf(owner))[0]?.state === 'ready', 'the recording', 15_000)
  const [recording] = await recordingsOf(owner)
  expect(recording).toMatchObject({ call_id: record?.call_id })
  expect(await channelsOf(recording?.file ?? '')).toEqual([new Set([CALLER_VOICE]), new Set([PHONE_VOICE])])
  await moneyIsRight(provider, owner, BALANCE)
})

it('records a call that a PBX answers, without the part that either side pauses with *5', async () => {
  const sound = provider.harness.keep(await openSoundEnd())
  const pbx = await startCalledPhone(
    provider.harness,
    { user: 'pbx', password: '' },
    { habit: 'answers', describe: (host) => sound.describe(host) },
  )
  const { owner } = await createOwner(planOf(toPbx(pbx.phone.line.port)))
  await provider.setAddress(owner, '127.0.0.1', 'approved')
  await provider.settle()
  const { call, end } = await callOfCarrier()
  await answers(call, end)
  sound.aim(mediaTarget((await pbx.rung()).body))
  await isRecorded(owner)
  const [{ file = '' } = {}] = await recordingsOf(owner)
  const talkOn = async (caller: number, called: number, isRecorded = true) => {
    await talk(end, sound, caller, called)
    // The recording can have gaps where the machine stopped, so both go on until it has their voices.
    const has = async () => {
      const [left, right] = await channelsOf(file)
      return left?.has(caller) && right?.has(called)
    }
    if (isRecorded) await until(has, `${caller} and ${called} in the recording`, 30_000)
    for (const side of [end, sound]) {
      side.fallsSilent()
      side.forget()
    }
    // The sound has passed the recorder.
    await until(async () => Math.min(end.heardSeconds(), sound.heardSeconds()) > 1.5, 'silence', 30_000)
  }
  const press = async (from: SoundEnd, to: SoundEnd) => {
    from.press('*')
    await until(async () => to.keys() === '*', 'the first key at the other side', 15_000)
    from.press('5')
    await until(async () => to.keys() === '*5', 'both keys at the other side', 15_000)
  }
  await talkOn(3, 9)
  await press(end, sound)
  await talkOn(20, 30, false)
  await press(sound, end)
  await talkOn(12, 33)
  await call.hangUp()
  await allEnded(provider)
  expect(await provider.cdrs(owner.id)).toMatchObject([
    { status: 'completed', attempts: [{ name: 'PBX 127.0.0.1', code: 200 }] },
  ])
  await until(async () => (await recordingsOf(owner))[0]?.state === 'ready', 'the recording', 15_000)
  expect(await channelsOf(file)).toEqual([new Set([3, 12]), new Set([9, 33])])
  await moneyIsRight(provider, owner, BALANCE)
})

it('records a call of another customer, who pays for the own leg only', async () => {
  const { owner } = await createOwner(planOf(toPhones(20)))
  const friend = await provider.newCustomer({ balance: BALANCE })
  await provider.settle()
  const { phone } = await startPhone(owner, 'answers')
  const caller = await provider.harness.phone({ account: friend.account })
  const call = await caller.call(NUMBER)
  expect((await call.ended).status).toBe(200)
  await isRecorded(owner)
  phone.hangUp()
  await call.isHungUp()
  await allEnded(provider)
  const [outgoing] = await provider.cdrs(friend.id)
  expect(outgoing).toMatchObject({ direction: 'out', status: 'completed', cost_micros: 0n })
  expect(await provider.cdrs(owner.id)).toMatchObject([
    { direction: 'in', status: 'completed', reason: 'hung_up_by_callee', parent_call_id: outgoing?.call_id },
  ])
  expect(await recordingsOf(friend)).toEqual([])
  await moneyIsRight(provider, owner, BALANCE)
})

it('is a missed call without a charge if nobody answers, and rings no phone twice', async () => {
  const { owner } = await createOwner(planOf(toPhones(6)))
  const { phone } = await startPhone(owner, 'rings')
  const { call } = await callOfCarrier()
  expect((await call.ended).status).toBe(480)
  await phone.gets('CANCEL')
  await allEnded(provider)
  expect(phone.invites()).toHaveLength(1)
  expect(await provider.cdrs(owner.id)).toMatchObject([
    {
      status: 'no-answer',
      cost_micros: 0n,
      ringing_at: expect.any(Date),
      attempts: [{ name: 'Phones', code: 408 }],
    },
  ])
  expect(await recordingsOf(owner)).toEqual([])
  await moneyIsRight(provider, owner, BALANCE)
})

it('stops ringing when the caller hangs up', async () => {
  const { owner } = await createOwner(planOf(toPhones(20)))
  const { phone } = await startPhone(owner, 'rings')
  const { call } = await callOfCarrier()
  await phone.rung()
  call.cancel()
  await phone.gets('CANCEL')
  await allEnded(provider)
  expect(await provider.cdrs(owner.id)).toMatchObject([{ status: 'cancelled', cost_micros: 0n }])
  await moneyIsRight(provider, owner, BALANCE)
})

it('goes on with the fallback, and charges and records the forwarded call', async () => {
  const { owner, far } = await createOwner(planOf(toPhones(20), toNumber(LONDON)))
  const { call, end } = await callOfCarrier()
  await answers(call, end)
  expect(far.live()).toBe(1)
  await isRecorded(owner)
  end.plays(CALLER_VOICE)
  await until(async () => end.hears().includes(CALLER_VOICE), 'the echo of the carrier', 15_000)
  await call.hangUp()
  await allEnded(provider)
  const [incoming, leg] = await provider.cdrs(owner.id)
  expect(incoming).toMatchObject({
    attempts: [
      { name: 'Phones', code: 480 },
      { name: `Forward to +${LONDON}`, code: 200 },
    ],
  })
  expect(leg).toMatchObject({
    direction: 'out',
    destination: LONDON,
    parent_call_id: incoming?.call_id,
    explanation: `Forwarded from +${NUMBER}.`,
    caller_id: NUMBER,
  })
  for (const record of [incoming, leg])
    expect(record).toMatchObject({
      status: 'completed',
      cost_micros: BigInt(record?.seconds ?? 0) * PER_SECOND,
    })
  await moneyIsRight(provider, owner, BALANCE)
})

it('rings directly, without a media process, if the operator does not allow recordings', async () => {
  const { owner } = await createOwner(planOf(toPhones(20)), false)
  const { phone } = await startPhone(owner, 'answers')
  const { call } = await callOfCarrier()
  expect((await call.ended).status).toBe(200)
  expect(await provider.db.selectFrom('media_calls').where('user_id', '=', owner.id).execute()).toEqual([])
  await call.hangUp()
  await phone.gets('BYE')
  await allEnded(provider)
  expect(await provider.cdrs(owner.id)).toMatchObject([
    { status: 'completed', explanation: 'Always: phones.', attempts: [{ name: 'Phones', trunk: -1 }] },
  ])
  expect(await recordingsOf(owner)).toEqual([])
})

it('keeps both sides until the last second when the media process is killed, and its successor finishes the recording', async () => {
  const { owner } = await createOwner(planOf(toPhones(20)))
  const { phone, sound } = await startPhone(owner, 'answers')
  const { call, end } = await callOfCarrier()
  await answers(call, end)
  sound.aim(mediaTarget((await phone.rung()).body))
  await isRecorded(owner)
  await talk(end, sound)
  await talk(end, sound, CALLER_LAST_VOICE, PHONE_LAST_VOICE)
  // The sound is written once per second.
  for (const side of [end, sound]) side.forget()
  await until(async () => Math.min(end.heardSeconds(), sound.heardSeconds()) > 1.5, 'more speech', 15_000)
  await media.kill()
  await call.isHungUp()
  await allEnded(provider)
  expect(await recordingsOf(owner)).toMatchObject([{ state: 'recording' }])
  media = await provider.startMedia('m1')
  await until(async () => (await recordingsOf(owner))[0]?.state === 'ready', 'the recording', 30_000)
  const [record, ...others] = await provider.cdrs(owner.id)
  expect(others).toEqual([])
  expect(record).toMatchObject({ status: 'completed', reason: 'media_lost' })
  const [recording] = await recordingsOf(owner)
  expect(recording).toMatchObject({ call_id: record?.call_id })
  expect(await channelsOf(recording?.file ?? '')).toEqual([
    new Set([CALLER_VOICE, CALLER_LAST_VOICE]),
    new Set([PHONE_VOICE, PHONE_LAST_VOICE]),
  ])
  await moneyIsRight(provider, owner, BALANCE)
})

/** The process that rings for the owner's call. */
const ringingMedia = ({ id }: Customer) =>
  provider.db.selectFrom('media_calls').select('media_id').where('user_id', '=', id).executeTakeFirstOrThrow()

it('rings and records with another media process if the first one is killed while it rings', async () => {
  const other = await provider.startMedia('m2')
  const { owner } = await createOwner(planOf(toPhones(20)))
  const { phone, sound } = await startPhone(owner, 'rings')
  const { call, end } = await callOfCarrier()
  await phone.rung()
  const [ringing, survivor] = (await ringingMedia(owner)).media_id === 'm2' ? [other, media] : [media, other]
  await ringing.kill()
  media = survivor
  const invite = await until(async () => phone.invites()[1], 'the phone to ring again', 30_000)
  await phone.gets('CANCEL')
  await phone.answer(2)
  await answers(call, end)
  sound.aim(mediaTarget(invite.body))
  await isRecorded(owner)
  await talk(end, sound)
  await call.hangUp()
  await allEnded(provider)
  expect(await provider.cdrs(owner.id)).toMatchObject([
    {
      status: 'completed',
      reason: 'hung_up_by_caller',
      attempts: [
        { name: 'Phones', code: 503, reason: 'Media process did not reply' },
        { name: 'Phones', code: 200 },
      ],
    },
  ])
  await until(async () => (await recordingsOf(owner))[0]?.state === 'ready', 'the recording', 15_000)
  await moneyIsRight(provider, owner, BALANCE)
})

it('rings the phones itself, without a recording, if the only media process is killed while it rings', async () => {
  const { owner } = await createOwner(planOf(toPhones(20)))
  const { phone } = await startPhone(owner, 'rings')
  const { call } = await callOfCarrier()
  await phone.rung()
  await media.kill()
  await until(async () => phone.invites().length === 2, 'the phone to ring again', 30_000)
  await phone.gets('CANCEL')
  await phone.answer(2)
  expect((await call.ended).status).toBe(200)
  // Call control knows that the media process is lost, and the call goes on.
  media = await provider.startMedia('m3')
  expect(call.requests('BYE')).toEqual([])
  await call.hangUp()
  await allEnded(provider)
  expect(phone.invites()).toHaveLength(2)
  expect(await provider.cdrs(owner.id)).toMatchObject([
    {
      status: 'completed',
      reason: 'hung_up_by_caller',
      attempts: [
        { name: 'Phones', code: 503 },
        { name: 'Phones', trunk: -1, code: 200 },
      ],
    },
  ])
  expect(await recordingsOf(owner)).toEqual([])
  await moneyIsRight(provider, owner, BALANCE)
})

it('rings without a recording if the media process has just been killed', async () => {
  const { owner } = await createOwner(planOf(toPhones(20)))
  const { phone } = await startPhone(owner, 'answers')
  await media.kill()
  const { call } = await callOfCarrier()
  expect((await call.ended).status).toBe(200)
  await call.hangUp()
  await allEnded(provider)
  expect(phone.invites()).toHaveLength(1)
  const [record] = await provider.cdrs(owner.id)
  expect(record?.attempts.at(-1)).toMatchObject({ name: 'Phones', trunk: -1, code: 200 })
  expect(await recordingsOf(owner)).toEqual([])
})
