import type { Step } from '@trunkline/domain/flows'
import { dollars } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import { decodeG711 } from '../../../media/g711.ts'
import { recognize } from '../../../media/tones.ts'
import { mediaTarget } from '../../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from '../called-phone.ts'
import { watchStops } from '../eventually.ts'
import { openSoundEnd } from '../sound-end.ts'
import {
  allEnded,
  callNumber,
  hears,
  moneyIsRight,
  newFlow,
  newNumberTo,
  newSound,
  stepBase,
} from './flow-calls.ts'
import { providerForFile } from './for-file.ts'
import { type Customer, LONDON, PER_SECOND, until } from './provider.ts'

/** Flows with real processes: PostgreSQL, call control, media, Kamailio and rtpengine. */
const CARRIER = '127.0.0.30'
const NUMBER = '442079462001'
const BALANCE = dollars(100)
const MENU = 12
const VOICE = 20
/** A clean end for the callers, after the kill of their media process. */
const LOST_WITHIN_MS = 5_000

const provider = await providerForFile()

/** A menu: 1 forwards to London, 2 rings the phones. */
async function newReception({ id: userId }: Customer): Promise<number> {
  const steps: Step[] = [
    {
      ...stepBase('menu', { key_1: 'london', key_2: 'phones' }),
      kind: 'menu',
      sound: await newSound(provider, userId, MENU),
      keys: ['1', '2'],
      repeats: 3,
      seconds: 60,
    },
    {
      ...stepBase('london'),
      kind: 'forward',
      number: `+${LONDON}`,
      callerId: 'number',
      seconds: 30,
    },
    {
      ...stepBase('phones'),
      kind: 'ring',
      destination: { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] },
    },
  ]
  return newFlow(provider, userId, { start: 'menu', steps })
}

/** A customer whose number is answered by the flow, and a carrier. */
async function createReception() {
  const far = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
  await provider.newTrunk(far, { incoming_sources: [CARRIER] })
  const owner = await provider.newCustomer({ balance: BALANCE })
  await provider.guard(owner.id, { max_concurrent_calls: 1_000, daily_spend_micros: dollars(1_000) })
  const flowId = await newReception(owner)
  await newNumberTo(provider, owner, NUMBER, { kind: 'flow', flowId })
  await provider.settle()
  return { owner, far, flowId }
}

/** The carrier calls the number. The call is in the menu when it returns. */
async function callReception() {
  const called = await callNumber(provider, CARRIER, NUMBER)
  await hears(called.end, MENU)
  return called
}

it('forwards a call by a key, with a record and a price for each leg', async () => {
  const media = await provider.startMedia('m1')
  const { owner, far, flowId } = await createReception()
  const { call, end } = await callReception()
  end.press('1')
  await until(async () => far.live() === 1, 'a call at the carrier', 15_000)
  end.forget()
  end.plays(3)
  await hears(end, 3)
  await until(
    async () => (await provider.liveCalls()).every(({ state }) => state === 'answered'),
    'answered legs',
  )
  await call.hangUp()
  await allEnded(provider)
  await until(async () => far.live() === 0, 'end at the carrier', 15_000)
  const [incoming, leg] = await provider.cdrs(owner.id)
  expect(incoming).toMatchObject({ direction: 'in', explanation: 'Always: flow Reception.' })
  expect(leg).toMatchObject({
    direction: 'out',
    destination: LONDON,
    parent_call_id: incoming?.call_id,
    explanation: 'Forwarded by flow Reception.',
    caller_id: NUMBER,
  })
  for (const record of [incoming, leg])
    expect(record).toMatchObject({
      status: 'completed',
      cost_micros: BigInt(record?.seconds ?? 0) * PER_SECOND,
    })
  const mediaCall = await provider.db.selectFrom('media_calls').selectAll().executeTakeFirstOrThrow()
  expect(mediaCall).toMatchObject({ call_id: incoming?.call_id, kind: 'flow', user_id: owner.id })
  expect(flowId).toBeGreaterThan(0)
  await moneyIsRight(provider, owner, BALANCE)
  await media.kill()
})

it('rings a phone by a key without a charge for the leg, and plays a ringback tone until the answer', async () => {
  const media = await provider.startMedia('m2')
  const { owner } = await createReception()
  const sound = provider.harness.keep(await openSoundEnd())
  const phone = await startCalledPhone(provider.harness, owner.account, {
    habit: 'rings',
    describe: (host) => sound.describe(host),
  })
  await phone.register()
  const { call, end } = await callReception()
  expect(end.hearsRingback()).toBe(0)
  end.press('2')
  const invite = await phone.rung()
  await until(async () => end.hearsRingback() > 0.2, 'ringback tone', 15_000)
  await phone.answer()
  sound.aim(mediaTarget(invite.body))
  sound.plays(9)
  await hears(end, 9)
  phone.hangUp()
  await call.isHungUp()
  await allEnded(provider)
  const [incoming, leg] = await provider.cdrs(owner.id)
  expect(leg).toMatchObject({
    direction: 'out',
    status: 'completed',
    cost_micros: 0n,
    parent_call_id: incoming?.call_id,
    explanation: 'Rung by flow Reception.',
  })
  await moneyIsRight(provider, owner, BALANCE)
  await media.kill()
})

/** A customer whose number takes messages, and a carrier. */
async function createMailbox(): Promise<Customer> {
  const far = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
  await provider.newTrunk(far, { incoming_sources: [CARRIER] })
  const owner = await provider.newCustomer({ balance: BALANCE })
  await newNumberTo(provider, owner, NUMBER, { kind: 'voicemail' })
  await provider.settle()
  return owner
}

const messagesOf = ({ id }: Customer) =>
  provider.db.selectFrom('voicemails').selectAll().where('user_id', '=', id).execute()

async function soundOf(message: { file: string } | undefined): Promise<Int16Array> {
  const stored = message && (await provider.sounds().read({ file: message.file, storage: 'folder' }))
  return decodeG711(stored?.samples ?? new Uint8Array(), 'alaw')
}

/** The carrier's caller speaks for two seconds after the beep, then hangs up. */
async function leaveMessage(owner: Customer): Promise<void> {
  const { call, end } = await callNumber(provider, CARRIER, NUMBER)
  // A key skips the greeting.
  end.press('1')
  end.plays(VOICE)
  const isLong = async () => (await soundOf((await messagesOf(owner))[0])).length > 2 * 8_000
  await until(isLong, 'two seconds of speech', 60_000)
  await call.hangUp()
}

it('lights the lamp of a phone, which hears and deletes the message with *97, and nobody else', async () => {
  const media = await provider.startMedia('m3')
  const owner = await createMailbox()
  const phone = await provider.harness.phone({ account: owner.account })
  expect((await phone.register()).status).toBe(200)
  const lamp = (text: string) => {
    const last = () => phone.messages.findLast(({ method }) => method === 'NOTIFY')?.body ?? ''
    return until(async () => last().includes(text), `NOTIFY with ${text}, not ${last()}`, 30_000)
  }
  await leaveMessage(owner)
  await lamp('Messages-Waiting: yes')
  await lamp('Voice-Message: 1/0')

  const end = provider.harness.keep(await openSoundEnd())
  const call = await phone.call('*97', [], (host) => end.describe(host))
  const answer = await call.ended
  expect(answer.status).toBe(200)
  end.aim(mediaTarget(answer.body))
  await hears(end, VOICE)
  end.press('3')
  await lamp('Voice-Message: 0/0')
  await lamp('Messages-Waiting: no')
  expect(await messagesOf(owner)).toEqual([])
  await call.hangUp()
  await allEnded(provider)
  expect(await provider.cdrs(owner.id)).toMatchObject([
    { direction: 'in', status: 'completed' },
    { dialed: '*97', status: 'completed', cost_micros: 0n, route_name: 'Voicemail' },
  ])
  const stranger = await provider.harness.phone({ account: { user: owner.username, password: 'guessed' } })
  expect((await (await stranger.call('*97')).ended).status).toBe(403)
  await moneyIsRight(provider, owner, BALANCE)
  await media.kill()
})

it('has a message in the mailbox when the media process is killed a second after the caller hung up', async () => {
  const media = await provider.startMedia('m4')
  const owner = await createMailbox()
  const stops = provider.harness.keep(watchStops())
  await leaveMessage(owner)
  const hungUpAt = Date.now()
  await until(async () => Date.now() - Math.max(hungUpAt, stops.lastAt()) >= 1_000, 'one second')
  await media.kill()
  const [message] = await messagesOf(owner)
  expect(message).toMatchObject({ state: 'new', number: NUMBER })
  expect(Number(message?.seconds)).toBeGreaterThan(2)
  expect(recognize(await soundOf(message))).toContain(VOICE)
  await allEnded(provider)
  await moneyIsRight(provider, owner, BALANCE)
})

it('ends calls cleanly when their media process is killed, and a second one takes new calls at once', async () => {
  const CALLS = 50
  const first = await provider.startMedia('first')
  const { owner, far } = await createReception()
  const calls = []
  for (let n = 0; n < CALLS; n++) calls.push(await callReception())
  const forwarded = calls[0]
  forwarded?.end.press('1')
  await until(async () => far.live() === 1, 'a call at the carrier', 15_000)
  const answered = async () => (await provider.liveCalls()).every(({ state }) => state === 'answered')
  await until(answered, 'answered calls')
  const second = await provider.startMedia('second')

  const stops = provider.harness.keep(watchStops())
  const killedAt = Date.now()
  /** Call control gives a media process time again after a stop. */
  const sinceKillOrStop = () => Date.now() - Math.max(killedAt, stops.lastAt())
  await first.kill()
  // The killed process is still listed. It refuses the connection, and the next one takes the call.
  const next = await callReception()
  expect(sinceKillOrStop()).toBeLessThan(LOST_WITHIN_MS)
  for (const { call } of calls) await call.isHungUp()
  expect(sinceKillOrStop()).toBeLessThan(LOST_WITHIN_MS + 1_000)
  await until(async () => far.live() === 0, 'end at the carrier', 5_000)
  await until(async () => (await provider.liveCalls()).length === 1, 'end of the lost calls', 30_000)
  expect(next.call.requests('BYE')).toEqual([])
  await next.call.hangUp()
  await allEnded(provider)

  const records = await provider.cdrs(owner.id)
  expect(records).toHaveLength(CALLS + 2)
  const lost = records.filter(({ reason }) => reason === 'media_lost')
  expect(lost).toHaveLength(CALLS + 1)
  for (const record of records)
    expect(record).toMatchObject({ status: 'completed', cost_micros: BigInt(record.seconds) * PER_SECOND })
  await moneyIsRight(provider, owner, BALANCE)
  await second.kill()
})
