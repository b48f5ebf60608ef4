import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Carrier } from '../../sandbox/carriers/carrier.ts'
import { headerOf } from '../../sandbox/carriers/sip-message.ts'
import { eventually, LATE_MS } from './eventually.ts'
import { alice, allow, CALLER_ID, credentialsOf, harnessForFile, nextPort } from './harness.ts'
import { killKamailio } from './kill-kamailio.ts'
import { type Saved, untilSaved } from './saved.ts'
import { runSipp } from './sipp.ts'

const harness = await harnessForFile({ workers: 4 })

const knows = credentialsOf(alice)

async function answeredCall(covered = 60, given?: Carrier) {
  const carrier = given ?? (await harness.carrier({ kind: 'echo', ringMs: 20 }))
  const authorize = () => allow([carrier], { coveredSeconds: covered })
  const peer = await harness.peer({ authorize, credentials: knows })
  const phone = await harness.phone({ account: alice })
  const call = await phone.call('442071234567')
  expect((await call.ended).status).toBe(200)
  const name = peer.all('authorize').at(-1)?.call ?? ''
  const answered = await peer.next('answered', (event) => event.call === name)
  return { carrier, peer, phone, call, name, answered }
}

const killSwitch = () => killKamailio(harness.running)

const saved = (what: string, condition: (saved: Saved) => boolean, withinMs?: number) =>
  untilSaved(harness.runFolder, what, condition, withinMs)

describe('while call control is away', () => {
  it('live calls continue, new calls get 503, and events are delivered after the reconnect', async () => {
    const { peer, phone, call, name, answered } = await answeredCall()
    await peer.processed()
    await peer.close()
    await pause(100)
    expect((await (await phone.call('442071234567')).ended).status).toBe(503)
    expect((await call.request('INVITE', call.offer)).status).toBe(200)
    await call.hangUp()
    await pause(200)
    const back = await harness.peer({ credentials: knows })
    const ended = await back.next('ended', (event) => event.call === name)
    expect(ended).toMatchObject({ by: 'caller', answeredAt: answered.at })
    expect(back.all('answered').filter((event) => event.call === name)).toEqual([])
    await back.processed()
    await back.close()
    const third = await harness.peer({ credentials: knows })
    await pause(200)
    expect(third.all('ended')).toEqual([])
  })

  it('new calls are admitted as soon as a stalled call control responds again', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    let isStalled = true
    const peer = await harness.peer({
      authorize: () => (isStalled ? null : allow([carrier])),
      credentials: knows,
    })
    const phone = await harness.phone({ account: alice })
    const statusOfCall = async () => {
      const call = await phone.call('442071234567')
      const { status } = await call.ended
      if (status === 200) await call.hangUp()
      return status
    }
    expect(await statusOfCall()).toBe(503)
    isStalled = false
    for (const deadline = Date.now() + 20_000; (await statusOfCall()) !== 200; await pause(50))
      expect(Date.now()).toBeLessThan(deadline)
    expect(await statusOfCall()).toBe(200)
    await eventually(() => peer.all('ended').length === 2, '`ended` for both calls')
  })

  it('unacknowledged events are resent on the same and on the next connection', async () => {
    const carrier = await harness.carrier({ kind: 'refuse', code: 486, reason: 'Busy' })
    const unacknowledging = await harness.peer({
      authorize: () => allow([carrier]),
      credentials: knows,
      acknowledges: false,
    })
    const phone = await harness.phone({ account: alice })
    await (await phone.call('442071234567')).ended
    const { id } = await unacknowledging.next('failed')
    await eventually(
      () => unacknowledging.all('failed').filter((event) => event.id === id).length >= 2,
      'resent event',
    )
    await unacknowledging.close()
    const next = await harness.peer()
    expect((await next.next('failed', (event) => event.id === id)).code).toBe(486)
  })
})

describe('when Kamailio is killed', () => {
  it('its calls continue: they are listed, accept re-INVITE and BYE, and one `ended` is sent', async () => {
    const { carrier, call, name, answered } = await answeredCall()
    await saved('the call', ({ calls }) => calls.has(name))
    await killSwitch()
    const peer = await harness.peer({ credentials: knows })
    peer.send({ type: 'list', request: 'after' })
    expect((await peer.next('live')).calls).toEqual([
      { call: name, state: 'answered', answeredAt: answered.at, coveredSeconds: 60 },
    ])
    expect((await call.request('INVITE', call.offer)).status).toBe(200)
    await call.speech.echoes(3)
    expect((await call.hangUp()).status).toBe(200)
    for (const request of carrier.requests) expect(headerOf(request, 'from')).toContain(CALLER_ID)
    const ended = await peer.next('ended', (event) => event.call === name)
    expect(ended).toMatchObject({
      by: 'caller',
      answeredAt: answered.at,
      trunk: 1,
      attempts: [{ code: 200 }],
    })
    await pause(200)
    expect(peer.all('ended')).toHaveLength(1)
    peer.send({ type: 'list', request: 'gone' })
    expect((await peer.next('live', ({ request }) => request === 'gone')).calls).toEqual([])
  })

  it('calls still end after their covered seconds, including extensions', async () => {
    const { carrier, peer, call, name, answered } = await answeredCall(6)
    peer.send({ type: 'extend', call: name, coveredSeconds: 10 })
    await peer.processed()
    await saved('the extension', ({ calls }) => calls.get(name) === 10)
    await killSwitch()
    const back = await harness.peer({ credentials: knows })
    await call.isHungUp()
    const lasted = Date.now() - answered.at
    expect(lasted).toBeGreaterThanOrEqual(10_000)
    expect(lasted).toBeLessThan(10_000 + LATE_MS)
    await eventually(() => carrier.live() === 0, 'BYE to the carrier')
    expect(await back.next('ended', (event) => event.call === name)).toMatchObject({
      by: 'timeout',
      at: answered.at + 10_000,
    })
  })

  it('a call that waits for the confirmation of its carrier ends at the time of the hang-up', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20, byeStatus: null })
    const { peer, call, name } = await answeredCall(60, carrier)
    await saved('the call', ({ calls }) => calls.has(name))
    await pause(1_500)
    const hungUpAt = Date.now()
    expect((await call.hangUp()).status).toBe(200)
    await saved('the hang-up', ({ calls }) => (calls.get(name) ?? 60) < 10)
    // Call control extends every call that has not ended.
    peer.send({ type: 'extend', call: name, coveredSeconds: 120 })
    await peer.processed()
    await pause(100)
    await killSwitch()
    const back = await harness.peer({ credentials: knows })
    const ended = await back.next('ended', (event) => event.call === name)
    expect(Math.abs(ended.at - hungUpAt)).toBeLessThan(1_500)
    const byes = () => carrier.requests.filter(({ method }) => method === 'BYE').length
    await eventually(() => byes() > 1, 'another BYE to the carrier')
    back.send({ type: 'list', request: 'after' })
    expect((await back.next('live')).calls).toEqual([])
    await pause(200)
    expect(back.all('ended')).toHaveLength(1)
  })

  it('events that were unacknowledged for three seconds survive', async () => {
    const { peer, call, name } = await answeredCall()
    await peer.processed()
    await peer.close()
    await call.hangUp()
    await saved('the event', ({ events }) => events.includes(name), 5_000)
    await killSwitch()
    const back = await harness.peer()
    expect((await back.next('ended', (event) => event.call === name)).by).toBe('caller')
    await back.processed()
    await saved('no event', ({ events }) => !events.includes(name))
    await killSwitch()
    const third = await harness.peer()
    await pause(200)
    expect(third.all('ended')).toEqual([])
  })

  it('an answer to an unsaved call starts no call', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 60_000 })
    const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: knows })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    call.ended.catch(() => {})
    await call.rings()
    await peer.next('ringing')
    await killSwitch()
    const back = await harness.peer()
    carrier.answerAll()
    await eventually(() => carrier.live() === 1, 'answer of the carrier')
    await pause(300)
    expect(call.received().filter(({ status }) => status === 200)).toEqual([])
    back.send({ type: 'list', request: 'none' })
    expect((await back.next('live')).calls).toEqual([])
  })

  it('every answered SIPp call is reported exactly once', async () => {
    const count = 30
    const carrier = await runSipp({ scenario: 'carrier', port: nextPort(), calls: count })
    const authorize = () => allow([{ host: '127.0.0.1', port: carrier.port }])
    const before = await harness.peer({ authorize, credentials: knows, addresses: ['127.0.0.1'] })
    await pause(100)
    const calling = await runSipp({
      scenario: 'caller-by-address',
      port: nextPort(),
      calls: count,
      perSecond: 60,
      // Long enough for a busy machine to list all calls after the restart, before the first one ends.
      talk: 12_000,
      remotePort: harness.sipPort,
    })
    await eventually(() => before.all('answered').length === count, `${count} answers`)
    await saved('every call', ({ calls }) => before.all('answered').every(({ call }) => calls.has(call)))
    await killSwitch()
    const after = await harness.peer()
    after.send({ type: 'list', request: 'all' })
    await after.next('live', ({ last }) => last)
    const listed = new Set(after.all('live').flatMap(({ calls }) => calls.map(({ call }) => call)))
    expect(before.all('answered').filter(({ call }) => !listed.has(call))).toEqual([])
    const result = await calling.ended
    expect(result, result.errors).toMatchObject({ successful: count, failed: 0 })
    await eventually(() => after.all('ended').length >= count, `${count} ends`)
    const ended = after.all('ended')
    expect(ended.map(({ call }) => call).sort()).toEqual(
      before
        .all('answered')
        .map(({ call }) => call)
        .sort(),
    )
    expect(ended.every(({ at, answeredAt }) => Math.abs(at - answeredAt - 12_000) < LATE_MS)).toBe(true)
    expect((await carrier.ended).successful).toBe(count)
  })
})
