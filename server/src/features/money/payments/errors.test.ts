import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { createTill, createTillWithCustomer, type Till } from '../../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'

const begin = (till: Till, who: SignedIn, body: unknown) =>
  till.call('POST /api/topup', { token: who.token, body })

describe('an amount', () => {
  const shop = forAll(async () => {
    const till = await createTill()
    return { till, alice: await signUp(till, 'alice') }
  })

  it.each([
    [{}, 'Please select or enter an amount.'],
    [{ amount: null }, 'Please select or enter an amount.'],
    [{ amount: 0 }, 'Please select or enter an amount.'],
    [{ amount: -5 }, 'Please select or enter an amount.'],
    [{ amount: '5' }, 'Please select or enter an amount.'],
    [{ amount: 10000.01 }, 'Please enter an amount of at most $10000.'],
    [{ amount: 1.005 }, 'Please enter an amount with at most two decimals.'],
    [{ amount: 5, user_id: 1 }, '"user_id" is not a known field.'],
  ])('refuses %j without creating an invoice', async (body, words) => {
    const { till, alice } = shop()
    const { status, message } = await begin(till, alice, body)
    expect(status).toBe(400)
    expect(message).toContain(words)
    expect(await till.services.db.selectFrom('invoices').selectAll().execute()).toEqual([])
  })

  it.each([0.01, 10000])('of $%d is accepted', async (amount) => {
    const { till, alice } = shop()
    expect((await till.topUp(alice, amount)).answer.invoice.amount).toBe(amount)
  })
})

describe('a provider', () => {
  it.each([
    [{ kind: 'error', message: 'Amount is too low' }, 'Payment error: Amount is too low', 'failed'],
    [{ kind: 'error', status: 500, message: 'Oops' }, 'Payment error: Oops', 'pending'],
    [{ kind: 'no_payment_url', message: 'Come back later' }, 'Come back later', 'pending'],
    [{ kind: 'no_payment_url', message: '' }, 'Failed to create payment invoice. Try again.', 'pending'],
    [{ kind: 'garbage' }, 'Payment initiation failed. Please try again.', 'pending'],
    [{ kind: 'disconnect', created: false }, 'Payment initiation failed. Please try again.', 'pending'],
    [{ kind: 'timeout', created: true }, 'Payment initiation failed. Please try again.', 'pending'],
  ])('that answers %j leads to the message of the specification', async (fault, words, state) => {
    const { till, alice } = await createTillWithCustomer({
      OXAPAY_TIMEOUT_MS: fault.kind === 'timeout' ? '100' : '10000',
    })
    await till.faults({ create: fault })
    expect(await begin(till, alice, { amount: 10 })).toMatchObject({ status: 502, message: words })
    const { answer } = await till.call('GET /api/payments', { token: alice.token })
    expect(answer.payments).toMatchObject([{ state, payment_url: null, credited: 0 }])
    expect(await till.balance(alice)).toBe(0)
  })

  it('gets one request, without retries', async () => {
    const { till, alice } = await createTillWithCustomer({ OXAPAY_TIMEOUT_MS: '1000' })
    await till.faults({ create: { kind: 'timeout', created: true } })
    await begin(till, alice, { amount: 10 })
    expect(await till.providerInvoices()).toHaveLength(1)
  })
})

it('limits the rate of new payments', async () => {
  const { till, alice } = await createTillWithCustomer()
  await till.faults({ create: { kind: 'error', message: 'no' } })
  const codes = []
  for (let n = 0; n < 62; n++) codes.push((await begin(till, alice, { amount: 1 })).code)
  expect(codes.slice(0, 60).every((code) => code === 'payment_refused')).toBe(true)
  expect(codes.slice(60)).toEqual(['too_many_requests', 'too_many_requests'])
})
