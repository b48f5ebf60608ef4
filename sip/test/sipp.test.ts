import { describe, expect, it } from 'vitest'
import { eventually, LATE_MS } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile, nextPort } from './harness.ts'
import { runSipp } from './sipp.ts'

const harness = await harnessForFile({ workers: 4 })

const account = { user: alice.user, password: alice.password }

describe('SIPp calls', () => {
  it('over a SIPp carrier are all reported exactly once', async () => {
    const carrier = await runSipp({ scenario: 'carrier', port: nextPort(), calls: 40 })
    const peer = await harness.peer({
      authorize: () => allow([{ host: '127.0.0.1', port: carrier.port }]),
      credentials: credentialsOf(alice),
    })
    const to = { remotePort: harness.sipPort, account }
    const registering = await runSipp({
      scenario: 'register',
      port: nextPort(),
      calls: 1,
      service: 'alice',
      ...to,
    })
    expect(await registering.ended).toMatchObject({ exitCode: 0, successful: 1, failed: 0, errors: '' })

    const calling = await runSipp({
      scenario: 'caller',
      port: nextPort(),
      calls: 40,
      perSecond: 40,
      talk: 300,
      ...to,
    })
    const result = await calling.ended
    expect(result).toMatchObject({ exitCode: 0, successful: 40, failed: 0, errors: '' })
    expect(result.calls.size).toBe(40)
    await eventually(() => peer.all('ended').length >= 40, '40 `ended` events')
    expect(new Set(peer.all('ended').map(({ call }) => call)).size).toBe(40)
    expect(
      peer.all('ended').every(({ by, at, answeredAt }) => by === 'caller' && at - answeredAt < LATE_MS),
    ).toBe(true)
    expect(peer.all('failed')).toEqual([])
    expect((await carrier.ended).successful).toBe(40)
  })

  it('are all in the list, even more than a hundred', async () => {
    const count = 130
    const carrier = await runSipp({ scenario: 'carrier', port: nextPort(), calls: count })
    const peer = await harness.peer({
      authorize: () => allow([{ host: '127.0.0.1', port: carrier.port }]),
      credentials: credentialsOf(alice),
    })
    const calling = await runSipp({
      scenario: 'caller-is-cut',
      port: nextPort(),
      calls: count,
      perSecond: 65,
      remotePort: harness.sipPort,
      account,
      timeoutSeconds: 90,
    })
    await eventually(() => peer.all('answered').length >= count, `${count} answers`)
    peer.send({ type: 'list', request: 'all of them' })
    const pages = () => peer.all('live').filter(({ request }) => request === 'all of them')
    await eventually(() => pages().some(({ last }) => last), 'end of the list')
    const listed = pages().flatMap(({ calls }) => calls)
    expect(new Set(listed.map(({ call }) => call)).size).toBe(count)
    for (const { call } of listed) peer.send({ type: 'hangup', call, reason: 'seen' })
    expect(await calling.ended).toMatchObject({ exitCode: 0, successful: count })
    await eventually(() => peer.all('ended').length >= count, `${count} ends`)
    await carrier.ended
  })

  it('end on both sides after the covered seconds', async () => {
    const count = 40
    const carrier = await runSipp({ scenario: 'carrier', port: nextPort(), calls: count })
    const peer = await harness.peer({
      authorize: () => allow([{ host: '127.0.0.1', port: carrier.port }], { coveredSeconds: 2 }),
      credentials: credentialsOf(alice),
    })
    const calling = await runSipp({
      scenario: 'caller-is-cut',
      port: nextPort(),
      calls: count,
      perSecond: 40,
      remotePort: harness.sipPort,
      account,
    })
    const result = await calling.ended
    expect(result).toMatchObject({ exitCode: 0, successful: count, failed: 0 })
    const lasted = [...result.calls.values()].map(({ answeredAt = 0, endedAt = 0 }) => endedAt - answeredAt)
    // SIPp's own clock. On a busy machine it logs some answers late.
    expect(Math.max(...lasted)).toBeGreaterThanOrEqual(1_980)
    expect(Math.max(...lasted)).toBeLessThan(2_000 + LATE_MS)
    expect((await carrier.ended).successful).toBe(count)
    await eventually(() => peer.all('ended').length >= count, `${count} ends`)
    for (const { by, at, answeredAt } of peer.all('ended'))
      expect({ by, lasted: at - answeredAt }).toEqual({ by: 'timeout', lasted: 2_000 })
  })
})
