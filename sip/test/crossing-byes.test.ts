import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SipMessage } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile } from './harness.ts'
import { startManualCarrier } from './manual-carrier.ts'
import type { Peer } from './peer.ts'

const harness = await harnessForFile({ workers: 4 })

const CALLS = 200

/** The calls among these that have neither ended nor failed. */
function liveCalls(peer: Peer, calls: readonly string[]): string[] {
  const over = new Set([...peer.all('ended'), ...peer.all('failed')].map(({ call }) => call))
  return calls.filter((call) => !over.has(call))
}

/** Each call is answered at most once and over exactly once; the error names the calls that are left. */
async function allAreOver(peer: Peer): Promise<void> {
  const calls = peer.all('authorize').map(({ call }) => call)
  await eventually(() => liveCalls(peer, calls).length === 0, 'the end of all calls', 60_000).catch(
    (error) => {
      const left = liveCalls(peer, calls)
      const events = peer.received.filter((event) => 'call' in event && left.includes(event.call))
      throw new Error(`${left.length} calls are left: ${JSON.stringify(events)}`, { cause: error })
    },
  )
}

describe("a carrier's BYE", () => {
  it('ends every call, even when it overtakes its 200 and comes from an unknown address', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 5, hangUpAfterMs: 0 })
    const peer = await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.11'] })
    const phone = await harness.phone({ from: '127.0.0.11' })
    // Not all at once, because a busy machine would lose packets.
    const answers: SipMessage[] = []
    while (answers.length < CALLS) {
      const calls = await Promise.all(Array.from({ length: 20 }, () => phone.call('442071234567')))
      answers.push(...(await Promise.all(calls.map(({ ended }) => ended))))
    }
    const answered = answers.filter(({ status }) => status === 200)
    expect(answered.length).toBeGreaterThan(CALLS / 2)
    await allAreOver(peer)
    const ended = new Set(peer.all('ended').map(({ call }) => call))
    expect(ended.size).toBe(answered.length)
  })

  it('ends the call when the 200 is lost', async () => {
    const carrier = harness.keep(await startManualCarrier())
    const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    await carrier.ring('lost')
    await call.rings()
    carrier.hangUp('lost')
    await eventually(() => carrier.replies().includes(200), '200 to the BYE')
    expect((await call.ended).status).toBe(480)
    expect(await peer.next('failed')).toMatchObject({ by: 'carrier', code: 480 })
    expect(peer.all('answered')).toEqual([])
  })
})

describe("a caller's BYE", () => {
  it('cancels a ringing call', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 60_000 })
    const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    call.adopt(await call.rings())
    expect((await call.hangUp()).status).toBe(200)
    expect((await call.ended).status).toBe(487)
    expect(await peer.next('failed')).toMatchObject({ by: 'caller', code: 487 })
    expect(carrier.requests.map(({ method }) => method)).toContain('CANCEL')
  })

  it('ends every call, even when it crosses the answer', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    const peer = await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.11'] })
    const phone = await harness.phone({ from: '127.0.0.11' })
    const hangUpAfter = async (ms: number) => {
      const call = await phone.call('442071234567')
      void call.ended.catch(() => {})
      // On a busy machine the answer may overtake the 180.
      const seen = () => call.received().find(({ status = 0 }) => status >= 180)
      call.adopt(await eventually(seen, '180 or 200'))
      await pause(ms)
      expect((await call.hangUp()).status).toBe(200)
    }
    for (let ms = 0; ms < 20; ms++)
      await Promise.all(Array.from({ length: CALLS / 20 }, () => hangUpAfter(ms)))
    await allAreOver(peer)
    await eventually(
      () => carrier.requests.filter(({ method }) => method === 'CANCEL' || method === 'BYE').length >= CALLS,
      'CANCEL or BYE for all calls',
    )
  })
})
