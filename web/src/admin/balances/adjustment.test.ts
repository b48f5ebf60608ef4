import { ownMessages } from '@trunkline/contract/messages'
import { describe, expect, it } from 'vitest'
import { balanceAfter, signedAmount, validateAdjustment } from './adjustment.ts'

const draft = { direction: 'debit', amount: '2.50', reason: 'a mistake' } as const
const funds = { balance: 10, held: 8 }

describe('an adjustment in the making', () => {
  it('takes or gives exactly what was typed', () => {
    expect(signedAmount(draft)).toBe(-2_500_000n)
    expect(signedAmount({ ...draft, direction: 'credit', amount: ' 0.000001 ' })).toBe(1n)
    expect(balanceAfter(draft, funds)).toBe(7_500_000n)
  })

  it.each(['', '0', '-1', 'ten', '1e400', '0.0000001'])('%j is no amount', (amount) => {
    expect(signedAmount({ ...draft, amount })).toBeNull()
    expect(validateAdjustment({ ...draft, amount }, funds)).toEqual({ amount: ownMessages.amountInvalid })
  })

  it('never takes what is held for live calls, and always says why', () => {
    expect(validateAdjustment({ ...draft, reason: '  ' }, funds)).toEqual({
      amount: ownMessages.insufficientBalance,
      reason: ownMessages.reasonMissing,
    })
    expect(validateAdjustment({ ...draft, amount: '2' }, funds)).toEqual({})
    expect(validateAdjustment({ ...draft, direction: 'credit' }, funds)).toEqual({})
  })
})
