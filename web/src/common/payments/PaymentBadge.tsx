import { type PaymentState, paymentStates } from '@trunkline/contract/payment-states'
import { Badge } from '../../ui/Badge.tsx'
import { paymentLooks } from './payment-look.ts'

export const PaymentBadge = ({ state }: { state: PaymentState }) => (
  <Badge tone={paymentLooks[state].badge}>{paymentStates[state].label}</Badge>
)
