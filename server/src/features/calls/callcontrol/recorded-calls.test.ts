import type { Destination } from '@trunkline/domain/ringing'
import { expect, it } from 'vitest'
import { CALLER, createProviderWithOwner, forwardTo, planTo, rentNumber } from '../../../../test/incoming.ts'
import { NUMBER, passWithMedia, seeMedia } from '../../../../test/media-legs.ts'
import { type Customer, LONDON, type Telephony } from '../../../../test/telephony.ts'

/** Calls to numbers with a plain ring plan whose conversations are recorded. */
const steps: Destination = {
  kind: 'phones',
  steps: [
    { devices: 'phones', seconds: 20 },
    { devices: 'all', seconds: 15 },
  ],
}

const STARTED = new Date('2026-11-17T10:00:00.123Z')

const allow = ({ db }: Telephony, { id }: Customer, columns: { records_all?: boolean } = {}) =>
  db
    .insertInto('recording_settings')
    .values({ user_id: id, is_allowed: true, ...columns })
    .execute()

const record = ({ db }: Telephony, numberId: number) =>
  db.updateTable('number_rentals').set({ records: true }).where('number_id', '=', numberId).execute()

/** The media process `m1` handles the call, and requests legs for it. */
async function taken({ db, clock }: Telephony, owner: Customer, call: string, isRinging = true) {
  const row = { call_id: `legs/${call}`, user_id: owner.id, kind: 'ring', media_id: 'm1' } as const
  await db
    .insertInto('media_calls')
    .values({
      ...row,
      media_started_at: STARTED,
      flow_version_id: null,
      started_at: clock.now(),
      ended_at: null,
      is_ringing: isRinging,
    })
    .execute()
  let tokens = 0
  return async (destination: Destination) => {
    const token = `${call}-${++tokens}`
    const media = { media_id: 'm1', media_started_at: STARTED }
    const leg = { token, ...media, parent_call_id: row.call_id, user_id: owner.id }
    await db
      .insertInto('media_legs')
      .values({ ...leg, destination: JSON.stringify(destination), created_at: clock.now() })
      .execute()
    return { to: `leg~${token}`, user: 'media~m1', address: '127.0.0.1' }
  }
}

async function createOwner(plan = planTo(steps)) {
  const provider = await createProviderWithOwner()
  const numberId = await rentNumber(provider.phone, provider.owner, NUMBER, { plan })
  return { ...provider, numberId }
}

it('sends each step to a media process, then to another one, then to the phones without a recording', async () => {
  const { phone, box, startControl, owner, numberId } = await createOwner(
    planTo(steps, { kind: 'voicemail' }),
  )
  await seeMedia(phone, 'm1', { port: 5071 })
  await seeMedia(phone, 'm2', { port: 5072, live_calls: 3 })
  await allow(phone, owner)
  await record(phone, numberId)
  await startControl()
  const { call, plan } = await box.incoming(NUMBER)
  const at = (user: string, port: number) => `sip:${user}~legs~${call}@127.0.0.1:${port};transport=tcp`
  const onMedia = { isMedia: true }
  expect(plan).toEqual([
    { id: -101, seconds: 6, uri: at('ring~0', 5071), ...onMedia },
    { id: -102, seconds: 6, uri: at('ring~0', 5072), ...onMedia, isSpare: true },
    { id: -1, seconds: 20, phones: [owner.username], isSpare: true },
    { id: -103, seconds: 6, uri: at('ring~1', 5071), ...onMedia },
    { id: -104, seconds: 6, uri: at('ring~1', 5072), ...onMedia, isSpare: true },
    { id: -2, seconds: 15, phones: [owner.username], isSpare: true },
    { id: -3, seconds: 10, uri: at(`voicemail~${owner.id}`, 5071), ...onMedia },
    { id: -4, seconds: 10, uri: at(`voicemail~${owner.id}`, 5072), ...onMedia },
  ])
  await box.fail(call, 480, 'carrier', [{ trunk: -101, code: 408, reason: '' }])
  expect(await phone.cdrOf(call)).toMatchObject({
    status: 'no-answer',
    cost_micros: 0n,
    explanation: 'Always: phones, then phones and browsers, then voicemail. The conversation is recorded.',
    attempts: [{ name: 'Phones', code: 408 }],
  })
})

it('rings directly without the consent of the operator, without the wish of the customer, and for other numbers', async () => {
  const { phone, box, startControl, owner, numberId } = await createOwner()
  const OTHER = '442079460101'
  await rentNumber(phone, owner, OTHER, { plan: planTo(steps) })
  await seeMedia(phone, 'm1')
  await startControl()
  const isRecorded = async (to: string) => {
    const { call, plan } = await box.incoming(to)
    await box.fail(call, 487, 'caller')
    return plan?.some(({ isMedia }) => isMedia)
  }
  const becomes = (to: string, wanted: boolean) =>
    phone.waitUntil(async () => (await isRecorded(to)) === wanted)
  await record(phone, numberId)
  await phone.advance(1)
  expect(await isRecorded(NUMBER)).toBe(false)
  await allow(phone, owner)
  await becomes(NUMBER, true)
  expect(await isRecorded(OTHER)).toBe(false)
  await phone.db.updateTable('recording_settings').set({ records_all: true }).execute()
  await becomes(OTHER, true)
  await phone.db.updateTable('recording_settings').set({ is_allowed: false }).execute()
  await becomes(OTHER, false)
  expect(await isRecorded(NUMBER)).toBe(false)
})

it('rings without a recording if no media process is running, and says so', async () => {
  const { phone, box, startControl, owner } = await createOwner()
  await allow(phone, owner, { records_all: true })
  await startControl()
  const { plan } = await box.incoming(NUMBER)
  expect(plan).toEqual([
    { id: -1, seconds: 20, phones: [owner.username] },
    { id: -2, seconds: 15, phones: [owner.username] },
  ])
  expect(await phone.liveRows()).toMatchObject([
    {
      explanation:
        'Always: phones, then phones and browsers. It is not recorded, because no media process is running.',
    },
  ])
})

it('rings phones for a recorded call without a charge, a record or a loop', async () => {
  const { phone, box, startControl, owner } = await createOwner()
  await seeMedia(phone, 'm1')
  await allow(phone, owner, { records_all: true })
  await startControl()
  const { call } = await box.incoming(NUMBER)
  const newLeg = await taken(phone, owner, call)
  const leg = await box.allowed(await newLeg({ kind: 'phones', steps: [{ devices: 'phones', seconds: 20 }] }))
  expect(leg).toMatchObject({ callerId: CALLER, number: NUMBER, plan: [{ phones: [owner.username] }] })
  // A company has many callers with the same number.
  expect((await box.incoming(NUMBER)).plan).toHaveLength(4)
  await box.answer(leg.call, -1)
  await box.answer(call, -101)
  await box.end(leg.call, { seconds: 10, trunk: -1 })
  await box.end(call, { seconds: 10, trunk: -101 })
  expect(await phone.cdrOf(call)).toMatchObject({
    status: 'completed',
    cost_micros: 2_000n,
    attempts: [{ name: 'Phones', code: 200 }],
  })
  const records = await phone.db.selectFrom('cdrs').select('call_id').execute()
  expect(records).toEqual([{ call_id: `legs/${call}` }])
  expect(await phone.faults()).toEqual([])
})

it('forwards a recorded call with a hold, a price and a record, as the ring plan says', async () => {
  const { phone, box, startControl, owner } = await createOwner(planTo(forwardTo(LONDON, 'caller')))
  await seeMedia(phone, 'm1')
  await allow(phone, owner, { records_all: true })
  await startControl()
  const { call, plan } = await box.incoming(NUMBER)
  expect(plan).toMatchObject([
    { isMedia: true, seconds: 6 },
    { next: { to: LONDON }, isSpare: true },
  ])
  const newLeg = await taken(phone, owner, call)
  const leg = await box.allowed(await newLeg(forwardTo(LONDON, 'caller')))
  expect(leg).toMatchObject({ callerId: CALLER, diversion: NUMBER, trunks: [{ id: phone.trunkId }] })
  await box.answer(leg.call, phone.trunkId)
  await box.end(leg.call, { seconds: 10, trunk: phone.trunkId })
  const record = await phone.cdrOf(leg.call)
  expect(record).toMatchObject({
    direction: 'out',
    parent_call_id: `legs/${call}`,
    explanation: `Forwarded from +${NUMBER}.`,
  })
  expect(record.cost_micros).toBeGreaterThan(0n)
})

it('ends only the legs of a lost media process that rings, and the whole call of one that has answered', async () => {
  const { phone, box, startControl, owner } = await createOwner()
  await seeMedia(phone, 'm1')
  await seeMedia(phone, 'm2', { port: 5072 })
  await allow(phone, owner, { records_all: true })
  await startControl()
  const called = async (isRinging: boolean) => {
    const { call } = await box.incoming(NUMBER)
    const newLeg = await taken(phone, owner, call, isRinging)
    return { call, leg: await box.allowed(await newLeg(steps)) }
  }
  const ringing = await called(true)
  const taking = await called(true)
  const answered = await called(false)
  // Another process has taken a call over before call control noticed the loss.
  await phone.db
    .updateTable('media_calls')
    .set({ media_id: 'm2' })
    .where('call_id', '=', `legs/${taking.call}`)
    .execute()
  await passWithMedia(phone, 10)
  expect(box.all('hangup')).toEqual([])
  await passWithMedia(phone, 4, 'm1')
  const ended = new Set(box.all('hangup').map(({ call }) => call))
  expect(ended).toEqual(new Set([ringing.leg.call, taking.leg.call, answered.leg.call, answered.call]))
  const rows = await phone.db.selectFrom('media_calls').select(['call_id', 'ended_at']).execute()
  expect(rows.map(({ call_id, ended_at }) => [call_id, ended_at !== null]).sort()).toEqual(
    [
      [`legs/${answered.call}`, true],
      [`legs/${taking.call}`, false],
    ].sort(),
  )
})
