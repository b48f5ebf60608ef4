import { useMutation, useQuery } from '@tanstack/react-query'
import type { OpenSession } from '@trunkline/contract/sessions'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatDate, formatDateTime } from '../../common/format/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { registrationsQuery, sipQuery } from '../connect/queries.ts'
import { rereadAddresses } from './Addresses.tsx'
import { rereadSessions, sessionsQuery } from './queries.ts'

export function Sessions() {
  const { data: sessions, isPending, error, refetch } = useQuery(sessionsQuery)
  const hasOthers = sessions?.some(({ is_current }) => !is_current) ?? false
  return (
    <TitledCard title="Active sessions" id="sessions" aria-busy={isPending} className="scroll-mt-24">
      {isPending ? (
        <>
          <div className="mb-2 flex h-18 flex-col justify-between">
            <Skeleton className="w-40" />
            {['w-24', 'w-36', 'w-44'].map((width) => (
              <Skeleton key={width} className={cx('h-3', width)} />
            ))}
          </div>
          <div className="flex h-9 items-end border-t">
            <Skeleton className="w-52" />
          </div>
        </>
      ) : sessions ? (
        <>
          <ul className="divide-y">
            {sessions.map((session) => (
              <Session key={session.id} session={session} />
            ))}
          </ul>
          {hasOthers ? (
            <SignOutElsewhere />
          ) : (
            <p className="mt-2 border-t pt-3 text-muted text-sm">No other active sessions.</p>
          )}
        </>
      ) : (
        <Failure onRetry={() => void refetch()}>
          {explain(error, 'Your sessions could not be loaded.')}
        </Failure>
      )}
    </TitledCard>
  )
}

function Session({ session }: { session: OpenSession }) {
  const end = useEnding(() => api('DELETE /api/user/sessions/:id', { params: { id: session.id } }))
  return (
    <li className="flex items-center justify-between gap-4 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-sm">
          {session.device}
          {session.is_current && <Badge tone="signal">This device</Badge>}
        </p>
        <p className="break-all font-mono text-muted text-xs">{session.address}</p>
        <p className="figures text-muted text-xs">
          Signed in {formatDate(session.since)}
          <span className="block">Last used {formatDateTime(session.last_used)}</span>
        </p>
      </div>
      {!session.is_current && (
        <Button
          size="sm"
          aria-label={`Sign out ${session.device}, ${session.address}`}
          busy={end.isPending}
          onClick={() => end.mutate()}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

function SignOutElsewhere() {
  const [isAsking, setAsking] = useState(false)
  const [endsSip, setEndsSip] = useState(true)
  const end = useEnding(async () => {
    const answer = await api('DELETE /api/user/sessions', { query: { sip_access: endsSip ? 'end' : 'keep' } })
    if (endsSip) rereadPhones()
    return answer
  })
  return (
    <>
      <Button className="mt-3" onClick={() => setAsking(true)}>
        Sign out everywhere else
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere else?"
          description="All other browsers and apps have to sign in again."
          action="Sign out"
          isBusy={end.isPending}
          onConfirm={() => end.mutate(undefined, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <Checkbox
            label="Disconnect my phones too"
            hint="Deletes your SIP password and trusted addresses, and ends their calls."
            checked={endsSip}
            onChange={(event) => setEndsSip(event.target.checked)}
          />
        </ConfirmDialog>
      )}
    </>
  )
}

/** The SIP password, trusted addresses and registrations. */
function rereadPhones(): void {
  for (const { queryKey } of [sipQuery, registrationsQuery]) void queryClient.invalidateQueries({ queryKey })
  void rereadAddresses()
}

/** Also refetches after an error, because the session may have ended. */
const useEnding = (end: () => Promise<{ message: string }>) =>
  useMutation({
    mutationFn: end,
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(explain(error, 'Signing out failed. Please try again.')),
    onSettled: rereadSessions,
  })
