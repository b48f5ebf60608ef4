import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type Created,
  type Envelope,
  type Information,
  jsonOf,
  KEY,
  type Pair,
  startPairForEach,
} from '../test/provider.ts'
import type { FaultState } from './faults.ts'

let pair: Pair
startPairForEach((started) => {
  pair = started
})

const isTrue = ({ raw, signature }: { raw: string; signature: string | undefined }) =>
  signature === createHmac('sha512', KEY).update(raw).digest('hex')
const createAnswer = () => pair.call('POST', '/v1/payment/invoice', pair.invoiceBody())
const howMany = async () =>
  (await jsonOf<{ invoices: Information[] }>(pair.call('GET', '/sandbox/invoices'))).invoices.length

/** Aborts the request as soon as the provider has applied the fault, to avoid waiting for a timeout. */
async function neverAnswered(
  which: 'create' | 'read',
  fault: Record<string, unknown>,
  ask: (signal: AbortSignal) => Promise<Response>,
) {
  await pair.control('faults', { [which]: { ...fault, times: 1 } })
  const patience = new AbortController()
  let isAnswered = false
  const asking = ask(patience.signal).then(() => {
    isAnswered = true
  })
  const isMet = async () => (await jsonOf<FaultState>(pair.call('GET', '/sandbox/faults')))[which] === null
  while (!(await isMet())) expect(isAnswered).toBe(false)
  patience.abort()
  await expect(asking).rejects.toThrow()
}

describe('callback faults', () => {
  const paid = async (callbacks: Record<string, unknown>) => {
    await pair.control('faults', { callbacks })
    const trackId = await pair.create()
    await pair.control(`pay/${trackId}`)
    return trackId
  }

  it('send several copies', async () => {
    await paid({ copies: 3 })
    expect(pair.receivedStatuses()).toEqual(['Paying', 'Paying', 'Paying', 'Paid', 'Paid', 'Paid'])
  })

  it('reverse the order', async () => {
    await paid({ order: 'reversed' })
    expect(pair.receivedStatuses()).toEqual(['Paid', 'Paying'])
  })

  it('shuffle the order and send concurrently', async () => {
    await paid({ order: 'shuffled', copies: 10, at_once: true })
    expect(pair.receivedStatuses().toSorted()).toEqual([
      ...Array(10).fill('Paid'),
      ...Array(10).fill('Paying'),
    ])
  })

  it('delay callbacks', async () => {
    await paid({ delay_seconds: 600 })
    expect(pair.receivedStatuses()).toEqual([])
    await pair.control('advance', { seconds: 600 })
    expect(pair.receivedStatuses()).toEqual(['Paying', 'Paid'])
  })

  it('drop all callbacks', async () => {
    const trackId = await paid({ drop: true })
    await pair.control('advance', { seconds: 5 * 3600 })
    expect(pair.receivedStatuses()).toEqual([])
    expect(await pair.status(trackId)).toBe('paid')
    expect((await pair.log()).map((one) => one.outcome)).toEqual(['dropped', 'dropped'])
  })

  it('drop callbacks with some statuses', async () => {
    await paid({ drop: ['paid'] })
    expect(pair.receivedStatuses()).toEqual(['Paying'])
  })

  it.each(['wrong', 'missing', 'altered_body'])('send a signature that is %s', async (signature) => {
    await paid({ signature })
    expect(pair.merchant.received).toHaveLength(2)
    expect(pair.merchant.received.some(isTrue)).toBe(false)
  })

  it('send a validly signed callback without an event', async () => {
    const trackId = await paid({})
    await pair.control(`callback/${trackId}`, { status: 'expired' })
    expect(pair.receivedStatuses()).toEqual(['Paying', 'Paid', 'Expired'])
    expect(pair.merchant.received.every(isTrue)).toBe(true)
    expect(await pair.status(trackId)).toBe('paid')
  })
})

describe('faults of invoice creation', () => {
  it('return a given status and message for a number of requests', async () => {
    await pair.control('faults', { create: { kind: 'error', status: 503, message: 'Busy', times: 1 } })
    const answer = await createAnswer()
    expect([answer.status, (await jsonOf<Envelope<unknown>>(answer)).error.message, await howMany()]).toEqual(
      [503, 'Busy', 0],
    )
    expect((await createAnswer()).status).toBe(200)
  })

  it('return no payment_url', async () => {
    await pair.control('faults', { create: { kind: 'no_payment_url', message: 'Try later' } })
    const body = await jsonOf<Envelope<Created>>(createAnswer())
    expect([body.status, body.message, 'payment_url' in body.data]).toEqual([200, 'Try later', false])
  })

  it('return a body that is not JSON', async () => {
    await pair.control('faults', { create: { kind: 'garbage' } })
    expect([(await createAnswer()).status, await howMany()]).toEqual([502, 0])
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('never respond, created: %s', async (created, left) => {
    await neverAnswered('create', { kind: 'timeout', created }, (signal) =>
      pair.call('POST', '/v1/payment/invoice', pair.invoiceBody(), KEY, signal),
    )
    expect(await howMany()).toBe(left)
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('close the connection, created: %s', async (created, left) => {
    await pair.control('faults', { create: { kind: 'disconnect', created } })
    await expect(createAnswer()).rejects.toThrow()
    expect(await howMany()).toBe(left)
  })
})

describe('faults of reading a payment', () => {
  it('never respond', async () => {
    const trackId = await pair.create()
    await neverAnswered('read', { kind: 'timeout' }, (signal) =>
      pair.call('GET', `/v1/payment/${trackId}`, undefined, KEY, signal),
    )
    expect(await pair.status(trackId)).toBe('new')
  })

  it('close the connection', async () => {
    const trackId = await pair.create()
    await pair.control('faults', { read: { kind: 'disconnect', times: 1 } })
    await expect(pair.call('GET', `/v1/payment/${trackId}`)).rejects.toThrow()
    expect(await pair.status(trackId)).toBe('new')
  })

  it('return an error', async () => {
    const trackId = await pair.create()
    await pair.control('faults', { read: { kind: 'error', status: 500, message: 'Down' } })
    expect((await pair.call('GET', `/v1/payment/${trackId}`)).status).toBe(500)
    await pair.call('DELETE', '/sandbox/faults')
    expect(await pair.status(trackId)).toBe('new')
  })
})

it('rejects an unknown fault', async () => {
  expect((await pair.call('POST', '/sandbox/faults', { callbacks: { copys: 2 } })).status).toBe(400)
})
