import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../common/format/numbers.ts'
import { PanelCard } from '../../common/PanelCard.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useLiveCalls } from '../live/live-calls.ts'
import { statsQuery } from './queries.ts'

const words = { loading: 'Loading…', away: 'Live calls are unavailable' }

export function ActiveCallsCard() {
  const status = useLiveCalls((state) => state.status)
  const count = useLiveCalls(({ liveCalls }) => liveCalls)
  const talking = useLiveCalls(({ calls }) => calls.filter(({ state }) => state === 'answered').length)
  return (
    <PanelCard title="Active Calls" step={1}>
      {status === 'loading' ? (
        <Skeleton className="h-12 w-14 sm:h-14.5" />
      ) : (
        <p className="figures font-semibold text-4xl tracking-tight sm:text-5xl">{count}</p>
      )}
      <p className="mt-2.5 mb-5 flex items-center gap-2 text-muted text-sm">
        <Lamp lit={count > 0 ? 'signal' : 'off'} label="" />
        {status === 'loading' || status === 'away'
          ? words[status]
          : count === 0
            ? 'No calls right now'
            : describeCalls(talking, count - talking)}
      </p>
      <SoFar />
    </PanelCard>
  )
}

const describeCalls = (talking: number, ringing: number): string =>
  [talking > 0 && `${talking} in progress`, ringing > 0 && `${ringing} ringing`].filter(Boolean).join(', ')

function SoFar() {
  const { data } = useQuery(statsQuery)
  return (
    <dl className="figures mt-auto grid min-h-10 grid-cols-2 gap-4 border-t pt-3 text-sm">
      <Figure name="Total calls" value={data && formatNumber(data.totalCalls)} />
      <Figure name="Total minutes" value={data && formatNumber(Math.round(data.totalMinutes))} />
    </dl>
  )
}

const Figure = ({ name, value }: { name: string; value: string | undefined }) => (
  <div>
    <dt className="text-muted text-xs">{name}</dt>
    <dd className="font-medium">{value ?? '–'}</dd>
  </div>
)
