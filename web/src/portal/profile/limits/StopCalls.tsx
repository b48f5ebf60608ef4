import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, explain } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Lamp } from '../../../ui/Lamp.tsx'
import { toast } from '../../../ui/toast.ts'
import { guardsQuery, type OwnGuards } from '../queries.ts'

/** For emergencies such as a stolen password or a faulty PBX. */
export function StopCalls({ guards: { ceiling, effective } }: { guards: OwnGuards }) {
  const [isAsking, setAsking] = useState(false)
  const set = useMutation({
    mutationFn: (calls_stopped: true | null) => api('PATCH /api/user/guards', { body: { calls_stopped } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(guardsQuery.queryKey, saved)
      toast.success(saved.effective.calls_stopped ? 'All calls are stopped.' : 'Calls are allowed again.')
    },
    onError: (error) => toast.error(explain(error, 'Nothing was changed. Please try again.')),
    onSettled: () => setAsking(false),
  })
  const isStopped = effective.calls_stopped
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border bg-raised px-4 py-3">
      <Lamp lit={isStopped ? 'danger' : 'signal'} label="" />
      <p className="min-w-48 flex-1 text-sm">
        <span className="block font-medium">{isStopped ? 'All calls are stopped' : 'Calls are allowed'}</span>
        <span className="block text-muted">
          {ceiling.calls_stopped
            ? 'Your provider stopped all calls. Contact support.'
            : isStopped
              ? 'You stopped all calls. New calls are refused.'
              : 'Within the limits below.'}
        </span>
      </p>
      {!ceiling.calls_stopped &&
        (isStopped ? (
          <Button variant="primary" busy={set.isPending} onClick={() => set.mutate(null)}>
            Allow calls again
          </Button>
        ) : (
          <Button onClick={() => setAsking(true)}>Stop all calls</Button>
        ))}
      {isAsking && (
        <ConfirmDialog
          title="Stop all calls?"
          description="Live calls end now, and new calls are refused until you allow calls again."
          action="Stop all calls"
          isBusy={set.isPending}
          onConfirm={() => set.mutate(true)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
