import { ownMessages } from '@trunkline/contract/messages'
import { cents, dollars } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { consequences, isRefundable, leftToRefund, sharesOf, validateRefund } from './refund.ts'

const user = { id: 1, username: 'alice' }
const topUp = {
  paid: 100,
  received: 100,
  credited: 110,
  refunded: 30,
  bonus: 10,
  promo_code: 'TEN',
  kind: 'topup',
  user,
} as const
const upgrade = {
  ...topUp,
  paid: 149.99,
  received: 149.99,
  credited: 0,
  refunded: 0,
  bonus: 0,
  promo_code: null,
  kind: 'upgrade',
} as const
const draft = { amount: '70', to: 'paid_out', reference: 'tx', reason: 'asked' } as const

describe('a refund draft', () => {
  it('is limited to the amount paid and not yet refunded', () => {
    expect(leftToRefund(topUp, 'paid_out')).toBe(dollars(70))
    expect(isRefundable({ paid: 100, refunded: 100 })).toBe(false)
    expect(validateRefund(draft, topUp, 70)).toEqual({})
    expect(validateRefund({ ...draft, amount: '70.000001' }, topUp, 500).amount).toContain(
      'At most $70.00 is left.',
    )
    for (const amount of ['', '0', '-1', 'all'])
      expect(validateRefund({ ...draft, amount }, topUp, 500).amount).toBe(ownMessages.amountInvalid)
  })

  it('to an external account is also limited to the received amount, if the provider reported one', () => {
    const short = { paid: 100, received: 97.5, credited: 100, refunded: 0 }
    expect(leftToRefund(short, 'paid_out')).toBe(cents(9_750))
    expect(leftToRefund(short, 'balance')).toBe(dollars(100))
    expect(validateRefund({ ...draft, amount: '97.51' }, short, 500).amount).toContain(
      'At most $97.50 is left.',
    )
    expect(leftToRefund({ ...short, refunded: 98 }, 'paid_out')).toBe(0n)
    for (const received of [0, null])
      expect(leftToRefund({ ...short, received }, 'paid_out')).toBe(dollars(100))
  })

  it('takes an external refund of a top-up from the balance, and of an upgrade at our expense', () => {
    expect(sharesOf(topUp, dollars(70))).toEqual({ fromHouse: 0n, fromBalance: dollars(70) })
    expect(sharesOf(upgrade, dollars(50))).toEqual({ fromHouse: dollars(50), fromBalance: 0n })
    // Partly credited to the balance: the rest is at our expense first.
    expect(sharesOf({ paid: 100, received: 100, credited: 40, refunded: 0 }, cents(7_000))).toEqual({
      fromHouse: dollars(60),
      fromBalance: dollars(10),
    })
    expect(validateRefund(draft, topUp, 69.99)).toEqual({ amount: ownMessages.insufficientBalance })
    expect(validateRefund({ ...draft, to: 'balance', reference: '' }, topUp, 0)).toEqual({})
    expect(validateRefund({ ...draft, reference: ' ', reason: '' }, upgrade, 0)).toEqual({
      reference: ownMessages.referenceMissing,
      reason: ownMessages.reasonMissing,
    })
  })

  it('describes the consequences', () => {
    const say = (to: 'balance' | 'paid_out', payment: typeof topUp | typeof upgrade) =>
      consequences({ to }, payment, dollars(20)).join(' ')
    expect(say('paid_out', topUp)).toContain('$20.00 is deducted from the balance of alice.')
    expect(say('paid_out', topUp)).toContain('The bonus of $10.00 from TEN stays on the balance.')
    expect(say('paid_out', upgrade)).toContain('$20.00 is at our expense')
    expect(say('paid_out', upgrade)).toContain('Premium stays')
    expect(say('balance', topUp)).toContain('increases by $20.00, at our expense')
  })
})
