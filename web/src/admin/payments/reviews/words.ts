import type { Review } from '@trunkline/contract/admin-payments'
import { exactDollars } from '../../../common/prices.ts'

type Told = {
  title: string
  /** What happened, and what there is to decide. */
  story: (review: Review) => string
}

const sum = (amount: number | null, unknown: string): string =>
  amount === null ? unknown : exactDollars(amount)

const asked = ({ payment }: Review): string => (payment ? exactDollars(payment.amount) : 'what was asked')

export const reviewReasons: Readonly<Record<Review['reason'], Told>> = {
  underpaid: {
    title: 'Less came than was asked',
    story: (review) =>
      `${sum(review.amount, 'An unknown part')} of ${asked(review)} arrived. Nothing is credited until the rest comes, or until you credit what came.`,
  },
  overpaid: {
    title: 'More came than was asked',
    story: (review) =>
      `${asked(review)} was asked for and credited. ${sum(review.amount, 'What came beyond it')} more arrived and belongs to nobody yet.`,
  },
  late: {
    title: 'Money that came late',
    story: (review) =>
      `${sum(review.amount, 'The payment')} arrived after the request had ended or was dealt with. Nothing of it is credited unasked.`,
  },
  refunded_after_credit: {
    title: 'Returned after it was credited',
    story: (review) =>
      `The provider gave ${sum(review.amount, 'the payment')} back to the payer, and the customer has it on the balance as well.`,
  },
  unmatched: {
    title: 'Money that fits no payment',
    story: (review) =>
      `The provider reports ${sum(review.amount, 'a payment')} under an order that is not ours. Find out whose it is.`,
  },
  unrecognised: {
    title: 'Unclear report',
    story: (review) =>
      `The provider sent a report${review.amount === null ? '' : ` about ${exactDollars(review.amount)}`} with an unknown status, type or currency, or without the amount received. Nothing was credited. Check the payment at the provider, then decide.`,
  },
}

export const reviewStates: Readonly<Record<Review['state'], string>> = {
  open: 'Open',
  credited: 'Credited',
  ignored: 'Ignored',
}
