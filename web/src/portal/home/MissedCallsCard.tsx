import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CdrRecord } from '@trunkline/contract/cdr'
import { formatCaller } from '../../common/calls/call-look.ts'
import { Moment } from '../../common/Moment.tsx'
import { PanelCard } from '../../common/PanelCard.tsx'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { CallBack } from '../phone/CallBack.tsx'
import { missedQuery } from './queries.ts'

/** The missed calls of the last day. Nothing if there are none. */
export function MissedCallsCard() {
  const { data: calls = [] } = useQuery(missedQuery)
  if (calls.length === 0) return null
  return (
    <PanelCard
      title="Missed calls"
      step={4}
      action={
        <Link
          to="/dashboard/cdr-report"
          search={{ missed: true, period: 'month' }}
          className={buttonClass({ variant: 'ghost', size: 'sm' })}
        >
          Show all
        </Link>
      }
    >
      <ul className="divide-y">
        {calls.map((call) => (
          <Missed key={call.id} call={call} />
        ))}
      </ul>
    </PanelCard>
  )
}

const Missed = ({ call: { caller, caller_name, destination, started_at } }: { call: CdrRecord }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 first:pt-0 last:pb-0">
    <div className="mr-auto min-w-0">
      <p className="figures font-medium">
        {formatCaller(caller)}
        {caller_name && <span className="ml-2 font-normal">{caller_name}</span>}
      </p>
      <p className="figures text-muted text-xs">
        <Moment at={started_at} />, to <PhoneNumber of={destination} />
      </p>
    </div>
    <CallBack caller={caller} />
  </li>
)
