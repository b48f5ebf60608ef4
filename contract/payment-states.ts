/**
 * States of a payment, their labels, and the three display statuses of the specification. Without zod, so the
 * browser does not load a validator.
 */
export const PAYMENT_STATES = [
  'pending',
  'paying',
  'completed',
  'underpaid',
  'in_review',
  'expired',
  'failed',
  'refunding',
  'partly_refunded',
  'refunded',
] as const

export type PaymentState = (typeof PAYMENT_STATES)[number]

export const DISPLAY_STATUSES = ['Completed', 'Pending', 'Failed'] as const
export type DisplayStatus = (typeof DISPLAY_STATUSES)[number]

type Shown = { readonly label: string; readonly status: DisplayStatus; readonly explanation: string }

export const paymentStates: Readonly<Record<PaymentState, Shown>> = {
  pending: { label: 'Pending', status: 'Pending', explanation: 'Waiting for the payment.' },
  paying: {
    label: 'Confirming',
    status: 'Pending',
    explanation: 'The payment was detected and is being confirmed.',
  },
  completed: { label: 'Completed', status: 'Completed', explanation: 'The payment was received.' },
  underpaid: {
    label: 'Underpaid',
    status: 'Pending',
    explanation:
      'We received less than the requested amount. Pay the rest on the payment page, or support will review it.',
  },
  in_review: {
    label: 'In review',
    status: 'Pending',
    explanation: 'The payment arrived after its deadline. Support will review it.',
  },
  expired: {
    label: 'Expired',
    status: 'Failed',
    explanation: 'No payment arrived in time. Nothing was charged.',
  },
  failed: {
    label: 'Failed',
    status: 'Failed',
    explanation: 'The payment could not be started. Nothing was charged.',
  },
  refunding: { label: 'Refunding', status: 'Pending', explanation: 'The payment is being refunded.' },
  partly_refunded: {
    label: 'Partially refunded',
    status: 'Completed',
    explanation: 'Part of the payment was refunded.',
  },
  refunded: { label: 'Refunded', status: 'Completed', explanation: 'The payment was refunded.' },
}

/** The states behind a display status. */
export const statesOf = (status: DisplayStatus): PaymentState[] =>
  PAYMENT_STATES.filter((state) => paymentStates[state].status === status)
