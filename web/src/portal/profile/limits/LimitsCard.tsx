import { useQuery } from '@tanstack/react-query'
import { explain } from '../../../app/api.ts'
import { Failure } from '../../../common/Failure.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { Skeleton, SkeletonRows } from '../../../ui/Skeleton.tsx'
import { useEditing } from '../../use-editing.ts'
import { guardsQuery, type OwnGuards } from '../queries.ts'
import { LimitsForm } from './LimitsForm.tsx'
import { limitRows } from './limits.ts'
import { StopCalls } from './StopCalls.tsx'

/** Limits the damage of a stolen password. Customers can lower limits; only the provider can raise them. */
export function LimitsCard() {
  const { data: guards, isPending, error, refetch } = useQuery(guardsQuery)
  return (
    <TitledCard title="Call limits" id="limits" aria-busy={isPending} className="scroll-mt-24">
      {isPending ? (
        <>
          <Skeleton className="mb-4 h-16.5 w-full" />
          <SkeletonRows rows={7} className="h-17.5 sm:h-11" />
          <Skeleton className="mt-5 mb-7 w-3/4" />
          <Skeleton className="h-10 w-32" />
        </>
      ) : guards ? (
        <Limits guards={guards} />
      ) : (
        <Failure onRetry={() => void refetch()}>{explain(error, 'Your limits could not be loaded.')}</Failure>
      )}
    </TitledCard>
  )
}

function Limits({ guards }: { guards: OwnGuards }) {
  const { isEditing, setEditing, button } = useEditing()

  return (
    <>
      <StopCalls guards={guards} />
      {isEditing ? (
        <LimitsForm guards={guards} onDone={() => setEditing(false)} />
      ) : (
        <>
          <dl className="divide-y">
            {limitRows(guards).map(({ name, value, setBy }) => (
              <div key={name} className="flex items-baseline justify-between gap-6 py-2.5">
                <dt className="shrink-0 text-muted text-sm">{name}</dt>
                <dd className="flex min-w-0 items-baseline justify-end gap-x-3 gap-y-1 text-right max-sm:flex-col max-sm:items-end">
                  <span className="figures min-w-0 break-words">{value}</span>
                  {/* A fixed width aligns the values. */}
                  <Badge
                    tone={setBy === 'you' ? 'signal' : 'neutral'}
                    className="shrink-0 justify-center sm:w-24"
                  >
                    {setBy === 'you' ? 'Set by you' : 'Your account'}
                  </Badge>
                </dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 mb-4 text-muted text-sm">
            Daily limits reset at midnight UTC. You can only set lower limits than your account has. To raise
            them, contact support.
          </p>
          <Button ref={button} onClick={() => setEditing(true)}>
            Change limits
          </Button>
        </>
      )}
    </>
  )
}
