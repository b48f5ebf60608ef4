import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { formatNumber } from '../common/format/numbers.ts'
import { cx } from '../ui/cx.ts'
import { openAlertsQuery } from './queries.ts'

/** Links to the alerts and shows how many are open. An unknown number is never shown as zero. */
export function AlertsBadge() {
  const { data: open, isError } = useQuery(openAlertsQuery)
  const words =
    open === undefined
      ? isError
        ? 'Alerts, the number could not be loaded'
        : 'Alerts'
      : `Alerts, ${formatNumber(open)} open`
  return (
    <Link
      to="/admin-panal/alerts"
      aria-label={words}
      title={words}
      className="relative grid size-10 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-ink/6 hover:text-ink"
    >
      <Bell aria-hidden className="size-4.5" />
      <span
        aria-hidden
        className={cx(
          'figures absolute top-0.5 right-0 grid h-4.5 min-w-4.5 place-items-center rounded-full border px-1 font-semibold text-[0.6875rem] leading-none',
          open ? 'border-danger bg-danger text-on-danger' : 'border-line bg-sunken text-muted',
        )}
      >
        {open === undefined ? (isError ? '?' : '…') : open > 99 ? '99+' : open}
      </span>
    </Link>
  )
}
