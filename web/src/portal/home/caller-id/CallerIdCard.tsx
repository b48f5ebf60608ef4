import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PanelCard } from '../../../common/PanelCard.tsx'
import { PhoneNumber } from '../../../common/PhoneNumber.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Lamp } from '../../../ui/Lamp.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useEditing } from '../../use-editing.ts'
import { callerIdQuery } from '../queries.ts'
import { CallerIdForm } from './CallerIdForm.tsx'
import { lampOf, shownCallerId, wordsOfState } from './caller-id.ts'

export function CallerIdCard() {
  const { data, isPending, refetch } = useQuery(callerIdQuery)
  const { isEditing, setEditing, button } = useEditing()
  useCallerIdHash(data !== undefined, () => setEditing(true))

  return (
    <PanelCard title="Caller ID" step={2} id="caller-id" className="scroll-mt-24 md:max-lg:col-span-2">
      {isPending ? (
        <div aria-busy="true">
          <Skeleton className="h-7.5 w-48" />
          <Skeleton className="mt-2.5 h-5 w-40" />
          <Skeleton className="mt-5 h-10 w-24" />
        </div>
      ) : !data ? (
        <>
          <p className="mb-5 text-muted text-sm">The caller ID could not be loaded.</p>
          <Button size="sm" className="mt-auto self-start" onClick={() => void refetch()}>
            Try again
          </Button>
        </>
      ) : isEditing ? (
        <CallerIdForm current={data.callerid ?? ''} onDone={() => setEditing(false)} />
      ) : (
        <>
          <p className="figures break-all font-semibold text-2xl tracking-tight">
            <PhoneNumber of={shownCallerId(data.callerid)} />
          </p>
          <div className="mt-2.5 mb-5 text-muted text-sm">
            <p className="flex items-center gap-2">
              <Lamp lit={lampOf(data)} label="" />
              {wordsOfState(data)}
            </p>
            {data.approval?.note && <p className="mt-1 break-words">Note: {data.approval.note}</p>}
          </div>
          <Button ref={button} className="mt-auto self-start" onClick={() => setEditing(true)}>
            {data.callerid ? 'Change' : 'Set Caller ID'}
          </Button>
        </>
      )}
    </PanelCard>
  )
}

/** `/dashboard#caller-id` opens the form and then removes the hash. */
function useCallerIdHash(isReady: boolean, onHash: () => void): void {
  const hasHash = useLocation({ select: ({ hash }) => hash === 'caller-id' })
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash is used once, when the data is loaded
  useEffect(() => {
    if (!hasHash || !isReady) return
    onHash()
    void navigate({ to: '/dashboard', replace: true, resetScroll: false })
  }, [hasHash, isReady])
}
