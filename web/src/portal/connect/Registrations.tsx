import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../common/Failure.tsx'
import { formatDate, formatTime } from '../../common/format/dates.ts'
import { Registration } from '../../common/Registration.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { addressesQuery, registrationsQuery, trustedIn } from './queries.ts'

export function Registrations() {
  const trusted = trustedIn(useQuery(addressesQuery).data)
  const { data, isPending, refetch } = useQuery(registrationsQuery)
  if (isPending) return <Skeleton className="h-14 w-full" />
  if (!data)
    return <Failure onRetry={() => void refetch()}>The registered phones could not be loaded.</Failure>
  return (
    <>
      {trusted.length > 0 && (
        <p className="mb-2.5 text-sm">
          Calls from <span className="break-all font-mono">{trusted.join(', ')}</span> need no password and no
          registration.
        </p>
      )}
      {data.length === 0 ? (
        <p className="flex items-center gap-2.5 rounded-md border px-3.5 py-3 text-muted text-sm">
          <Lamp label="" />
          No phones registered. A phone appears here within seconds of registering.
        </p>
      ) : (
        <ul className="divide-y rounded-md border">
          {data.map((registration) => (
            <Registration key={registration.contact} registration={registration} className="px-3.5 py-2.5">
              <span className="figures shrink-0 text-right text-muted text-xs">
                Since {formatTime(registration.registered_at)}
                <span className="block">{formatDate(registration.registered_at)}</span>
              </span>
            </Registration>
          ))}
        </ul>
      )}
    </>
  )
}
