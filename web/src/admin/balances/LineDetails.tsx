import { Link } from '@tanstack/react-router'
import type { AdminStatementLine } from '@trunkline/contract/admin-balances'
import { CallSummary } from '../../common/statement/CallSummary.tsx'
import { isOfPayment } from '../../common/statement/lines.ts'

export const lineDetails = (line: AdminStatementLine) => (
  <>
    <Reference line={line} />
    {line.reason && <span className="block break-words">{line.reason}</span>}
    {line.by && <span className="block text-muted text-xs">by {line.by}</span>}
  </>
)

const linkClass = 'underline-offset-4 hover:underline'
const referenceClass = 'block break-all font-mono text-muted text-xs'

/** Links to the payment of an order and to the record of a call. */
function Reference({ line }: { line: AdminStatementLine }) {
  const { kind, reference, call } = line
  if (kind === 'adjustment') return null
  if (call)
    return (
      <Link
        to="/admin-panal/calls"
        search={{ period: 'custom', call: call.id }}
        className={`block ${linkClass}`}
      >
        <CallSummary call={call} />
      </Link>
    )
  return isOfPayment(line) ? (
    <Link
      to="/admin-panal/payments"
      search={{ text: reference }}
      className={`${referenceClass} ${linkClass}`}
    >
      {reference}
    </Link>
  ) : (
    <span className={referenceClass}>{reference}</span>
  )
}
