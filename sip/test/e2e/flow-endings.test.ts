import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Flow, Sound, Step } from '@trunkline/domain/flows'
import { dollars } from '@trunkline/domain/money'
import { afterAll, expect, it } from 'vitest'
import { startCarrier } from '../../../sandbox/carriers/carrier.ts'
import { startCalledPhone } from '../called-phone.ts'
import {
  allEnded,
  callNumber,
  moneyIsRight,
  newFlow,
  newNumberTo,
  newSound,
  stepBase,
  storedLog,
} from './flow-calls.ts'
import { providerForFile } from './for-file.ts'
import { simulateAgain } from './planned-calls.ts'
import { type Customer, LONDON, PER_SECOND, until } from './provider.ts'

/** Callers who hang up in each kind of step, and addresses that do not answer as they should. All calls run at once. */
const CARRIER = '127.0.0.35'
const BALANCE = dollars(100)
const SHORT = 1
const LONG = 5
const LONG_MS = 60_000
const VOICE = 20
/** Each exit of an `http` step plays its own sound. */
const HEARD = { next: 2, timeout: 3, failed: 4 }

let slowRequests = 0
const web = createServer((request, response) => {
  if (request.url === '/slow') {
    slowRequests += 1
    request.on('close', () => {
      slowRequests -= 1
    })
    return
  }
  response.writeHead(request.url === '/error' ? 500 : 200)
  response.end(request.url === '/text' ? 'Ada' : '{"name":"Ada"}')
})

await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
const webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
const provider = await providerForFile({ FLOW_HTTP_PRIVATE: 'yes' })
await provider.startMedia('endings')
afterAll(() => {
  web.closeAllConnections()
  web.close()
})

async function newOwner(): Promise<Customer> {
  const carrier = await startCarrier({ behaviorOf: () => ({ kind: 'rings' }) })
  provider.harness.keep(carrier)
  await provider.newTrunk(carrier, { incoming_sources: [CARRIER] })
  const owner = await provider.newCustomer({ balance: BALANCE })
  await provider.guard(owner.id, { max_concurrent_calls: 1_000, daily_spend_micros: dollars(1_000) })
  await provider.db.insertInto('recording_settings').values({ user_id: owner.id, is_allowed: true }).execute()
  return owner
}

type Called = Awaited<ReturnType<typeof callNumber>> & { flow: Flow; number: string }

let numbers = 442079465000

/** A call to each of the flows, in the same order. */
async function callFlows(owner: Customer, flows: Record<string, Step[]>): Promise<Called[]> {
  const drawn = Object.entries(flows).map(([name, steps]) => ({
    name,
    flow: { start: steps[0]?.id ?? '', steps },
    number: String(++numbers),
  }))
  for (const { name, flow, number } of drawn) {
    const flowId = await newFlow(provider, owner.id, flow, name)
    await newNumberTo(provider, owner, number, { kind: 'flow', flowId })
  }
  await provider.settle()
  return Promise.all(
    drawn.map(async ({ flow, number }) => ({
      ...(await callNumber(provider, CARRIER, number)),
      flow,
      number,
    })),
  )
}

/** The exits and the end of each call. Checks that its record is right and that its log replays to the same path. */
async function pathsOf(owner: Customer, calls: readonly Called[], reason: string): Promise<string[][]> {
  const records = await provider.cdrs(owner.id)
  const paths = calls.map(async ({ flow, number }) => {
    const own = records.filter(({ direction, destination }) => direction === 'in' && destination === number)
    expect(own).toMatchObject([
      { status: 'completed', reason, cost_micros: BigInt(own[0]?.seconds ?? 0) * PER_SECOND },
    ])
    const callId = own[0]?.call_id ?? ''
    // The last steps are stored in the background.
    const log = await until(async () => {
      const stored = await storedLog(provider, callId)
      return stored.at(-1)?.type === 'ended' && stored
    }, `the log of ${flow.start}`)
    expect(simulateAgain(flow, log)).toEqual(log)
    return log.flatMap((entry) => {
      if (entry.type === 'left') return [`${entry.stepId}: ${entry.exit}`]
      return entry.type === 'ended' ? [entry.reason] : []
    })
  })
  return Promise.all(paths)
}

/** Flows whose only step waits. */
function waitingFlows(short: Sound, long: Sound): Record<string, Step[]> {
  const digits = { variable: 'code', minDigits: 1, maxDigits: 5, endKey: null, repeats: 0 } as const
  const devices = { devices: 'phones', ringSeconds: 50 } as const
  const phones = { kind: 'phones', steps: [{ devices: 'phones', seconds: 50 }] } as const
  const seconds = 50
  return {
    Play: [{ ...stepBase('play'), kind: 'play', sound: long }],
    Menu: [{ ...stepBase('menu'), kind: 'menu', sound: short, keys: ['1'], repeats: 3, seconds }],
    Collect: [{ ...stepBase('collect'), kind: 'collect', sound: short, ...digits, seconds }],
    Ring: [{ ...stepBase('ring'), kind: 'ring', destination: phones }],
    Forward: [{ ...stepBase('forward'), kind: 'forward', number: `+${LONDON}`, callerId: 'number', seconds }],
    Queue: [
      {
        ...stepBase('queue'),
        kind: 'queue',
        music: short,
        announcesPosition: false,
        ...devices,
        maxSeconds: 600,
        maxWaiting: 5,
      },
    ],
    Greeting: [{ ...stepBase('greeting'), kind: 'voicemail', greeting: long, maxSeconds: 60 }],
    Message: [{ ...stepBase('message'), kind: 'voicemail', greeting: short, maxSeconds: 60 }],
    Record: [{ ...stepBase('record'), kind: 'record', turn: 'on', announcement: long }],
    Http: [{ ...stepBase('http'), kind: 'http', url: `${webUrl}/slow`, seconds: 20, saves: [] }],
  }
}

it('ends calls whose callers hang up in every kind of step, with record, money and replay', async () => {
  const owner = await newOwner()
  await provider.settle()
  const phone = await startCalledPhone(provider.harness, owner.account, { habit: 'rings' })
  await phone.register()
  const short = await newSound(provider, owner.id, SHORT)
  const long = await newSound(provider, owner.id, LONG, LONG_MS)
  const calls = await callFlows(owner, waitingFlows(short, long))
  for (const { end } of calls) end.plays(VOICE)
  const messages = () =>
    provider.db.selectFrom('voicemails').select('state').where('user_id', '=', owner.id).execute()
  // Each caller is in the step.
  const silent = new Set(['ring', 'forward', 'http'])
  for (const { end, flow } of calls)
    if (!silent.has(flow.start))
      await until(async () => end.hears().length > 0, `the sound of ${flow.start}`, 30_000)
  await until(async () => phone.invites().length === 2, 'phones of the ring step and the queue', 30_000)
  await until(async () => slowRequests === 1, 'the question to the address', 30_000)
  await until(async () => (await messages()).length === 1, 'the message', 30_000)
  await until(async () => {
    const legs = (await provider.liveCalls()).filter(({ direction }) => direction === 'out')
    return legs.length === 3 && legs.every(({ state }) => state === 'ringing')
  }, 'three ringing legs')

  await Promise.all(calls.map(({ call }) => call.hangUp()))
  await allEnded(provider)
  expect(await pathsOf(owner, calls, 'hung_up_by_caller')).toEqual(
    calls.map(({ flow }) => [`${flow.start}: null`, 'caller']),
  )
  await until(async () => phone.received('CANCEL').length === 2, 'the end of the ringing')
  await until(async () => slowRequests === 0, 'the end of the question')
  await until(async () => (await messages()).every(({ state }) => state !== 'recording'), 'the message')
  const legs = (await provider.cdrs(owner.id)).filter(({ direction }) => direction === 'out')
  expect(legs.map(({ status, cost_micros }) => [status, cost_micros])).toEqual(
    Array(3).fill(['cancelled', 0n]),
  )
  expect(await provider.db.selectFrom('queue_calls').selectAll().execute()).toEqual([])
  await moneyIsRight(provider, owner, BALANCE)
})

/** An address at which nobody listens. */
async function deadUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/`
}

it('plays the right exit to the caller when an address is dead, slow or wrong', async () => {
  const owner = await newOwner()
  const played = async (exit: keyof typeof HEARD): Promise<Step> => ({
    ...stepBase(exit),
    kind: 'play',
    sound: await newSound(provider, owner.id, HEARD[exit]),
  })
  const exits = [await played('next'), await played('timeout'), await played('failed')]
  const connected = { next: 'next', timeout: 'timeout', failed: 'failed' }
  const asks = (url: string, seconds = 20): Step[] => [
    { ...stepBase('ask', connected), kind: 'http', url, seconds, saves: ['name'] },
    ...exits,
  ]
  const calls = await callFlows(owner, {
    Good: asks(`${webUrl}/`),
    Dead: asks(await deadUrl()),
    Slow: asks(`${webUrl}/slow`, 2),
    Error: asks(`${webUrl}/error`),
    Text: asks(`${webUrl}/text`),
  })
  await Promise.all(calls.map(({ call }) => call.isHungUp()))
  const expected = ['next', 'failed', 'timeout', 'failed', 'failed'] as const
  expect(calls.map(({ end }) => end.hears())).toEqual(expected.map((exit) => [HEARD[exit]]))
  await allEnded(provider)
  expect(await pathsOf(owner, calls, 'hung_up_by_callee')).toEqual(
    expected.map((exit) => [`ask: ${exit}`, `${exit}: next`, 'no_exit']),
  )
  await moneyIsRight(provider, owner, BALANCE)
})
