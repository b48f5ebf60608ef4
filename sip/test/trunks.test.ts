import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Behavior } from '../../sandbox/carriers/behavior.ts'
import { startCarrier } from '../../sandbox/carriers/carrier.ts'
import { headerOf } from '../../sandbox/carriers/sip-message.ts'
import { eventually, LATE_MS } from './eventually.ts'
import { allow, type Harness, harnessForFile, nextPort, SHORT_TIMEOUTS, startHarness } from './harness.ts'
import { startManualCarrier } from './manual-carrier.ts'

const harness = await harnessForFile({ limits: SHORT_TIMEOUTS })

const echo: Behavior = { kind: 'echo', ringMs: 20 }
const refusing = (code: number, reason = 'No'): Behavior => ({ kind: 'refuse', code, reason })
/** Nothing listens on this port. */
const dead = { host: '127.0.0.1', port: 9 }

async function callOver(...behaviors: (Behavior | 'dead')[]) {
  const carriers: { host: string; port: number }[] = []
  for (const behavior of behaviors)
    carriers.push(behavior === 'dead' ? dead : await harness.carrier(behavior))
  return callTo(...carriers)
}

async function callTo(...carriers: { host: string; port: number }[]) {
  const peer = await harness.peer({ authorize: () => allow(carriers), addresses: ['127.0.0.1'] })
  const phone = await harness.phone()
  // The address list takes effect asynchronously, so the first calls may be challenged.
  const call = await (async () => {
    for (;;) {
      const made = await phone.call('442071234567')
      const answer = await made.ended
      if (answer.status !== 407) return { ...made, answer }
    }
  })()
  const name = peer.all('authorize').at(-1)?.call
  return { call, answer: call.answer, peer, name }
}

describe('uses the next trunk when the first', () => {
  it.each<[string, Behavior | 'dead', number]>([
    ['is dead', 'dead', 408],
    ['is silent', { kind: 'silent' }, 408],
    ['answers 503', refusing(503), 503],
    ['answers 500', refusing(500), 500],
    ['answers 403', refusing(403), 403],
    [
      'requires credentials that we do not have',
      { kind: 'challenge', username: 'x', password: 'y', behavior: echo },
      407,
    ],
  ])('%s', async (_what, first, code) => {
    const { answer, call, peer, name } = await callOver(first, echo)
    expect(answer.status).toBe(200)
    await call.hangUp()
    const ended = await peer.next('ended', (event) => event.call === name)
    expect(ended.trunk).toBe(2)
    expect(ended.attempts.map(({ trunk, code }) => ({ trunk, code }))).toEqual([
      { trunk: 1, code },
      { trunk: 2, code: 200 },
    ])
  })
})

describe('the reply to the caller', () => {
  it.each<[number, number]>([
    [486, 486],
    [600, 486],
    [603, 603],
    [404, 404],
    [484, 404],
    [480, 480],
  ])('for a carrier reply of %i is %i, and no other trunk is tried', async (received, expected) => {
    const { answer, peer, name } = await callOver(refusing(received), echo)
    expect(answer.status).toBe(expected)
    const failed = await peer.next('failed', (event) => event.call === name)
    expect(failed).toMatchObject({ code: expected, by: 'carrier' })
    expect(failed.attempts.map(({ code }) => code)).toEqual([received])
  })

  it('is 503 when all trunks fail', async () => {
    const { answer, peer, name } = await callOver(refusing(500, 'Out of "order"'), refusing(403), 'dead')
    expect(answer.status).toBe(503)
    const failed = await peer.next('failed', (event) => event.call === name)
    expect(failed.attempts.map(({ code }) => code)).toEqual([500, 403, 408])
  })

  it('is 480 when it rings and nobody answers', async () => {
    const { answer, peer, name } = await callOver({ kind: 'rings' }, echo)
    expect(answer.status).toBe(480)
    const failed = await peer.next('failed', (event) => event.call === name)
    expect(failed).toMatchObject({ code: 480, attempts: [{ trunk: 1, code: 408 }] })
  })
})

describe('a carrier that answers after its timeout', () => {
  it('starts no call after the caller got a failure', async () => {
    const late = harness.keep(await startManualCarrier())
    const { answer, call, peer, name } = await callTo(late)
    expect(answer.status).toBe(503)
    await peer.next('failed', (event) => event.call === name)
    await late.answer('late')
    await eventually(() => late.byes().includes('late'), 'BYE to the carrier')
    expect(call.received().filter(({ status }) => status === 200)).toEqual([])
    expect(peer.all('answered').filter((event) => event.call === name)).toEqual([])
  })

  it('is ignored while the next trunk is ringing', async () => {
    const late = harness.keep(await startManualCarrier())
    const next = await harness.carrier({ kind: 'rings' })
    const calling = callTo(late, next)
    await eventually(
      () => next.requests.some(({ method }) => method === 'INVITE'),
      'INVITE on the next trunk',
    )
    await late.answer('late')
    const { answer, peer, name } = await calling
    expect(answer.status).toBe(480)
    expect(await peer.next('failed', (event) => event.call === name)).toMatchObject({
      attempts: [
        { trunk: 1, code: 408 },
        { trunk: 2, code: 408 },
      ],
    })
    expect(peer.all('answered').filter((event) => event.call === name)).toEqual([])
  })
})

describe('a carrier that requires authentication', () => {
  // Without the short timeouts: on a machine that stops for seconds, Kamailio's timers fire early.
  let patient: Harness
  beforeAll(async () => {
    patient = await startHarness()
  })
  afterEach(() => patient.reset())
  afterAll(() => patient.close())

  it('gets our credentials', async () => {
    const carrier = await patient.carrier({
      kind: 'challenge',
      username: 'trunkline',
      password: 's3cret',
      behavior: echo,
    })
    const peer = await patient.peer({
      addresses: ['127.0.0.1'],
      authorize: () =>
        allow([], {
          trunks: [
            {
              id: 7,
              host: carrier.host,
              port: carrier.port,
              transport: 'udp',
              number: '0442071234567',
              username: 'trunkline',
              password: 's3cret',
            },
          ],
        }),
    })
    const phone = await patient.phone()
    const call = await phone.call('442071234567')
    expect((await call.ended).status).toBe(200)
    expect((await call.hangUp()).status).toBe(200)
    const ended = await peer.next('ended', ({ trunk }) => trunk === 7)
    expect(ended.attempts).toMatchObject([{ trunk: 7, code: 200 }])
    const invites = carrier.requests.filter(({ method }) => method === 'INVITE')
    expect(invites.map(({ uri }) => uri)).toEqual(
      Array(2).fill(`sip:0442071234567@${carrier.host}:${carrier.port}`),
    )
    const [first = 0, second = 0, bye = 0] = carrier.requests
      .filter(({ method }) => method === 'INVITE' || method === 'BYE')
      .map((request) => Number.parseInt(headerOf(request, 'cseq'), 10))
    expect(second).toBeGreaterThan(first)
    expect(bye).toBeGreaterThan(second)
  })

  it.each([401, 407] as const)(
    'that challenges a BYE with %s gets credentials again',
    async (byeChallenge) => {
      const carrier = await patient.carrier({
        kind: 'challenge',
        username: 'trunkline',
        password: 's3|cret',
        behavior: echo,
        byeChallenge,
      })
      const { host, port } = carrier
      const trunk = {
        id: 8,
        host,
        port,
        transport: 'udp' as const,
        number: '0442071234567',
        username: 'trunkline',
        password: 's3|cret',
      }
      const peer = await patient.peer({
        addresses: ['127.0.0.1'],
        authorize: () => allow([], { trunks: [trunk] }),
      })
      const phone = await patient.phone()
      const call = await phone.call('442071234567')
      expect((await call.ended).status).toBe(200)
      // A BYE that overtakes the ACK is sent to the carrier once more.
      const acks = () => carrier.requests.filter(({ method }) => method === 'ACK')
      const acknowledged = () => new Set(acks().map((ack) => headerOf(ack, 'cseq'))).size
      await eventually(() => acknowledged() > 1, 'ACK of the answer')
      const hungUpAt = Date.now()
      expect((await call.hangUp()).status).toBe(200)
      const ended = await peer.next('ended', ({ trunk }) => trunk === 8)
      expect(ended.at - hungUpAt).toBeLessThan(LATE_MS)
      const byes = carrier.requests.filter(({ method }) => method === 'BYE')
      // On a busy machine the BYE with credentials is repeated before its answer arrives.
      const numbers = byes.map((request) => Number.parseInt(headerOf(request, 'cseq'), 10))
      expect(numbers.length).toBeGreaterThanOrEqual(2)
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
    },
  )
})

describe('the health of trunks', () => {
  it('is reported when a carrier is up, goes down and comes back', async () => {
    const carrier = await harness.carrier(echo)
    const peer = await harness.peer()
    const gone = await startCarrier({ port: nextPort() })
    await gone.close()
    const trunks = [
      { id: 1, host: carrier.host, port: carrier.port, transport: 'udp' as const },
      { id: 2, host: gone.host, port: gone.port, transport: 'udp' as const },
    ]
    peer.send({ type: 'trunks', trunks })
    expect(await peer.next('trunk', ({ trunk }) => trunk === 1)).toMatchObject({ isUp: true, code: 200 })
    expect(await peer.next('trunk', ({ trunk }) => trunk === 2)).toMatchObject({
      isUp: false,
      code: 408,
    })
    const { host, port } = carrier
    peer.send({ type: 'ping', trunk: 1, request: 'now', host, port, transport: 'udp' })
    expect(await peer.next('pinged')).toMatchObject({ request: 'now', trunk: 1, code: 200 })
    const later = await harness.peer()
    expect(await later.next('trunk', ({ trunk }) => trunk === 2)).toMatchObject({ isUp: false })
    expect(await later.next('trunk', ({ trunk }) => trunk === 1)).toMatchObject({ isUp: true })
    const back = await startCarrier({ port: gone.port })
    try {
      expect(await peer.next('trunk', ({ trunk, isUp }) => trunk === 2 && isUp)).toMatchObject({
        code: 200,
      })
    } finally {
      await back.close()
    }
  })
})
