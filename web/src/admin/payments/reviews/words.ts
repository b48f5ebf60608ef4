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
    title: 'A word we do not know',
    story: (review) =>
      `The provider reported a status that it never promised${review.amount === null ? '' : `, with ${exactDollars(review.amount)}`}. No guess was made: look at it there, then decide.`,
  },
}

export const reviewStates: Readonly<Record<Review['state'], string>> = {
  open: 'Open',
  credited: 'Credited',
  ignored: 'Ignored',
}
