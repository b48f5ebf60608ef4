import { describe, expect, it } from 'vitest'
import { type Pair, startPairForEach } from '../test/provider.ts'

let pair: Pair
startPairForEach((started) => {
  pair = started
})

const page = async (path: string) => (await fetch(`${pair.provider.url}${path}`)).text()
const press = (path: string, fields: Record<string, string> = {}) =>
  fetch(`${pair.provider.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })

describe('the payment page', () => {
  it('shows the invoice, and opening it sets the status to waiting', async () => {
    const trackId = await pair.create()
    const shown = await page(`/pay/${trackId}`)
    for (const words of [
      '$1,000.00',
      'Top up of $1000',
      'ORD-7-1700000000',
      'Pay less',
      'Pay more',
      'Let it expire',
    ]) {
      expect(shown).toContain(words)
    }
    expect(await pair.status(trackId)).toBe('waiting')
  })

  it('pays once when the button is pressed repeatedly, and links back to the merchant', async () => {
    const trackId = await pair.create()
    for (const _ of [1, 2]) await press(`/pay/${trackId}`)
    const shown = await page(`/pay/${trackId}`)
    expect(shown).toContain('Thank you, Alice')
    expect(shown).toContain('href="http://127.0.0.1:3000/dashboard/topup?success=true"')
    await pair.log()
    expect(pair.receivedStatuses()).toEqual(['Paying', 'Paid'])
  })

  it('accepts a partial payment, then asks for the rest', async () => {
    const trackId = await pair.create()
    await press(`/pay/${trackId}`, { amount: '900.00' })
    expect(await pair.status(trackId)).toBe('underpaid')
    expect(await page(`/pay/${trackId}`)).toContain('Pay $100.00')
    await press(`/pay/${trackId}/expire`)
    expect(await page(`/pay/${trackId}`)).toContain('The time to pay the rest is over.')
    expect(await pair.status(trackId)).toBe('underpaid')
  })

  it('lets the invoice expire', async () => {
    const trackId = await pair.create()
    await press(`/pay/${trackId}/expire`)
    expect(await pair.status(trackId)).toBe('expired')
  })

  it('rejects an invalid amount', async () => {
    const trackId = await pair.create()
    expect(await (await press(`/pay/${trackId}`, { amount: '-5' })).text()).toContain('Give an amount')
    expect(await pair.status(trackId)).toBe('waiting')
  })

  it('escapes markup of the merchant, with a strict content security policy', async () => {
    const trackId = await pair.create({ description: '<script>alert(1)</script>', order_id: '"><img src=x>' })
    const answer = await fetch(`${pair.provider.url}/pay/${trackId}`)
    const shown = await answer.text()
    expect(shown).not.toContain('<script>alert')
    expect(shown).not.toContain('<img')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  })

  it('returns 404 for an unknown invoice', async () => {
    expect((await fetch(`${pair.provider.url}/pay/1`)).status).toBe(404)
  })
})

describe('the control page', () => {
  it('sets and resets every fault it offers', async () => {
    const fields = { copies: '2', order: 'reversed', delay_seconds: '5', drop: 'paid', signature: 'wrong' }
    const more = { create: 'timeout_not_created', read: 'error', confirmation_seconds: '9' }
    await press('/sandbox/faults', { ...fields, ...more })
    const state = await (await pair.call('GET', '/sandbox/faults')).json()
    expect(state).toMatchObject({
      callbacks: { copies: 2, order: 'reversed', delay_seconds: 5, drop: ['paid'], signature: 'wrong' },
      create: { kind: 'timeout', created: false },
      read: { kind: 'error' },
      confirmation_seconds: 9,
    })
    await press('/sandbox/faults', { ...fields, ...more, reset: '1' })
    expect(await (await pair.call('GET', '/sandbox/faults')).json()).toMatchObject({
      create: null,
      read: null,
    })
  })

  it('lists invoices and callbacks', async () => {
    const trackId = await pair.create()
    await pair.control(`pay/${trackId}`)
    const shown = await page('/sandbox')
    expect(shown).toContain(`/pay/${trackId}`)
    expect(shown).toContain('delivered')
    expect(shown).toContain('Refund')
  })
})
