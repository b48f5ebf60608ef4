import { system } from '@trunkline/domain/access'
import { cents, dollars } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import { withSingleHolds } from '../../../../test/ledger.ts'
import { createTill, newAdmin, type Till } from '../../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'

/** All endpoints that show amounts, read at the same time. */
async function shown(till: Till, root: SignedIn, alice: SignedIn) {
  const asAdmin = { token: root.token }
  const statement = await till.call('GET /api/admin/users/:id/statement', {
    ...asAdmin,
    params: { id: alice.id },
    query: { limit: 100 },
  })
  const me = await till.call('GET /api/auth/me', { token: alice.token })
  const found = await till.call('GET /api/users', { ...asAdmin, query: { search: 'alice' } })
  const sums = await till.call('GET /api/admin/payments/totals', asAdmin)
  const payments = await till.call('GET /api/admin/payments', asAdmin)
  const own = await till.call('GET /api/payments', { token: alice.token })
  const total = await till.call('GET /api/total-payments', asAdmin)
  const count = await till.call('GET /api/successful-payments', asAdmin)
  const { cash } = (
    await till.call('GET /api/admin/dashboard/cash', { ...asAdmin, query: { timezone: 'UTC' } })
  ).answer
  const micros = (amount: number) => BigInt(Math.round(amount * 1e6))
  const sum = (amounts: number[]) => Number(amounts.reduce((all, amount) => all + micros(amount), 0n)) / 1e6
  return {
    ledger: await till.balance(alice),
    home: me.answer.user.bal,
    held: statement.answer.held,
    available: statement.answer.available,
    userList: found.answer.users[0]?.bal,
    statement: statement.answer.balance,
    newestLine: statement.answer.lines[0]?.balance,
    sumOfLines: sum(statement.answer.lines.map(({ amount }) => amount)),
    cash: sum(cash.months.flatMap(({ top_ups, upgrades }) => [top_ups, upgrades])),
    card: [total.answer.total_credit, count.answer.count],
    paid: [sums.answer.totals.paid, payments.answer.payments.filter(({ paid }) => paid > 0).length],
    refunded: [
      sums.answer.totals.refunded,
      sum(payments.answer.payments.map(({ refunded }) => refunded)),
      sum(own.answer.payments.map(({ refunded }) => refunded)),
    ],
  }
}

it('shows the same amounts on every screen, exact to the micro-dollar', async () => {
  const till = await createTill()
  const root = await newAdmin(till)
  const alice = await signUp(till, 'alice')
  const ledger = withSingleHolds(till.services.ledger, till.services.db)
  const systemOwner = system('test')
  const refund = (id: number, body: object) =>
    till.call('POST /api/admin/payments/:id/refunds', {
      token: root.token,
      params: { id },
      body: { reason: 'asked', request_key: `refund-${id}-${JSON.stringify(body).length}-key`, ...body },
    })
  /** Payments that match no invoice are not part of `brought`. */
  const agree = async (
    balance: number,
    brought: [number, number],
    refunded: number,
    { held = 0, unmatched = [0, 0] } = {},
  ) => {
    const card = brought.map((figure, at) => figure + (unmatched[at] ?? 0))
    const figures = await shown(till, root, alice)
    expect(figures).toEqual({
      ledger: balance,
      home: balance,
      userList: balance,
      statement: balance,
      newestLine: balance,
      sumOfLines: balance,
      held,
      available: Number((balance - held).toFixed(6)),
      cash: card[0],
      card,
      paid: brought,
      refunded: [refunded, refunded, refunded],
    })
    // A hold without a live call fails the check, so the check runs after settlement.
    if (held === 0) await till.expectBooksToAddUp()
  }

  await till.call('POST /api/admin/promo-codes', {
    token: root.token,
    body: { code: 'EIGHTH', type: 'percentage', value: 12.5 },
  })
  const first = await till.topUp(alice, 33.33, 'EIGHTH')
  await till.lever(`pay/${first.trackId}`)
  await agree(37.49625, [33.33, 1], 0)

  await ledger.placeHold(systemOwner, { holdId: 'call', userId: alice.id, amountMicros: dollars(2) })
  await agree(37.49625, [33.33, 1], 0, { held: 2 })
  await ledger.settleHold(systemOwner, { holdId: 'call', costMicros: cents(123) })
  await agree(36.26625, [33.33, 1], 0)

  await refund(first.id, { amount: 3.33, to: 'paid_out', reference: 'tx' })
  await agree(32.93625, [33.33, 1], 3.33)

  const premium = await till.upgrade(alice)
  await till.lever(`pay/${premium.trackId}`)
  await refund(premium.id, { amount: 49.99, to: 'balance' })
  await agree(82.92625, [183.32, 2], 53.32)

  await till.call('POST /api/admin/balance-adjustments', {
    token: root.token,
    body: { user_id: alice.id, amount: -0.000001, reason: 'a speck', request_key: 'the-last-speck' },
  })
  await agree(82.926249, [183.32, 2], 53.32)

  await till.payUnknown(77)
  const { answer } = await till.call('GET /api/admin/payment-reviews', { token: root.token })
  await till.call('POST /api/admin/payment-reviews/:id/resolve', {
    token: root.token,
    params: { id: answer.reviews[0]?.id ?? 0 },
    body: { action: 'credit', user_id: alice.id, reason: 'unmatched' },
  })
  await agree(159.926249, [183.32, 2], 53.32, { unmatched: [77, 1] })
})
