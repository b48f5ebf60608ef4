import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FlowLogEntry, Step } from '@trunkline/domain/flows'
import { dollars } from '@trunkline/domain/money'
import { afterAll, expect, it } from 'vitest'
import { frequenciesOf } from '../../../media/dtmf.ts'
import { decodeG711, encodeG711 } from '../../../media/g711.ts'
import { join, recognize, silence, tone } from '../../../media/tones.ts'
import { nextPort } from '../harness.ts'
import { captureRtp } from '../rtp-capture.ts'
import { runSipp } from '../sipp.ts'
import { startBaresip } from '../softphones/baresip.ts'
import type { SoundEnd } from '../sound-end.ts'
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
import { type Customer, LONDON, until } from './provider.ts'

/** One flow with menu, hours, digits, forward and voicemail, called by a carrier, by SIPp and by a softphone. */
const CARRIER = '127.0.0.31'
const NUMBER = '442079463001'
const BALANCE = dollars(100)

/** Callers recognize each prompt by its tones. */
const MENU = 1
const CODE = 2
const WRONG_CODE = 3
const GREETING = 4
const THANKS = 5
const NO_KEY = 6
const VOICE = 20
/** SIPp has an address of its own, at which its audio is captured. */
const SIPP = '127.0.0.34'
/** A caller who presses no key before has heard the prompt. */
const PROMPT_MS = 2_500

const folder = await mkdtemp(joinPath(tmpdir(), 'flows-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const provider = await providerForFile()
const media = await provider.startMedia('first')
let owner: Customer
let friend: Customer
let far: { live(): number }

async function stepsOf(userId: number): Promise<Step[]> {
  const sound = (number: number) => newSound(provider, userId, number)
  const always = [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 1_440 }]
  const digits = {
    variable: 'code',
    minDigits: 4,
    maxDigits: 6,
    endKey: '#',
    repeats: 0,
    seconds: 5,
  } as const
  return [
    { ...stepBase('hours', { open: 'menu' }), kind: 'hours', timeZone: 'UTC', open: always, holidays: [] },
    {
      ...stepBase('menu', { key_1: 'code', key_2: 'voicemail', timeout: 'no_key' }),
      kind: 'menu',
      sound: await sound(MENU),
      keys: ['1', '2'],
      repeats: 1,
      seconds: 6,
    },
    { ...stepBase('code', { next: 'check' }), kind: 'collect', sound: await sound(CODE), ...digits },
    {
      ...stepBase('check', { yes: 'london', no: 'wrong_code' }),
      kind: 'compare',
      left: '{{code}}',
      comparison: 'is',
      right: '4711',
    },
    {
      ...stepBase('london'),
      kind: 'forward',
      number: `+${LONDON}`,
      callerId: 'number',
      seconds: 20,
    },
    { ...stepBase('wrong_code'), kind: 'play', sound: await sound(WRONG_CODE) },
    { ...stepBase('no_key'), kind: 'play', sound: await sound(NO_KEY) },
    {
      ...stepBase('voicemail', { next: 'thanks' }),
      kind: 'voicemail',
      greeting: await sound(GREETING),
      maxSeconds: 60,
    },
    { ...stepBase('thanks'), kind: 'play', sound: await sound(THANKS) },
  ]
}

/** A customer with the flow behind a number, a second customer, and a carrier. */
async function openReception(): Promise<void> {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
  far = carrier
  await provider.newTrunk(carrier, { incoming_sources: [CARRIER] })
  owner = await provider.newCustomer({ balance: BALANCE })
  friend = await provider.newCustomer({ balance: BALANCE })
  for (const { id } of [owner, friend]) await provider.guard(id, { max_concurrent_calls: 1_000 })
  const flowId = await newFlow(provider, owner.id, { start: 'hours', steps: await stepsOf(owner.id) })
  await newNumberTo(provider, owner, NUMBER, { kind: 'flow', flowId })
  await provider.settle()
}

async function press(end: SoundEnd, keys: string): Promise<void> {
  for (const key of keys) {
    end.press(key)
    await pause(150)
  }
}

/** The exits of the owner's calls, each as one text. */
async function paths(): Promise<string[]> {
  const rows = await provider.db
    .selectFrom('media_call_steps')
    .innerJoin('media_calls', 'media_calls.call_id', 'media_call_steps.call_id')
    .select(['media_call_steps.call_id', 'entry'])
    .where('user_id', '=', owner.id)
    .orderBy('media_calls.started_at')
    .orderBy('position')
    .execute()
  const exits = (entry: FlowLogEntry) =>
    entry.type === 'left' ? [`${entry.stepId} ${entry.exit ?? 'end'}`] : []
  return [...Map.groupBy(rows, ({ call_id }) => call_id).values()].map((entries) =>
    entries.flatMap(({ entry }) => exits(entry)).join(', '),
  )
}

const messages = () =>
  provider.db.selectFrom('voicemails').selectAll().where('user_id', '=', owner.id).orderBy('id').execute()

async function samplesOf(file: string): Promise<Uint8Array> {
  const stored = await provider.sounds().read({ file, storage: 'folder' })
  return stored?.samples ?? new Uint8Array()
}

const signaturesOf = async (file: string): Promise<number[]> =>
  recognize(decodeG711(await samplesOf(file), 'alaw'))

it('leads a caller through hours, a wrong key, the menu and digits to another number', async () => {
  await openReception()
  const { call, end } = await callNumber(provider, CARRIER, NUMBER)
  await hears(end, MENU)
  end.forget()
  end.press('9')
  await hears(end, MENU)
  end.press('1')
  await hears(end, CODE)
  await press(end, '4711#')
  await until(async () => far.live() === 1, 'a call at the carrier', 15_000)
  end.forget()
  end.plays(VOICE)
  await hears(end, VOICE)
  await call.hangUp()
  await allEnded(provider)
  expect(await paths()).toEqual(['hours open, menu key_1, code next, check yes, london end'])
  const [incoming, leg] = await provider.cdrs(owner.id)
  expect(leg).toMatchObject({ direction: 'out', destination: LONDON, parent_call_id: incoming?.call_id })
  await moneyIsRight(provider, owner, BALANCE)
})

it('repeats the menu after silence, then plays the exit and hangs up', async () => {
  await openReception()
  const { call, end } = await callNumber(provider, CARRIER, NUMBER)
  await call.isHungUp()
  expect(end.hears()).toEqual([MENU, MENU, NO_KEY])
  await allEnded(provider)
  expect(await paths()).toEqual(['hours open, menu timeout, no_key next'])
  await moneyIsRight(provider, owner, BALANCE)
})

it('hears keys that SIPp sends as tones, and SIPp receives the prompts', async () => {
  await openReception()
  const keys = [...'14712#'].flatMap((key) => [
    tone({ hz: frequenciesOf(key) ?? [], ms: 120 }),
    silence(key === '1' ? PROMPT_MS : 200),
  ])
  const file = joinPath(folder, 'keys.al')
  await writeFile(file, encodeG711(join(silence(PROMPT_MS), ...keys, silence(60_000)), 'alaw'))
  const capture = provider.harness.keep(await captureRtp(SIPP))
  const run = await runSipp({
    scenario: 'caller-is-cut',
    host: SIPP,
    remoteHost: '127.0.0.1',
    port: nextPort(),
    remotePort: provider.sipPort,
    calls: 3,
    service: NUMBER,
    account: friend.account,
    speech: { file },
  })
  expect(await run.ended).toMatchObject({ exitCode: 0, successful: 3, failed: 0 })
  await allEnded(provider)
  expect(await paths()).toEqual(Array(3).fill('hours open, menu key_1, code next, check no, wrong_code next'))
  expect(capture.heard()).toEqual(Array(3).fill([MENU, CODE, WRONG_CODE]))
  await moneyIsRight(provider, owner, BALANCE)
})

it('takes a message of a softphone, which hears the prompts', async () => {
  await openReception()
  const phone = await startBaresip({
    account: friend.account,
    transport: 'udp',
    requiresSrtp: false,
    host: '127.0.0.1',
    port: provider.sipPort,
  })
  try {
    await phone.call(NUMBER)
    await pause(1_000)
    phone.press('2')
    await until(async () => (await messages())[0]?.state === 'recording', 'a message', 15_000)
    const [begun] = await messages()
    await until(
      async () => (await samplesOf(begun?.file ?? '')).length > 2 * 8_000,
      'two seconds of speech',
      30_000,
    )
    await phone.hangUp()
    await until(async () => (await messages())[0]?.state === 'new', 'the message', 15_000)
    const [message] = await messages()
    expect(message).toMatchObject({ number: NUMBER })
    expect(Number(message?.seconds)).toBeGreaterThan(1.5)
    await allEnded(provider)
    expect(recognize(await phone.heard())).toEqual([MENU, GREETING])
  } finally {
    await phone.close()
  }
  await moneyIsRight(provider, owner, BALANCE)
})

it('keeps what callers have said when the media process is killed', async () => {
  const CALLS = 10
  await openReception()
  const calls = []
  for (let n = 0; n < CALLS; n++) {
    const { call, end } = await callNumber(provider, CARRIER, NUMBER)
    await hears(end, MENU)
    end.press('2')
    end.plays(VOICE)
    calls.push({ call, end })
  }
  await until(async () => (await messages()).length === CALLS, 'all messages', 30_000)
  await pause(3_000)
  const startedAt = (await messages()).map(({ started_at }) => started_at.getTime())
  const second = await provider.startMedia('second')
  const spoken = calls.map(({ end }, at) => end.sentSince(startedAt[at] ?? 0))
  await media.kill()
  for (const { call } of calls) await call.isHungUp()
  await until(async () => (await messages()).every(({ state }) => state === 'new'), 'all messages', 30_000)
  for (const [at, { seconds, file }] of (await messages()).entries()) {
    expect((spoken[at] ?? 0) - Number(seconds)).toBeLessThan(1.5)
    expect(await signaturesOf(file)).toContain(VOICE)
  }
  await allEnded(provider)
  expect((await provider.cdrs(owner.id)).map(({ reason }) => reason)).toEqual(Array(CALLS).fill('media_lost'))
  await moneyIsRight(provider, owner, BALANCE)
  await second.kill()
})
