import { describe, expect, it } from 'vitest'
import { connectCallControl, startSwitchForEach, type TestCallControl, terms } from '../test/call-control.ts'
import { jsonOf } from '../test/provider.ts'
import type { CallRecord, ManualSwitchClock, RunningDemoSwitch } from './start.ts'

let clock: ManualSwitchClock
let demo: RunningDemoSwitch
let control: TestCallControl

startSwitchForEach({ controlPort: 0 }, (bench) => {
  clock = bench.clock
  demo = bench.demo
  control = bench.control
})

const address = (path: string) => `http://127.0.0.1:${demo.controlPort}${path}`
const send = (path: string, body: unknown = {}) =>
  fetch(address(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const submit = (path: string, fields: Record<string, string> = {}) =>
  fetch(address(path), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const page = async () => (await fetch(address('/sandbox'))).text()

async function placed(wish: object): Promise<CallRecord> {
  const answer = jsonOf<CallRecord>(send('/sandbox/calls', wish))
  control.say(terms((await control.waitFor('authorize')).call))
  return answer
}

describe('test controls over HTTP', () => {
  it('place a call, hang it up and return its true outcome', async () => {
    const { call, decision } = await placed({ user: 'alice', to: '+12125550123', talkMs: null })
    expect(decision).toBe('allowed')
    clock.advance(7000)
    expect(await jsonOf(fetch(address('/sandbox/calls')))).toMatchObject({ calls: [{ call, code: 200 }] })
    expect(await jsonOf(send(`/sandbox/calls/${call}/hangup`, { by: 'callee' }))).toEqual({ hungUp: true })
    expect(await jsonOf(send(`/sandbox/calls/${call}/hangup`))).toEqual({ hungUp: false })
    expect(await jsonOf(fetch(address('/sandbox/truth')))).toMatchObject({
      calls: [{ call, seconds: 5, by: 'callee' }],
    })
  })

  it('answer a ringing call', async () => {
    const carriers = [{ code: 200, afterMs: null, ringAfterMs: 10 }]
    const { call } = await placed({ user: 'alice', to: '+12125550123', carriers, talkMs: null })
    clock.advance(60_000)
    expect(await jsonOf(fetch(address('/sandbox/calls')))).toMatchObject({ calls: [{ call, code: null }] })
    expect(await jsonOf(send(`/sandbox/calls/${call}/answer`))).toEqual({ answered: true })
    expect(await control.waitFor('answered')).toMatchObject({ call })
    expect(await jsonOf(send(`/sandbox/calls/${call}/answer`))).toEqual({ answered: false })
    expect(await jsonOf(send('/sandbox/calls/nobody/answer'))).toEqual({ answered: false })
  })

  it('set and reset faults, close connections, send garbage and crash', async () => {
    expect(await jsonOf(send('/sandbox/faults', { doubled: true }))).toMatchObject({ doubled: true })
    const reset = await jsonOf(fetch(address('/sandbox/faults'), { method: 'DELETE' }))
    expect(reset).toEqual(demo.faults())
    expect(demo.faults().doubled).toBe(false)
    await send('/sandbox/drop')
    await control.closed
    const before = demo.startedAt()
    expect(await jsonOf(send('/sandbox/die', { down_ms: 0 }))).toEqual({ startedAt: before + 1 })
    clock.advance(0)
    control = await connectCallControl(demo.port)
    await send('/sandbox/garbage')
    await control.closed
    expect(await jsonOf(send('/sandbox/traffic', { running: true }))).toEqual({ running: true })
    expect(await jsonOf(fetch(address('/sandbox/state')))).toMatchObject({ id: 'test', isTrafficOn: true })
  })

  it('explain an invalid request', async () => {
    const answer = await send('/sandbox/calls', { to: '1', color: 'red' })
    expect(answer.status).toBe(400)
    expect(await jsonOf<{ message: string }>(answer)).toMatchObject({
      message: expect.stringContaining('color'),
    })
  })
})

describe('the control page', () => {
  it('shows live and completed calls, and escapes the dialed number', async () => {
    await placed({ user: 'alice', to: '<b>1</b>', talkMs: 1000 })
    expect(await page()).toContain('Live calls (1)')
    expect(await page()).toContain('&lt;b&gt;1&lt;/b&gt;')
    clock.advance(10_000)
    expect(await page()).toContain('Live calls (0)')
    expect(await page()).toContain('1: 200')
  })

  it('accepts its own forms', async () => {
    const form = { user: '', address: '203.0.113.9', to: '442079460123', code: '486', after_ms: '10' }
    const answer = submit('/sandbox/calls', { ...form, talk_seconds: '5', hangs_up: 'callee' })
    const { call } = await control.waitFor('authorize', { address: '203.0.113.9' })
    control.say(terms(call))
    expect((await answer).status).toBe(303)
    clock.advance(10)
    expect(demo.truth()).toMatchObject([{ code: 486, by: 'carrier' }])

    await submit('/sandbox/faults', {
      doubled: 'true',
      delay_ms: '5',
      jitter_ms: '0',
      ignores: 'extend,hangup',
      frozen: 'false',
    })
    expect(demo.faults()).toMatchObject({ doubled: true, delay_ms: 5, ignores: ['extend', 'hangup'] })
    await submit('/sandbox/faults', { reset: '1' })
    expect(demo.faults().doubled).toBe(false)
    await submit('/sandbox/traffic', { running: 'true' })
    expect(demo.isTrafficOn()).toBe(true)
    expect((await submit('/sandbox/die')).status).toBe(303)
    await control.closed
  })
})
