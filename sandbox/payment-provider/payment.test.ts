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

let pair: Pair
startPairForEach((started) => {
  pair = started
})

const hmac = (raw: string) => createHmac('sha512', KEY).update(raw).digest('hex')

describe('creating an invoice', () => {
  it('returns the response format of OxaPay', async () => {
    const answer = await pair.call('POST', '/v1/payment/invoice', pair.invoiceBody())
    const { data, status, error } = await jsonOf<Envelope<Created>>(answer)
    expect([answer.status, status, error]).toEqual([200, 200, {}])
    expect(data.payment_url).toBe(`${pair.provider.url}/pay/${data.track_id}`)
    expect(data.expired_at - data.date).toBe(30 * 60)
    expect(data.track_id).toMatch(/^\d{9}$/)
  })

  it('accepts numbers as flags', async () => {
    const trackId = await pair.create({ auto_withdrawal: 0, mixed_payment: 1, sandbox: 1 })
    const { data } = await jsonOf<Envelope<Information>>(pair.call('GET', `/v1/payment/${trackId}`))
    expect(data).toMatchObject({
      status: 'new',
      mixed_payment: true,
      amount: 1000,
      order_id: 'ORD-7-1700000000',
      txs: [],
    })
  })

  it.each([
    [{ amount: 0 }, 'invalid_amount'],
    [{ amount: '1000' }, 'invalid_amount'],
    [{ lifetime: 5 }, 'invalid_lifetime'],
    [{ under_paid_coverage: 61 }, 'invalid_under_paid_coverage'],
    [{ fee_paid_by_payer: 2 }, 'invalid_fee_paid_by_payer'],
    [{ return_url: 'javascript:alert(1)' }, 'invalid_return_url'],
    [{ email: 'nobody' }, 'invalid_email'],
  ])('refuses %j', async (change, key) => {
    const answer = await pair.call('POST', '/v1/payment/invoice', pair.invoiceBody(change))
    const body = await jsonOf<Envelope<unknown>>(answer)
    expect([answer.status, body.status, body.error.type, body.error.key]).toEqual([
      400,
      400,
      'validation',
      key,
    ])
    expect(body.message).toBe(body.error.message)
  })

  it('rejects a wrong key and an unknown track ID', async () => {
    const wrong = await pair.call('POST', '/v1/payment/invoice', pair.invoiceBody(), 'wrong')
    expect([wrong.status, (await jsonOf<Envelope<unknown>>(wrong)).error.key]).toEqual([
      401,
      'invalid_merchant_api_key',
    ])
    expect((await pair.call('GET', '/v1/payment/1', undefined, 'wrong')).status).toBe(401)
    expect((await pair.call('GET', '/v1/payment/1')).status).toBe(404)
  })

  it('lists invoices by order ID, so that a timed-out creation can be found', async () => {
    await pair.create({ order_id: 'ORD-1' })
    await pair.create({ order_id: 'ORD-2' })
    const answer = await pair.call('GET', '/v1/payment?size=1&page=2&sort_type=asc')
    const { data } = await jsonOf<Envelope<{ list: Information[]; meta: unknown }>>(answer)
    expect(data.list.map((one) => one.order_id)).toEqual(['ORD-2'])
    expect(data.meta).toEqual({ page: 2, last_page: 2, total: 2 })
  })
})

describe('paying', () => {
  it('sends Paying, then Paid callbacks, each signed over its raw body', async () => {
    const trackId = await pair.create()
    await pair.control(`pay/${trackId}`)
    expect(pair.receivedStatuses()).toEqual(['Paying', 'Paid'])
    for (const { raw, signature } of pair.merchant.received) expect(signature).toBe(hmac(raw))
    expect(pair.merchant.received[1]?.body).toMatchObject({ track_id: trackId, amount: 1000, value: 1000 })
    expect(await pair.status(trackId)).toBe('paid')
  })

  it.each([
    [975, 'paid'],
    [974.99, 'underpaid'],
    [1000.01, 'paid'],
    [1500, 'paid'],
  ])('%d of 1000 results in the status %s', async (amount, status) => {
    const trackId = await pair.create()
    const { txs } = await pair.control(`pay/${trackId}`, { amount })
    expect(txs[0]).toMatchObject({ amount, status: 'confirmed' })
    expect(await pair.status(trackId)).toBe(status)
    expect(pair.merchant.received.at(-1)?.body.value).toBe(amount)
  })

  it('accepts the rest of an underpaid invoice', async () => {
    const trackId = await pair.create()
    await pair.control(`pay/${trackId}`, { amount: 400.1 })
    const { txs } = await pair.control(`pay/${trackId}`)
    expect(txs[1]?.amount).toBe(599.9)
    expect(pair.receivedStatuses()).toEqual(['Paying', 'Underpaid', 'Paying', 'Paid'])
  })

  it('stays Paying until confirmation', async () => {
    await pair.control('faults', { confirmation_seconds: 60 })
    const trackId = await pair.create()
    await pair.control(`pay/${trackId}`)
    expect(await pair.status(trackId)).toBe('paying')
    await pair.control('advance', { seconds: 60 })
    expect(pair.receivedStatuses()).toEqual(['Paying', 'Paid'])
  })

  it('reports more than the amount when the payer pays the fee', async () => {
    await pair.control('faults', { payer_fee_percent: 1.5 })
    const trackId = await pair.create()
    await pair.control(`pay/${trackId}`)
    expect(pair.merchant.received[1]?.body).toMatchObject({ amount: 1000, value: 1015 })
  })

  it('can be accepted and refunded manually, in that order only', async () => {
    const trackId = await pair.create()
    expect((await pair.call('POST', `/sandbox/refund/${trackId}`, {})).status).toBe(409)
    for (const action of ['accept', 'refund', 'complete-refund']) await pair.control(`${action}/${trackId}`)
    expect(pair.receivedStatuses()).toEqual(['Manual_accept', 'Refunding', 'Refunded'])
  })
})

describe('time', () => {
  it('expires an invoice after its lifetime, and still accepts a late payment', async () => {
    const trackId = await pair.create()
    await pair.control('advance', { seconds: 29 * 60 })
    expect(await pair.status(trackId)).toBe('new')
    await pair.control('advance', { seconds: 60 })
    expect(await pair.status(trackId)).toBe('expired')
    await pair.control(`pay/${trackId}`)
    expect(pair.receivedStatuses()).toEqual(['Expired', 'Paying', 'Paid'])
  })

  it('does not expire paid and underpaid invoices', async () => {
    const paid = await pair.create()
    const underpaid = await pair.create()
    await pair.control(`pay/${paid}`)
    await pair.control(`pay/${underpaid}`, { amount: 1 })
    await pair.control('advance', { seconds: 86_400 })
    await pair.control(`expire/${paid}`)
    expect([await pair.status(paid), await pair.status(underpaid)]).toEqual(['paid', 'underpaid'])
  })

  it.each([
    [200, 'OK?'],
    [500, 'ok'],
    [302, 'ok'],
  ])(
    'tries five times over three and a half hours while the merchant answers %d %s',
    async (status, body) => {
      pair.merchant.answerWith(status, body)
      const trackId = await pair.create()
      await pair.control(`expire/${trackId}`)
      const heardAfter = async (seconds: number) => {
        await pair.control('advance', { seconds })
        return pair.merchant.received.length
      }
      expect(await heardAfter(0)).toBe(1)
      expect(await heardAfter(60)).toBe(2)
      expect(await heardAfter(180)).toBe(3)
      expect(await heardAfter(1800)).toBe(4)
      expect(await heardAfter(3 * 3600)).toBe(5)
      expect(await heardAfter(30 * 86_400)).toBe(5)
      expect(new Set(pair.merchant.received.map((one) => one.raw)).size).toBe(1)
    },
  )

  it('makes every due retry during one long step, and stops at the first ok', async () => {
    pair.merchant.answerWith(503, '')
    const trackId = await pair.create()
    await pair.control(`expire/${trackId}`)
    await pair.control('advance', { seconds: 300 })
    pair.merchant.answerWith(200, 'ok')
    await pair.control('advance', { seconds: 4 * 3600 })
    expect((await pair.log()).map((one) => one.outcome)).toEqual([
      'refused',
      'refused',
      'refused',
      'delivered',
    ])
  })
})
