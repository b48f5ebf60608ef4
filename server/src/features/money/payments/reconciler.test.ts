import { describe, expect, it } from 'vitest'
import {
  beginMany,
  createTill,
  createTillWithCustomer,
  expectEachCreditedOnce,
  newCustomers,
  type Till,
} from '../../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'
import { made, recordProvider } from '../../../../test/recording-provider.ts'
import { startWorker } from '../../../app/worker.ts'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { nextPollAt } from './polling.ts'

const invoices = (till: Till) => till.services.db.selectFrom('invoices').selectAll().orderBy('id').execute()

const beginWithFault = async (till: Till, alice: SignedIn, create: object, promo_code?: string) => {
  await till.faults({ create: { times: 1, ...create } })
  const body = { amount: 40, ...(promo_code && { promo_code }) }
  await till.call('POST /api/topup', { token: alice.token, body })
  return (await invoices(till)).at(-1)?.id ?? 0
}

describe('lost callbacks', () => {
  it('are recovered by the reconciler after hours of downtime', {
    timeout: 60_000,
  }, async () => {
    const till = await createTill()
    const begun = await beginMany(till, await newCustomers(till, 25), 150)
    till.door.shut()
    await till.faults({ callbacks: { drop: ['paying'] } })
    await Promise.all(begun.map(({ trackId }) => till.lever(`pay/${trackId}`)))
    await till.lever('advance', { seconds: 5 * 3600 })
    const sent = await till.callbacks()
    expect(sent.some(({ outcome }) => outcome === 'delivered')).toBe(false)
    till.door.open()
    till.clock.advance(5 * HOUR)
    await Promise.all([till.reconcile(), till.reconcile(), till.reconcile()])
    await expectEachCreditedOnce(till, begun)
  })

  it('still grant premium and the bonus', async () => {
    const { till, alice } = await createTillWithCustomer()
    const { trackId } = await till.upgrade(alice)
    await till.payUnnoticed(trackId)
    await till.reconcileAfter(MINUTE)
    expect(await till.isPremium(alice)).toBe(true)
    await till.expectBooksToAddUp()
  })

  it('of late payments are found days later and go to review', async () => {
    const { till, alice } = await createTillWithCustomer()
    const { id, trackId } = await till.topUp(alice, 30)
    await till.faults({ callbacks: { drop: true } })
    await till.lever(`expire/${trackId}`)
    await till.reconcileAfter(HOUR)
    expect((await till.payment(alice, id)).state).toBe('expired')
    await till.lever(`pay/${trackId}`)
    await till.reconcileAfter(2 * DAY)
    expect((await till.payment(alice, id)).state).toBe('in_review')
    expect(await till.balance(alice)).toBe(0)
  })
})

describe('a polled status of paid', () => {
  const tx = { status: 'confirmed', amount: 100, currency: 'USDT' }
  it.each([
    ['with all of the money, is credited', {}, 100, []],
    ['with one dollar of it, is reviewed', { txs: [{ ...tx, amount: 1 }] }, 0, ['underpaid']],
    [
      'with money still on its way, is reviewed',
      { txs: [{ ...tx, status: 'confirming' }] },
      0,
      ['underpaid'],
    ],
    ['in a coin of unknown value, is reviewed', { txs: [{ ...tx, currency: 'BTC' }] }, 0, ['unrecognised']],
    ['without transactions, is reviewed', { txs: undefined }, 0, ['unrecognised']],
    ['of a payout, is reviewed', { type: 'payout' }, 0, ['unrecognised']],
    ['in another currency, is reviewed', { currency: 'EUR' }, 0, ['unrecognised']],
  ])('%s', async (_, change, credited, reasons) => {
    const paid = { track_id: '99', type: 'invoice', currency: 'USD', status: 'paid', txs: [tx] }
    const { url } = await recordProvider(({ method }) =>
      method === 'POST' ? made('99') : { body: JSON.stringify({ data: { ...paid, ...change }, error: {} }) },
    )
    const { till, alice } = await createTillWithCustomer({ OXAPAY_BASE_URL: url })
    await till.topUp(alice, 100)
    await till.reconcileAfter(MINUTE)
    expect(await till.balance(alice)).toBe(credited)
    const reviews = await till.services.db.selectFrom('payment_reviews').select('reason').execute()
    expect(reviews.map(({ reason }) => reason)).toEqual(reasons)
  })
})

describe('an unanswered creation', () => {
  it('that succeeded is found by its order id and credited when it is paid', async () => {
    const { till, alice } = await createTillWithCustomer({ OXAPAY_TIMEOUT_MS: '3000' })
    const id = await beginWithFault(till, alice, { kind: 'timeout', created: true })
    expect(await invoices(till)).toMatchObject([{ state: 'unknown', track_id: null }])
    await till.reconcile()
    const [found] = await invoices(till)
    expect(await invoices(till)).toMatchObject([{ state: 'waiting', track_id: expect.any(String) }])
    await till.lever(`pay/${found?.track_id}`)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 40 })
    await till.expectBooksToAddUp()
  })

  it('is also found by a faster callback', async () => {
    const { till, alice } = await createTillWithCustomer()
    const id = await beginWithFault(till, alice, { kind: 'disconnect', created: true })
    const [{ track_id }] = await till.providerInvoices()
    await till.lever(`pay/${track_id}`)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 40 })
  })

  it('that failed is marked as failed after an hour and releases its bonus', async () => {
    const { till, alice } = await createTillWithCustomer()
    const root = await signUp(till, 'root', { isAdmin: true })
    const code = { code: 'ONCE', type: 'fixed_amount', value: 5, total_limit: 1 }
    await till.call('POST /api/admin/promo-codes', { token: root.token, body: code })
    const id = await beginWithFault(till, alice, { kind: 'disconnect', created: false }, 'ONCE')
    await till.reconcile()
    await till.reconcileAfter(HOUR - 1)
    expect((await till.payment(alice, id)).state).toBe('pending')
    await till.reconcileAfter(HOUR)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'failed', bonus: 0 })
    const bob = await signUp(till, 'bob')
    expect((await till.topUp(bob, 40, 'ONCE')).answer.invoice.bonus).toBe(5)
  })

  it('stays unknown while the history of the provider is unavailable', async () => {
    const { till, alice } = await createTillWithCustomer()
    const id = await beginWithFault(till, alice, { kind: 'disconnect', created: true })
    await till.faults({ read: { kind: 'garbage' } })
    await till.reconcileAfter(DAY)
    expect((await till.payment(alice, id)).state).toBe('pending')
    await till.honest()
    await till.reconcileAfter(DAY)
    expect(await invoices(till)).toMatchObject([{ track_id: expect.any(String) }])
  })
})

describe('polling', () => {
  it('slows down with age and ends', () => {
    const made = new Date('2026-03-01T00:00:00Z')
    const wait = (state: 'waiting' | 'expired' | 'paid', ageMs: number) => {
      const now = new Date(made.getTime() + ageMs)
      const next = nextPollAt(state, made, now)
      return next && next.getTime() - now.getTime()
    }
    expect(wait('waiting', 0)).toBe(MINUTE)
    expect(wait('waiting', HOUR)).toBe(15 * MINUTE)
    expect(wait('waiting', 30 * DAY)).toBe(6 * HOUR)
    expect(wait('expired', HOUR)).toBe(30 * MINUTE)
    expect(wait('expired', 3 * DAY)).toBeNull()
    expect(wait('paid', 0)).toBeNull()
  })

  it('happens at most once per minute and invoice', async () => {
    const { till, alice } = await createTillWithCustomer()
    const { id, trackId } = await till.topUp(alice, 30)
    await till.reconcileAfter(MINUTE)
    await till.payUnnoticed(trackId)
    await till.reconcile()
    expect((await till.payment(alice, id)).state).toBe('pending')
    await till.reconcileAfter(MINUTE)
    expect((await till.payment(alice, id)).state).toBe('completed')
  })

  it('continues after an outage of the provider', async () => {
    const { till, alice } = await createTillWithCustomer()
    const begun = [await till.topUp(alice, 1), await till.topUp(alice, 2)]
    await till.faults({ callbacks: { drop: true }, read: { kind: 'disconnect' } })
    for (const { trackId } of begun) await till.lever(`pay/${trackId}`)
    await till.reconcileAfter(HOUR)
    expect(await till.balance(alice)).toBe(0)
    await till.honest()
    await till.reconcileAfter(HOUR)
    expect(await till.balance(alice)).toBe(3)
  })

  it('starts with the worker', async () => {
    const { till, alice } = await createTillWithCustomer()
    const { id, trackId } = await till.topUp(alice, 30)
    await till.payUnnoticed(trackId)
    till.clock.advance(MINUTE)
    await startWorker(till.services)
    await expect
      .poll(async () => (await till.payment(alice, id)).state, { timeout: 20_000 })
      .toBe('completed')
  })
})
