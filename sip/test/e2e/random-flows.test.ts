import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallFlow } from '@trunkline/contract/call-flows'
import { type Flow, type FlowLogEntry, type Replay, replayOf, type Sound } from '@trunkline/domain/flows'
import { dollars } from '@trunkline/domain/money'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkPath } from '../../../domain/flows/test/paths.ts'
import { startCarrier } from '../../../sandbox/carriers/carrier.ts'
import { startCalledPhone } from '../called-phone.ts'
import { type ApiClient, signIn, startApi } from './api-client.ts'
import { allEnded, callNumber, hears, moneyIsRight, newNumberTo, newSound, storedLog } from './flow-calls.ts'
import { type Cue, type Phones, type PlannedCall, planCall, simulateAgain } from './planned-calls.ts'
import { type Customer, type Provider, startProvider, until } from './provider.ts'
import { anyRealFlow, farNumbers } from './random-flows.ts'

/**
 * Random flows are created and published with the API and called through Kamailio, rtpengine and a media process. The simulator plans
 * each call; the caller follows the plan by ear.
 */
const CARRIER = '127.0.0.32'
const BALANCE = dollars(100)
const VOICE = 20
const SOUNDS = [0, 1, 2, 3, 4, 5, 6]
const SOUND_MS = 600
const FLOWS_PER_CUSTOMER = 5
/** RANDOM_SEED repeats a run. */
const seed = Number(process.env.RANDOM_SEED ?? Date.now() % 2 ** 31)

let provider: Provider
let apiUrl: string
let webUrl: string
const web = createServer((request, response) => {
  if (request.url === '/slow') return
  response.writeHead(request.url === '/error' ? 500 : 200, { 'content-type': 'application/json' })
  response.end('{"digits":"7"}')
})

beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  provider = await startProvider({ FLOW_HTTP_PRIVATE: 'yes' })
  await provider.startMedia('random')
  apiUrl = await startApi(provider)
  const carrier = await startCarrier({ behaviorOf: (number) => farNumbers[number] ?? { kind: 'silent' } })
  provider.harness.keep(carrier)
  await provider.newTrunk(carrier, { incoming_sources: [CARRIER] })
})
afterAll(async () => {
  web.closeAllConnections()
  web.close()
  await provider?.close()
})

type Owner = { customer: Customer; phones: Phones; sounds: Sound[]; api: ApiClient }

async function newOwner(phones: Phones): Promise<Owner> {
  const customer = await provider.newCustomer({ balance: BALANCE })
  await provider.guard(customer.id, { max_concurrent_calls: 1_000, daily_spend_micros: dollars(1_000) })
  await provider.db
    .insertInto('recording_settings')
    .values({ user_id: customer.id, is_allowed: true })
    .execute()
  if (phones !== 'no_answer') {
    const habit = phones === 'busy' ? 486 : 'answers'
    // Call control must know the customer.
    await provider.settle()
    await (await startCalledPhone(provider.harness, customer.account, { habit })).register()
  }
  const sounds = []
  for (const number of SOUNDS) sounds.push(await newSound(provider, customer.id, number, SOUND_MS))
  return { customer, phones, sounds, api: await signIn(provider, apiUrl, customer) }
}

type Case = { owner: Owner; number: string; flow: Flow; plan: PlannedCall }

let numbers = 442079463100

/** A random flow behind a number, and a call through it. */
async function newCase(owner: Owner, flow: Flow, decisions: readonly number[]): Promise<Case> {
  const number = String(++numbers)
  const created = await owner.api.ask('POST /api/flows', { body: { name: `Flow ${number}`, flow } })
  const { id, version } = created.flow
  await owner.api.ask('POST /api/flows/:id/publish', { params: { id }, body: { version } })
  await newNumberTo(provider, owner.customer, number, { kind: 'flow', flowId: id })
  const soundIds = owner.sounds.map((sound) => (sound.kind === 'file' ? sound.soundId : 0))
  const world = {
    phones: owner.phones,
    called: number,
    soundIds,
    soundSeconds: SOUND_MS / 1_000,
    voice: VOICE,
  }
  return { owner, number, flow, plan: planCall(flow, decisions, world) }
}

const isRecording = async (number: string): Promise<boolean> => {
  const rows = await provider.db
    .selectFrom('voicemails')
    .select('id')
    .where('number', '=', number)
    .where('state', '=', 'recording')
    .execute()
  return rows.length > 0
}

const isKey = (entry: FlowLogEntry): boolean => entry.type === 'event' && entry.event.type === 'key'

/** Keys that were pressed in the live call to this number, as the media process has stored them. */
async function storedKeys(number: string): Promise<number> {
  const rows = await provider.db
    .selectFrom('media_call_steps')
    .innerJoin('live_calls', 'live_calls.call_id', 'media_call_steps.call_id')
    .select('entry')
    .where('live_calls.destination', '=', number)
    .execute()
  return rows.filter(({ entry }) => isKey(entry)).length
}

type Answered = Awaited<ReturnType<typeof callNumber>>

/** Does what was planned. Resolves when the call has ended. */
async function follow({ number, plan }: Case, { call, end }: Answered): Promise<void> {
  end.plays(VOICE)
  const act = async (does: Cue['does']): Promise<void> => {
    if (does === 'hangs up') {
      // The BYE takes another way than the keys, and would overtake them.
      const pressed = plan.log.filter(isKey).length
      await until(async () => (await storedKeys(number)) >= pressed, `keys of ${number}`)
      await call.hangUp()
    } else if (does === 'speaks') {
      await until(() => isRecording(number), `a message to ${number}`, 30_000)
      await pause(1_500)
    } else {
      end.press(does.key)
      // The next key is another one, and the rest of the sound that the key ends is not the next sound.
      await pause(120)
      end.forget()
    }
  }
  for (const { after, does } of plan.cues) {
    if (after) await hears(end, after.sound, after.times)
    end.forget()
    await act(does)
  }
  if (plan.cues.at(-1)?.does !== 'hangs up') await call.isHungUp()
}

/** The steps without what a plan cannot know: times, lengths, reasons, and how often the phones of a queue have rung. */
function pathOf(flow: Flow, log: readonly FlowLogEntry[]) {
  const { steps, end } = replayOf(flow, log.map(withoutChance))
  return {
    end,
    steps: steps.map(({ stepId, kind, keys, exit, events }) => ({
      stepId,
      keys,
      exit,
      events:
        kind === 'queue'
          ? events.filter((text) => /answers\.|hangs up/.test(text) && !/Nobody/.test(text))
          : events,
    })),
  }
}

function withoutChance(entry: FlowLogEntry): FlowLogEntry {
  if (entry.type !== 'event') return entry
  const { event } = entry
  if (event.type === 'leg') return { ...entry, event: { ...event, reason: '' } }
  if (event.type === 'http_failed') return { ...entry, event: { ...event, reason: '' } }
  return event.type === 'message' ? { ...entry, event: { ...event, seconds: 2 } } : entry
}

const shownSteps = (replay: Replay) =>
  replay.steps.map(({ stepId, keys, exit, events, enteredAt, leftAt }) => ({
    step_id: stepId,
    keys,
    exit,
    events,
    entered_at: new Date(enteredAt).toISOString(),
    took_seconds: leftAt === null ? null : (leftAt - enteredAt) / 1_000,
  }))

/** Each leg is in a step that can call it, and all legs are there. */
function checkLegs(flow: Flow, replay: CallFlow, legs: number): void {
  const shown = replay.steps.flatMap((step) => step.legs.map((leg) => ({ step, leg })))
  expect(shown).toHaveLength(legs)
  for (const { step, leg } of shown) {
    expect(['ring', 'forward', 'queue']).toContain(step.kind)
    const drawn = flow.steps.find(({ id }) => id === step.step_id)
    if (drawn?.kind === 'forward' && !drawn.number.includes('{'))
      expect(leg.destination).toBe(`+${drawn.number}`)
  }
}

async function checkCase({ owner, number, flow, plan }: Case): Promise<void> {
  const records = await provider.cdrs(owner.customer.id)
  const record = records.find(({ direction, destination }) => direction === 'in' && destination === number)
  const callId = record?.call_id ?? ''
  const log = await storedLog(provider, callId)
  expect(pathOf(flow, log)).toEqual(pathOf(flow, plan.log))
  expect(simulateAgain(flow, log)).toEqual(log)
  checkPath(flow, log)
  const { records: shown } = await owner.api.ask('GET /api/cdr')
  const id = shown.find(({ uniqueid }) => uniqueid === callId)?.id ?? ''
  const { flow: replay } = await owner.api.ask('GET /api/cdr/:id/flow', { params: { id } })
  const steps = shownSteps(replayOf(flow, log)).map((step) => expect.objectContaining(step))
  expect(replay).toMatchObject({ steps, end: replayOf(flow, log).end })
  checkLegs(flow, replay as CallFlow, records.filter((leg) => leg.parent_call_id === callId).length)
}

/** Every price was held before it was charged. */
async function checkHolds({ customer }: Owner): Promise<void> {
  const holds = await provider.db.selectFrom('holds').selectAll().where('user_id', '=', customer.id).execute()
  for (const { call_id, cost_micros, answered_at } of await provider.cdrs(customer.id)) {
    if (cost_micros === 0n) continue
    const hold = holds.find(({ hold_id }) => hold_id === call_id)
    expect(hold).toMatchObject({ settled_micros: cost_micros })
    expect(hold?.placed_at.getTime()).toBeLessThanOrEqual(answered_at?.getTime() ?? 0)
    expect(hold?.placed_micros).toBeGreaterThan(0n)
  }
}

it(`agrees with the simulator and the replay on random flows, seed ${seed}`, async () => {
  const owners = []
  for (const phones of ['answered', 'busy', 'no_answer'] as const) owners.push(await newOwner(phones))
  const cases: Case[] = []
  for (const [at, owner] of owners.entries()) {
    const drawn = fc.tuple(
      anyRealFlow({ sounds: owner.sounds, webUrl }),
      fc.array(fc.nat({ max: 9 }), { minLength: 12, maxLength: 12 }),
    )
    for (const [flow, decisions] of fc.sample(drawn, { seed: seed + at, numRuns: FLOWS_PER_CUSTOMER }))
      cases.push(await newCase(owner, flow, decisions))
  }
  await provider.settle()
  const followed: Promise<void>[] = []
  for (const each of cases) {
    followed.push(follow(each, await callNumber(provider, CARRIER, each.number)))
    followed.at(-1)?.catch(() => {})
  }
  await Promise.all(followed)
  await allEnded(provider)
  for (const each of cases)
    await checkCase(each).catch((error: Error) => {
      error.message += `\nSeed ${seed}, flow ${JSON.stringify(each.flow)}\nplan ${JSON.stringify(each.plan.cues)}`
      throw error
    })
  for (const owner of owners) {
    await checkHolds(owner)
    await moneyIsRight(provider, owner.customer, BALANCE)
  }
})
