import { createHmac } from 'node:crypto'
import { cents } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { made, recordProvider } from '../../test/recording-provider.ts'
import { createOxapay } from './oxapay.ts'

const KEY = 'the merchant key'
const order = {
  orderId: 'ORD-7-1700000000000',
  amountMicros: cents(1234),
  email: 'alice@example.com',
  returnUrl: 'https://portal.example/dashboard/topup?success=1&invoice=3',
  description: 'Top-up of $12.34',
  thanksMessage: 'Thank you',
  isSandbox: false,
}
const open = (baseUrl: string, timeoutMs = 10_000) =>
  createOxapay({ baseUrl, merchantKey: KEY, callbackUrl: 'https://portal.example/cb', timeoutMs })

describe('an invoice', () => {
  it('is requested once, with the payload of the specification and the merchant key', async () => {
    const { asked, url } = await recordProvider(() => made('99'))
    expect(await open(url).createInvoice(order)).toEqual({
      outcome: 'made',
      trackId: '99',
      paymentUrl: 'http://127.0.0.1:9/pay/99',
      expiresAt: new Date(4_000_000_000_000),
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/v1/payment/invoice' })
    expect(asked[0]?.headers.merchant_api_key).toBe(KEY)
    expect(asked[0]?.body).toEqual({
      amount: 12.34,
      currency: 'USD',
      lifetime: 30,
      fee_paid_by_payer: 1,
      under_paid_coverage: 2.5,
      to_currency: 'USDT',
      auto_withdrawal: false,
      mixed_payment: true,
      callback_url: 'https://portal.example/cb',
      return_url: 'https://portal.example/dashboard/topup?success=1&invoice=3',
      email: 'alice@example.com',
      order_id: 'ORD-7-1700000000000',
      thanks_message: 'Thank you',
      description: 'Top-up of $12.34',
      sandbox: false,
    })
  })

  it.each([
    ['a refusal', 400, { data: {}, message: 'm', error: { message: 'Bad amount' } }, 'refused', true],
    ['its own trouble', 500, { data: {}, message: 'm', error: { message: 'Oops' } }, 'refused', false],
    ['no url', 200, { data: { track_id: 5 }, message: 'Later', error: {} }, 'no_url', undefined],
    ['no url, null error', 200, { data: {}, message: '', error: null }, 'no_url', undefined],
    [
      'an address that is none',
      200,
      { data: { track_id: 5, payment_url: 'javascript:x' } },
      'unknown',
      undefined,
    ],
  ])('maps an answer with %s to its outcome', async (_, status, body, outcome, isFinal) => {
    const { url } = await recordProvider(() => ({ status, body: JSON.stringify(body) }))
    const creation = await open(url).createInvoice(order)
    expect(creation.outcome).toBe(outcome)
    if (creation.outcome === 'refused') expect(creation.isFinal).toBe(isFinal)
  })

  it('is unknown if the answer is not JSON or missing', async () => {
    const { url } = await recordProvider(() => ({ body: '<html>' }))
    expect(await open(url).createInvoice(order)).toMatchObject({ outcome: 'unknown' })
    expect(await open('http://127.0.0.1:9').createInvoice(order)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('the received amount', () => {
  const lookUp = async (txs: object[]) => {
    const data = { track_id: 1, order_id: 'x', status: 'paid', type: 'invoice', currency: 'USD', txs }
    const { url } = await recordProvider(() => ({ body: JSON.stringify({ data, error: {} }) }))
    const looked = await open(url).lookUp('1')
    return looked.outcome === 'found' ? looked.report.receivedMicros : looked
  }

  it('is the sum of confirmed dollar coins', async () => {
    const txs = [
      { status: 'confirmed', amount: 10, currency: 'USDT' },
      { status: 'confirmed', amount: '2.5', currency: 'usdc' },
      { status: 'confirming', amount: 100, currency: 'USDT' },
    ]
    expect(await lookUp(txs)).toBe(cents(1250))
  })

  it('counts no transaction that is not confirmed', async () => {
    expect(await lookUp([{ amount: 10, currency: 'USDT' }])).toBe(0n)
    expect(await lookUp([{ status: 'rejected', amount: 10, currency: 'USDT' }])).toBe(0n)
  })

  it('is the converted amount if the value is missing', async () => {
    const coin = { status: 'confirmed', amount: 0.006, currency: 'ETH' }
    const converted = (processed: boolean, currency: string) =>
      lookUp([{ ...coin, auto_convert: { processed, amount: 14.73, currency } }])
    expect(await converted(true, 'USDT')).toBe(cents(1473))
    expect(await converted(false, 'USDT')).toBeNull()
    expect(await converted(true, 'BTC')).toBeNull()
  })

  it('is unknown for another coin without a value', async () => {
    const coin = { status: 'confirmed', amount: 0.001, currency: 'BTC' }
    expect(await lookUp([coin])).toBeNull()
    expect(await lookUp([{ ...coin, value: 97.1234567 }])).toBe(97_123_457n)
  })

  it('is missing for an unknown payment', async () => {
    const { url } = await recordProvider(() => ({
      status: 404,
      body: '{"data":{},"error":{"message":"none"}}',
    }))
    expect(await open(url).lookUp('1')).toEqual({ outcome: 'none' })
  })
})

describe('a callback', () => {
  const provider = open('http://127.0.0.1:9')
  const body = JSON.stringify({ track_id: 12, order_id: 'ORD-1-2', status: 'Paid', amount: 10, value: 10.15 })
  const sign = (text: string, key = KEY) => createHmac('sha512', key).update(text).digest('hex')
  const read = (text: string, signature: string | undefined) =>
    provider.readCallback(Buffer.from(text), signature)

  it('is parsed if the signature is valid', () => {
    const expected = { trackId: '12', orderId: 'ORD-1-2', status: 'Paid', receivedMicros: cents(1015) }
    expect(read(body, sign(body))).toMatchObject({ outcome: 'read', report: expected })
    expect(read(body, sign(body).toUpperCase()).outcome).toBe('read')
  })

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['one of another key', sign(body, 'another key')],
    ['half of it', sign(body).slice(0, 64)],
    ['more than it', `${sign(body)}00`],
    ['no hex', 'z'.repeat(128)],
  ])('is rejected with %s as signature', (_, signature) => {
    expect(read(body, signature)).toEqual({ outcome: 'forged' })
  })

  it('is rejected if its JSON was re-serialized', () => {
    expect(read(JSON.stringify(JSON.parse(body), null, 1), sign(body))).toEqual({ outcome: 'forged' })
  })

  it('is unreadable if it is signed but invalid', () => {
    for (const text of ['', '[]', '{"status":"Paid"}', 'paid']) {
      expect(read(text, sign(text))).toEqual({ outcome: 'unreadable' })
    }
  })

  it('contains the type and the currency of the invoice', () => {
    const text = JSON.stringify({ ...JSON.parse(body), type: 'payout', currency: 'EUR' })
    expect(read(text, sign(text))).toMatchObject({ report: { type: 'payout', currency: 'EUR' } })
    expect(read(body, sign(body))).toMatchObject({ report: { type: null, currency: null } })
  })

  it('uses the sum of its transactions if that is lower than its total', () => {
    const tx = { status: 'confirmed', value: 4, currency: 'BTC' }
    const received = (txs: object[]) => {
      const text = JSON.stringify({ ...JSON.parse(body), txs })
      const answer = read(text, sign(text))
      return answer.outcome === 'read' ? answer.report.receivedMicros : answer
    }
    expect(received([tx, tx])).toBe(cents(800))
    expect(received([tx, tx, tx])).toBe(cents(1015))
    expect(received([tx, { ...tx, status: 'confirming' }])).toBe(cents(400))
    expect(received([])).toBe(cents(1015))
  })

  it('has no received amount if the value is missing', () => {
    const text = JSON.stringify({ track_id: 12, status: 'Paid' })
    expect(read(text, sign(text))).toMatchObject({ report: { receivedMicros: null, orderId: null } })
  })
})
