import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { formatMessage, headerOf, parseMessage, type SipMessage } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { harnessForFile, refuse } from './harness.ts'
import type { PeerOptions } from './peer.ts'

const harness = await harnessForFile({ limits: { knownPerSecond: 100_000, overloadMs: 150 } })

const LARGE = '127.0.0.31'
const SMALL = '127.0.0.32'
const SLOW_MS = 400

type Outcome = { number: string; answer: SipMessage; ms: number }

/** A caller at a trusted address that sends INVITEs at a rate and records the final replies. */
async function startDialer(address: string) {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, address, resolve))
  type Sent = { number: string; invite: SipMessage; at: number; repeatAt: number; waitMs: number }
  const sent = new Map<string, Sent>()
  const outcomes: Outcome[] = []
  const own = `${address}:${socket.address().port}`
  const send = (message: SipMessage) => socket.send(formatMessage(message), harness.sipPort, '127.0.0.1')
  const name = randomBytes(6).toString('hex')
  let counter = 0

  socket.on('message', (bytes) => {
    const answer = parseMessage(bytes.toString('latin1'))
    const callId = answer ? headerOf(answer, 'call-id') : ''
    const call = sent.get(callId)
    if (!answer || !call || (answer.status ?? 0) < 200) return
    const kept = call.invite.headers.filter(([name]) =>
      ['Via', 'From', 'Call-ID', 'Max-Forwards'].includes(name),
    )
    const headers: [string, string][] = [...kept, ['To', headerOf(answer, 'to')], ['CSeq', '1 ACK']]
    send({ ...call.invite, method: 'ACK', headers })
    outcomes.push({ number: call.number, answer, ms: performance.now() - call.at })
    sent.delete(callId)
  })

  /** A busy machine drops packets. */
  const repeating = setInterval(() => {
    for (const call of sent.values())
      if (performance.now() > call.repeatAt) {
        send(call.invite)
        call.waitMs *= 2
        call.repeatAt += call.waitMs
      }
  }, 50)

  function dial(number: string): void {
    const id = `${name}-${++counter}`
    const uri = `sip:${number}@127.0.0.1:${harness.sipPort}`
    const headers: [string, string][] = [
      ['Via', `SIP/2.0/UDP ${own};rport;branch=z9hG4bK${id}`],
      ['From', `<sip:caller@${address}>;tag=${id}`],
      ['To', `<sip:${number}@127.0.0.1>`],
      ['Call-ID', id],
      ['CSeq', '1 INVITE'],
      ['Contact', `<sip:caller@${own}>`],
      ['Max-Forwards', '70'],
    ]
    const invite = { method: 'INVITE', uri, headers, body: '' }
    const at = performance.now()
    sent.set(id, { number, invite, at, repeatAt: at + 500, waitMs: 500 })
    send(invite)
  }

  /** Dials at this rate. Overdue calls after a pause of the machine are dialed at the same rate, because a burst would wait. */
  async function dialFor(number: string, { seconds, perSecond }: { seconds: number; perSecond: number }) {
    const all = seconds * perSecond
    let due = 0
    for (let dialed = 0, before = performance.now(); dialed < all; await pause(10)) {
      const now = performance.now()
      due = Math.min(all, due + (Math.min(now - before, 20) / 1_000) * perSecond)
      before = now
      for (; dialed < due; dialed++) dial(number)
    }
  }
  /** Never dials several calls at once, not even after a pause of the machine. */
  async function dialSlowly(number: string, { calls, everyMs }: { calls: number; everyMs: number }) {
    for (let count = 0; count < calls; count++) {
      dial(number)
      await pause(everyMs)
    }
  }
  return harness.keep({
    dial,
    dialFor,
    dialSlowly,
    outcomes,
    counts: (status: number) => outcomes.filter(({ answer }) => answer.status === status).length,
    close() {
      clearInterval(repeating)
      socket.close()
    },
  })
}

/** Call control refuses every call with 486 after this delay. */
async function startControl(delayMs: () => number) {
  const options: PeerOptions = { authorize: () => null }
  const peer = await harness.peer(options)
  options.authorize = ({ call }) => {
    setTimeout(() => peer.send({ ...refuse(486, 'Busy'), call }), delayMs())
    return null
  }
  const add = [
    { address: LARGE, user: 'large' },
    { address: SMALL, user: 'small' },
  ]
  peer.send({ type: 'addresses', clear: true, add, remove: [] })
  await peer.processed()
  return peer
}

describe('when call control is slow', () => {
  it('the account with the most new calls is refused first, quickly and with Retry-After; emergency calls and others are not', async () => {
    let delayMs = SLOW_MS
    await startControl(() => delayMs)
    const [large, small] = [await startDialer(LARGE), await startDialer(SMALL)]
    const hurry = large.dialFor('442071234567', { seconds: 6, perSecond: 400 })
    await pause(3_000)
    large.dial('112')
    await small.dialSlowly('442071234567', { calls: 8, everyMs: 250 })
    await hurry
    await eventually(() => large.outcomes.length === 2_401 && small.outcomes.length === 8, 'all replies')

    const refused = large.outcomes.filter(({ answer }) => answer.status === 503)
    expect(refused.length).toBeGreaterThan(500)
    expect(large.counts(486)).toBeGreaterThan(250)
    expect(small.counts(486)).toBe(8)
    expect(large.outcomes.find(({ number }) => number === '112')?.answer.status).toBe(486)
    expect(new Set(refused.map(({ answer }) => headerOf(answer, 'retry-after')))).toEqual(new Set(['2']))
    const times = refused.map(({ ms }) => ms).sort((a, b) => a - b)
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(200)

    delayMs = 0
    // A busy machine may be overloaded itself for a moment.
    for (let before = -1; large.counts(503) !== before; ) {
      await pause(2_000)
      before = large.counts(503)
      const total = large.outcomes.length
      await large.dialFor('442071234567', { seconds: 1, perSecond: 100 })
      await eventually(() => large.outcomes.length === total + 100, 'the replies after the overload')
    }
  })

  it('a flood of calls to short numbers is refused too, except two per second', async () => {
    await startControl(() => SLOW_MS)
    const [large, small] = [await startDialer(LARGE), await startDialer(SMALL)]
    const hurry = large.dialFor('100', { seconds: 5, perSecond: 400 })
    await pause(2_500)
    await small.dialSlowly('112', { calls: 2, everyMs: 1_000 })
    await small.dialSlowly('442071234567', { calls: 4, everyMs: 250 })
    await hurry
    await eventually(() => large.outcomes.length === 2_000 && small.outcomes.length === 6, 'all replies')
    expect(large.counts(503)).toBeGreaterThan(400)
    expect(small.counts(486)).toBe(6)
  })

  it('a few calls per second are never refused', async () => {
    await startControl(() => SLOW_MS)
    const small = await startDialer(SMALL)
    await small.dialSlowly('442071234567', { calls: 80, everyMs: 50 })
    await eventually(() => small.outcomes.length === 80, 'all replies')
    expect(small.counts(486)).toBe(80)
  })
})
