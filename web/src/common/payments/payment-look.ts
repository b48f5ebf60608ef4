import type { PaymentState } from '@trunkline/contract/payment-states'
import type { BadgeTone } from '../../ui/Badge.tsx'
import type { LampState } from '../../ui/Lamp.tsx'

type Lamps = readonly [requested: LampState, seen: LampState, arrived: LampState]
type Look = { badge: BadgeTone; lamps: Lamps; headline: string }

/** Colors and headlines of payment states. The labels are in the contract. */
export const paymentLooks: Readonly<Record<PaymentState, Look>> = {
  pending: {
    badge: 'pending',
    lamps: ['signal', 'pending', 'off'],
    headline: 'Waiting for your payment',
  },
  paying: {
    badge: 'pending',
    lamps: ['signal', 'signal', 'pending'],
    headline: 'Your payment is being confirmed',
  },
  completed: {
    badge: 'success',
    lamps: ['signal', 'signal', 'signal'],
    headline: 'Payment received',
  },
  underpaid: {
    badge: 'pending',
    lamps: ['signal', 'pending', 'off'],
    headline: 'Part of the payment is missing',
  },
  in_review: {
    badge: 'pending',
    lamps: ['signal', 'signal', 'pending'],
    headline: 'This payment is in review',
  },
  expired: {
    badge: 'danger',
    lamps: ['signal', 'danger', 'off'],
    headline: 'This payment request has expired',
  },
  failed: {
    badge: 'danger',
    lamps: ['danger', 'off', 'off'],
    headline: 'The payment could not be started',
  },
  refunding: {
    badge: 'pending',
    lamps: ['signal', 'signal', 'pending'],
    headline: 'The payment is being refunded',
  },
  partly_refunded: {
    badge: 'neutral',
    lamps: ['signal', 'signal', 'signal'],
    headline: 'Part of the payment was refunded',
  },
  refunded: {
    badge: 'neutral',
    lamps: ['signal', 'signal', 'off'],
    headline: 'The payment was refunded',
  },
}
