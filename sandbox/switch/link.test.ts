import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectCallControl, terms } from '../test/call-control.ts'
import { temporaryFolder } from '../test/provider.ts'
import {
  createManualSwitchClock,
  type ManualSwitchClock,
  type RunningDemoSwitch,
  startDemoSwitch,
} from './start.ts'

let clock: ManualSwitchClock
let demo: RunningDemoSwitch
const controls: { close(): Promise<void> }[] = []

beforeEach(async () => {
  clock = createManualSwitchClock()
  demo = await startDemoSwitch({ port: 0, id: 'test', clock })
})
afterEach(async () => {
  for (const control of controls.splice(0)) await control.close()
  await demo.close()
})

async function connected() {
  const control = await connectCallControl(demo.port)
  controls.push(control)
  await control.waitFor('hello')
  return control
}

async function answeredCall(control: Awaited<ReturnType<typeof connected>>) {
  const placed = demo.place({ user: 'alice', to: '12125550123', talkMs: 5000 })
  await control.waitFor('authorize', { call: placed.call })
  control.say(terms(placed.call))
  await placed.decided
  clock.advance(2000)
  return placed
}

describe('messages', () => {
  it('start with hello and go to every call control', async () => {
    const first = await connected()
    const second = await connected()
    expect(first.received[0]).toEqual({
      type: 'hello',
      switch: 'test',
      software: 'Trunkline demo switch',
      startedAt: demo.startedAt(),
      demo: false,
    })
    expect(second.received[0]).toEqual(first.received[0])
    const { call } = await answeredCall(first)
    await second.waitFor('answered', { call })
    expect(second.typesOf(call)).toEqual(['authorize', 'ringing', 'answered'])
    clock.advance(5000)
    await first.waitFor('alive')
    expect((await second.waitFor('alive')).at).toBe(demo.startedAt() + 5000)
  })

  it('are kept until acknowledged, and replayed in order to new connections', async () => {
    const first = await connected()
    const { call } = await answeredCall(first)
    first.acknowledge((await first.waitFor('ringing')).id)
    await first.settled()
    await first.close()
    clock.advance(10_000)

    const second = await connected()
    await second.waitFor('ended', { call })
    expect(second.received.map(({ type }) => type)).toEqual(['hello', 'answered', 'ended'])
    const ids = demo.kept().map(({ id }) => id)
    second.acknowledge(...ids)
    await demo.acknowledged()
    const third = await connected()
    await third.settled()
    expect(third.received.map(({ type }) => type)).toEqual(['hello', 'live'])
  })

  it('split a long list of calls', async () => {
    const control = await connected()
    for (let index = 0; index < 450; index++) demo.place({ user: 'alice', to: '12125550123' })
    control.say({ type: 'list', request: 'all' })
    await control.waitFor('live', { request: 'all', last: true })
    const parts = control.received.flatMap((message) => (message.type === 'live' ? [message] : []))
    expect(parts.map(({ calls, last }) => [calls.length, last])).toEqual([
      [200, false],
      [200, false],
      [50, true],
    ])
    expect(new Set(parts.flatMap(({ calls }) => calls.map(({ call }) => call))).size).toBe(450)
  })

  it('are logged with the true outcome', async () => {
    const place = temporaryFolder()
    const logged = await startDemoSwitch({ port: 0, id: 'logged', clock, logFolder: place.folder })
    logged.place({ user: 'alice', to: '12125550123' })
    await logged.close()
    const lines = readFileSync(join(place.folder, 'truth.jsonl'), 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ step: 'over', code: 503 }])
    place.remove()
  })
})

describe('faults on demand', () => {
  it('send everything twice', async () => {
    demo.setFaults({ doubled: true })
    const control = await connected()
    const { call } = await answeredCall(control)
    await control.settled()
    expect(control.typesOf(call)).toEqual(
      ['authorize', 'ringing', 'answered'].flatMap((type) => [type, type]),
    )
    expect(demo.kept()).toHaveLength(2)
  })

  it('reverse the order of events', async () => {
    demo.setFaults({ reversed: 3 })
    const control = await connected()
    const { call } = await answeredCall(control)
    clock.advance(5000)
    await control.settled()
    expect(control.typesOf(call)).toEqual(['authorize', 'ended', 'answered', 'ringing'])
  })

  it('delay events and send them out of order', async () => {
    demo.setFaults({ delay_ms: 3000, jitter_ms: 1000 })
    const control = await connected()
    const { call } = await answeredCall(control)
    clock.advance(999)
    await control.settled()
    expect(control.typesOf(call)).toEqual(['authorize'])
    clock.advance(4000)
    await control.waitFor('answered', { call })
  })

  it('ignore commands of call control', async () => {
    demo.setFaults({ ignores: ['extend', 'hangup', 'ack'] })
    const control = await connected()
    const { call } = await answeredCall(control)
    control.say({ type: 'extend', call, coveredSeconds: 600 })
    control.say({ type: 'hangup', call, reason: 'asked for' })
    control.acknowledge(...demo.kept().map(({ id }) => id))
    expect(await control.settled()).toMatchObject([{ call, coveredSeconds: 60 }])
    expect(demo.kept()).toHaveLength(2)
    demo.resetFaults()
    control.say({ type: 'hangup', call, reason: 'asked for' })
    await control.waitFor('ended', { call })
  })

  it('freeze the connection while calls continue', async () => {
    const control = await connected()
    const { call } = await answeredCall(control)
    await control.settled()
    const before = control.received.length
    demo.setFaults({ frozen: true })
    control.say({ type: 'extend', call, coveredSeconds: 600 })
    clock.advance(20_000)
    const other = await connectCallControl(demo.port)
    controls.push(other)
    // Allows time for an unexpected byte to arrive.
    await pause(30)
    expect(control.received).toHaveLength(before)
    expect(other.received).toEqual([])
    demo.setFaults({ frozen: false })
    await control.waitFor('ended', { call })
    await other.waitFor('hello')
  })

  it('close the connection, send garbage, and survive received garbage', async () => {
    const cut = await connected()
    demo.dropConnections()
    await cut.closed
    const deaf = await connected()
    demo.sendGarbage()
    await deaf.closed
    expect(deaf.garbled).toHaveLength(1)
    const wild = await connected()
    wild.sayBytes(Buffer.from('13:{"type":"no"},4:null,'))
    expect(await wild.settled()).toEqual([])
    wild.sayBytes(Buffer.from('no netstring'))
    await wild.closed
  })

  it('crash: calls and events are lost, and a new instance starts', async () => {
    const control = await connected()
    const before = demo.startedAt()
    const { call } = await answeredCall(control)
    demo.die(1000)
    await control.closed
    expect(demo.live()).toEqual([])
    expect(demo.kept()).toEqual([])
    expect(demo.truth()).toMatchObject([{ call, by: 'death', answeredAt: before + 2000 }])
    await expect(connectCallControl(demo.port).then(({ closed }) => closed)).resolves.toBeDefined()
    clock.advance(1000)
    const back = await connected()
    expect(await back.waitFor('hello')).toMatchObject({ startedAt: before + 2000 })
    expect(await back.settled()).toEqual([])
    expect(demo.place({ user: 'alice', to: '1' }).call).not.toBe(call)
  })
})

it('runs a load test and reports the results', async () => {
  const control = await connected()
  const wish = {
    callsPerSecond: 100,
    seconds: 2,
    users: ['alice'],
    numbers: ['12125550123'],
    answerRatio: 0.6,
  }
  const running = demo.load(wish)
  let answered = 0
  let report: Awaited<typeof running> | undefined
  running.then((done) => {
    report = done
  })
  while (!report) {
    await control.settled()
    for (const message of control.received.slice(answered))
      if (message.type === 'authorize') control.say(terms(message.call))
    answered = control.received.length
    await control.settled()
    clock.advance(10)
  }
  expect(report).toMatchObject({ placed: 200, allowed: 200, refused: 0, answered: 120, failed: 80 })
})
