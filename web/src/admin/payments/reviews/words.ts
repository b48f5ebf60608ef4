import type { Review } from '@trunkline/contract/admin-payments'
import { formatExactMoney } from '../../../common/format/money.ts'

type Told = {
  title: string
  story: (review: Review) => string
}

const sum = (amount: number | null, unknown: string): string =>
  amount === null ? unknown : formatExactMoney(amount)

const asked = ({ payment }: Review): string =>
  payment ? formatExactMoney(payment.amount) : 'the requested amount'

export const reviewReasons: Readonly<Record<Review['reason'], Told>> = {
  underpaid: {
    title: 'Underpaid',
    story: (review) =>
      `${sum(review.amount, 'An unknown amount')} of ${asked(review)} arrived. Nothing is credited until the rest arrives or you credit this part.`,
  },
  overpaid: {
    title: 'Overpaid',
    story: (review) =>
      `${asked(review)} was requested and credited. ${sum(review.amount, 'The surplus')} more arrived and is not credited yet.`,
  },
  late: {
    title: 'Late payment',
    story: (review) =>
      `${sum(review.amount, 'The payment')} arrived after the payment request had ended or was resolved. It is not credited automatically.`,
  },
  refunded_after_credit: {
    title: 'Refunded after credit',
    story: (review) =>
      `The provider refunded ${sum(review.amount, 'the payment')} to the payer, but it is still on the customer’s balance.`,
  },
  unmatched: {
    title: 'Unmatched payment',
    story: (review) =>
      `The provider reports ${sum(review.amount, 'a payment')} for an unknown order. Find the customer it belongs to.`,
  },
  unrecognised: {
    title: 'Unclear report',
    story: (review) =>
      `The provider sent a report${review.amount === null ? '' : ` about ${formatExactMoney(review.amount)}`} with an unknown status, type or currency, or without the amount received. Nothing was credited. Check the payment at the provider, then decide.`,
  },
}

export function storyOf(review: Review): string {
  const { story } = reviewReasons[review.reason]
  return review.is_returned && review.reason !== 'refunded_after_credit'
    ? `${story(review)} The provider has returned it to the payer, so it cannot be credited.`
    : story(review)
}

export const reviewStates: Readonly<Record<Review['state'], string>> = {
  open: 'Open',
  credited: 'Credited',
  ignored: 'Ignored',
}

export function creditWords({ payment, reason }: Review): string {
  if (reason === 'late' && payment?.kind === 'upgrade' && payment.paid === 0)
    return 'The full price makes the customer premium. A smaller amount goes to the balance.'
  if (reason === 'late' && payment && payment.paid === 0 && payment.bonus > 0)
    return 'The full amount includes the promised bonus.'
  return 'It is added to the balance.'
}
