import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { paymentStates } from '@trunkline/contract/payment-states'
import { paymentLooks } from '../../common/payments/payment-look.ts'
import { Badge } from '../../ui/Badge.tsx'

/** One of the three statuses of the specification, and the exact state if it differs. */
export function StatusWords({ payment: { state, open_reviews } }: { payment: AdminPayment }) {
  const { status, label } = paymentStates[state]
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={paymentLooks[state].badge}>{status}</Badge>
      {label !== status && <span className="whitespace-nowrap text-muted text-xs">{label}</span>}
      {open_reviews > 0 && <Badge tone="pending">For review</Badge>}
    </span>
  )
}
