import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { paymentStates } from '@trunkline/contract/payment-states'
import { paymentLooks } from '../../common/payments/payment-look.ts'
import { Badge } from '../../ui/Badge.tsx'

/** One of the specification's three words, and the finer truth beside it where there is one. */
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
