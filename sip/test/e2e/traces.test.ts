import { createSocket } from 'node:dgram'
import { layOut } from '@trunkline/domain/sip-trace'
import { readMessages } from '@trunkline/server/features/calls/sip-traces/chunks-store'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { audioDescription, headerOf, mediaTarget } from '../../../sandbox/carriers/sip-message.ts'
import { eventually } from '../eventually.ts'
import { nextPort } from '../harness.ts'
import { startManualCarrier } from '../manual-carrier.ts'
import { openRtpEnd } from '../rtp-end.ts'
import { providerForFile } from './for-file.ts'
import { LONDON, until } from './provider.ts'

const tracePort = nextPort()
const SIP_TRACE = `127.0.0.1:${tracePort}`
const SDES = 'c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0'

const provider = await providerForFile({ SIP_TRACE }, { traceAddress: SIP_TRACE })

/** The ladder of the customer's only call, when it has this many messages. */
async function ladderOf(userId: number, count: number) {
  const record = await provider.cdrOf(userId)
  const call = { callId: record.call_id, startedAt: record.started_at, endedAt: record.ended_at }
  const tried = record.attempts.map(({ trunk, name, at = null }) => ({ trunk, name, at }))
  const messages = await until(async () => {
    const found = await readMessages(provider.db, call)
    return found.length >= count && found
  }, `${count} SIP messages`)
  return { ...layOut(messages, tried), record }
}

const arrows = (steps: { from: number; to: number; firstLine: string; isRetransmission: boolean }[]) =>
  steps
    .filter(({ isRetransmission }) => !isRetransmission)
    .map(
      ({ from, to, firstLine }) =>
        `${from}>${to} ${/^SIP\/2.0 (\d+)/.exec(firstLine)?.[1] ?? firstLine.split(' ')[0]}`,
    )

async function answeredCall() {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 20 })
  await provider.newTrunk(carrier)
  const { id, account } = await provider.newCustomer()
  await provider.settle()
  const phone = await provider.harness.phone({ account })
  const call = await phone.call(LONDON)
  expect((await call.ended).status).toBe(200)
  return { carrier, id, call }
}

it('shows every message of a call with a failed first carrier on both legs, without secrets', async () => {
  const failing = await provider.harness.carrier({ kind: 'refuse', code: 503, reason: 'Full' })
  const answering = await provider.harness.carrier({
    kind: 'challenge',
    username: 'trunk-user',
    password: 'trunk-password',
    behavior: { kind: 'echo', ringMs: 50 },
  })
  await provider.newTrunk(failing, { name: 'First carrier', buy_rate_micros: 1_000n })
  const credentials = { auth_username: 'trunk-user', auth_password: 'trunk-password' }
  await provider.newTrunk(answering, { name: 'Second carrier', buy_rate_micros: 2_000n, ...credentials })
  const { id, account } = await provider.newCustomer()
  await provider.settle()
  const phone = await provider.harness.phone({ account })
  const describe = (host: string, port: number) =>
    `${audioDescription(host, port)}a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${SDES}\r\n`
  const call = await phone.call(LONDON, [], describe)
  expect((await call.ended).status).toBe(200)
  // A BYE that overtakes the ACK ends the call, and the switch does not forward the ACK any more.
  const acks = () => answering.requests.filter(({ method }) => method === 'ACK')
  const acknowledged = () => new Set(acks().map((ack) => headerOf(ack, 'cseq'))).size
  await eventually(() => acknowledged() === 2, 'ACK of the challenge and of the answer')
  await call.hangUp()

  const { columns, steps, record } = await ladderOf(id, 25)
  expect(columns.map(({ name }) => name)).toEqual(['Phone', 'Switch', 'First carrier', 'Second carrier'])
  const leg = (column: number) => arrows(steps.filter(({ from, to }) => from === column || to === column))
  const [first, challenge, third = '', fourth = '', ...others] = leg(0)
  expect([first, challenge]).toEqual(['0>1 INVITE', '1>0 407'])
  // The phone sends both at once, and two workers of the switch note them.
  expect([third, fourth].sort()).toEqual(['0>1 ACK', '0>1 INVITE'])
  expect(others).toEqual(['1>0 100', '1>0 180', '1>0 200', '0>1 ACK', '0>1 BYE', '1>0 200'])
  // A carrier sends 100 and its final response at once too, so the position of the 100 varies.
  const isTrying = (arrow: string) => arrow.endsWith(' 100')
  expect(leg(2).filter(isTrying)).toEqual(['2>1 100'])
  expect(leg(2).filter((arrow) => !isTrying(arrow))).toEqual(['1>2 INVITE', '2>1 503', '1>2 ACK'])
  expect(leg(3).filter(isTrying)).toEqual(['3>1 100', '3>1 100'])
  expect(leg(3).filter((arrow) => !isTrying(arrow))).toEqual([
    ...['1>3 INVITE', '3>1 407', '1>3 ACK'],
    ...['1>3 INVITE', '3>1 180', '3>1 200', '1>3 ACK'],
    ...['1>3 BYE', '3>1 200'],
  ])
  const times = steps.map(({ at }) => at)
  expect(times).toEqual([...times].sort((one, other) => one - other))
  expect(record.attempts).toMatchObject([
    { name: 'First carrier', code: 503, at: expect.any(Number), until: expect.any(Number) },
    { name: 'Second carrier', code: 200, at: expect.any(Number), until: expect.any(Number) },
  ])

  const stored = steps.map(({ text }) => text).join('\n')
  expect(stored).toContain('Proxy-Authorization: Digest')
  expect(stored).toContain('a=crypto:[removed]')
  expect(stored).not.toContain(SDES)
  expect(stored).not.toMatch(/response=|cnonce=|[^-]nonce=/)
})

it('measures the speech of both sides from their RTCP reports', async () => {
  const carrier = provider.harness.keep(await startManualCarrier())
  await provider.newTrunk(carrier)
  const { id, account } = await provider.newCustomer()
  await provider.settle()
  const [caller, callee] = [
    provider.harness.keep(await openRtpEnd(0x1111)),
    provider.harness.keep(await openRtpEnd(0x2222)),
  ]
  const phone = await provider.harness.phone({ account })
  const call = await phone.call(LONDON, [], (host) => audioDescription(host, caller.port))
  const offer = await carrier.answer('callee', audioDescription('127.0.0.1', callee.port))
  const [toCaller, toCallee] = [mediaTarget((await call.ended).body), mediaTarget(offer)]
  if (!toCaller || !toCallee) throw new Error('no address for speech')
  // The called party reports that a tenth of the caller's packets is lost.
  await Promise.all([
    caller.talk(toCaller, {
      packets: 200,
      losesEvery: 10,
      reports: { lossPercent: 0, jitterMs: 2, about: 0x2222 },
    }),
    callee.talk(toCallee, { packets: 200, reports: { lossPercent: 10, jitterMs: 12, about: 0x1111 } }),
  ])
  await call.hangUp()
  const { media } = await provider.cdrOf(id)
  expect(media).toMatchObject({
    phone: { codec: 'PCMA/8000', packetsSent: 180, lossPercent: 0, jitterMs: 2 },
    carrier: { codec: 'PCMA/8000', packetsSent: 200, jitterMs: 12 },
  })
  expect(media?.carrier?.lossPercent).toBeGreaterThanOrEqual(9)
  expect(media?.carrier?.lossPercent).toBeLessThanOrEqual(10)
  // On a busy machine the round trip takes long, which lowers both scores.
  expect(media?.phone.roundTripMs).toBeGreaterThan(0)
  expect(media?.carrier?.mos).toBeLessThan(media?.phone.mos ?? 0)
})

it('leaves speech without RTCP unmeasured, also if the portal ends the call', async () => {
  const { id, call } = await answeredCall()
  await call.speech.echoes(20)
  await provider.db
    .updateTable('live_calls')
    .set({ hangup_at: new Date(), hangup_reason: 'hung_up_by_user' })
    .execute()
  await call.isHungUp()
  const { media } = await provider.cdrOf(id)
  expect(media?.phone).toMatchObject({ codec: 'PCMA/8000', mos: null, lossPercent: null, jitterMs: null })
  expect(media?.phone.packetsSent).toBeGreaterThanOrEqual(20)
})

it('does not disturb calls when the receiver is flooded', async () => {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 20 })
  await provider.newTrunk(carrier)
  const { id, account } = await provider.newCustomer()
  await provider.settle()
  const flood = createSocket('udp4')
  const hostile = ['', '<'.repeat(10_000), '"\\'.repeat(5_000)]
  let isOver = false
  const flooding = (async () => {
    for (let sent = 0; !isOver; sent++) {
      const text = `INVITE sip:1@2 SIP/2.0\r\nVia: SIP/2.0/UDP x;branch=${sent}\r\nFrom: ${hostile[sent % hostile.length]}<sip:a@b>;tag=${sent}\r\nTo: <sip:c@d>\r\nCall-ID: ${sent}\r\nCSeq: 1 INVITE\r\n\r\n${'x'.repeat(1_000)}`
      flood.send(hep(text), tracePort, '127.0.0.1')
      if (sent % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
      if (sent % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  const phone = await provider.harness.phone({ account })
  for (let calls = 0; calls < 5; calls++) {
    const call = await phone.call(LONDON)
    expect((await call.ended).status).toBe(200)
    expect((await call.hangUp()).status).toBe(200)
  }
  isOver = true
  await flooding
  flood.close()
  await until(async () => (await provider.cdrs(id)).length === 5, 'five records')
  expect((await provider.cdrs(id)).map(({ status }) => status)).toEqual(Array(5).fill('completed'))
})

it('does not disturb a call when the receiver is killed, and records its end after the restart', async () => {
  const { carrier, id, call } = await answeredCall()
  const chunks = () =>
    sql`select from sip_traces.chunks where call_id in (select call_id from live_calls)`.execute(provider.db)
  await until(async () => (await chunks()).rows.length > 0, 'the first messages')
  await provider.killControl()
  await call.speech.echoes(10)
  expect((await call.request('OPTIONS')).status).toBe(200)
  await provider.startControl()
  expect((await call.hangUp()).status).toBe(200)
  const { steps } = await ladderOf(id, 14)
  expect(arrows(steps).slice(-4).sort()).toEqual(['0>1 BYE', '1>0 200', '1>2 BYE', '2>1 200'])
  await eventually(() => carrier.live() === 0, 'the end at the carrier')
})

/** A HEP3 datagram with the fields that the receiver needs. */
function hep(text: string): Buffer {
  const chunk = (type: number, value: Buffer) => {
    const head = Buffer.alloc(6)
    head.writeUInt16BE(type, 2)
    head.writeUInt16BE(6 + value.length, 4)
    return Buffer.concat([head, value])
  }
  const seconds = Buffer.alloc(4)
  seconds.writeUInt32BE(Math.floor(Date.now() / 1000))
  return Buffer.concat([
    Buffer.from('HEP3\0\0'),
    chunk(3, Buffer.from([127, 0, 0, 1])),
    chunk(4, Buffer.from([127, 0, 0, 1])),
    chunk(9, seconds),
    chunk(11, Buffer.from([1])),
    chunk(14, Buffer.from('test-switch')),
    chunk(15, Buffer.from(text)),
  ])
}
