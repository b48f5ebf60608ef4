import { Link } from '@tanstack/react-router'
import type { StatementLine } from '@trunkline/contract/statements'
import { formatCalendarDate } from '../../common/format/dates.ts'
import { TextWithPhoneNumbers } from '../../common/PhoneNumber.tsx'
import { CallSummary } from '../../common/statement/CallSummary.tsx'
import { isOfPayment } from '../../common/statement/lines.ts'

const linkClass = 'underline decoration-edge underline-offset-3 hover:decoration-current'

/** The purpose of a line, with a link to the call, the number or the payment. */
export function lineDetails(line: StatementLine) {
  const { kind, reference, call } = line
  if (call)
    return (
      <Link to="/dashboard/cdr-report" search={{ period: 'custom', call: call.id }} className={linkClass}>
        <CallSummary call={call} />
      </Link>
    )
  if (isOfPayment(line))
    return (
      <Link to="/dashboard/topup" hash="payments" className={`break-all font-mono text-xs ${linkClass}`}>
        {reference}
      </Link>
    )
  switch (kind) {
    case 'number_rent':
      return (
        <Link to="/dashboard/numbers" className={linkClass}>
          <TextWithPhoneNumbers text={withDates(reference)} />
        </Link>
      )
    case 'recording':
      return withDates(reference)
    case 'promo_credit':
      return <span className="break-all font-mono text-xs">{reference}</span>
    case 'adjustment':
      return (
        <Link to="/dashboard/support" search={{ ticket: 'new' }} className={`text-muted ${linkClass}`}>
          Ask support
        </Link>
      )
    default:
      return null
  }
}

/** The server writes days as `2026-11-15`. */
const withDates = (text: string): string =>
  text.replace(/\d{4}-\d{2}-\d{2}/g, (day) => formatCalendarDate(day))
