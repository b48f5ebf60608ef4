import { ownMessages } from '@trunkline/contract/messages'
import { describe, expect, it } from 'vitest'
import { balanceAfter, signedAmount, validateAdjustment } from './adjustment.ts'

const draft = { direction: 'debit', amount: '2.50', reason: 'a mistake' } as const
const funds = { balance: 10, held: 8 }

describe('an adjustment draft', () => {
  it('credits or debits exactly the typed amount', () => {
    expect(signedAmount(draft)).toBe(-2_500_000n)
    expect(signedAmount({ ...draft, direction: 'credit', amount: ' 0.000001 ' })).toBe(1n)
    expect(balanceAfter(draft, funds)).toBe(7_500_000n)
  })

  it.each(['', '0', '-1', 'ten', '1e400', '0.0000001'])('rejects %j as an amount', (amount) => {
    expect(signedAmount({ ...draft, amount })).toBeNull()
    expect(validateAdjustment({ ...draft, amount }, funds)).toEqual({ amount: ownMessages.amountInvalid })
  })

  it('never debits held money and requires a reason', () => {
    expect(validateAdjustment({ ...draft, reason: '  ' }, funds)).toEqual({
      amount: ownMessages.insufficientBalance,
      reason: ownMessages.reasonMissing,
    })
    expect(validateAdjustment({ ...draft, amount: '2' }, funds)).toEqual({})
    expect(validateAdjustment({ ...draft, direction: 'credit' }, funds)).toEqual({})
  })
})
