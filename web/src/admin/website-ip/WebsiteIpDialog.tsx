import { useMutation, useQuery } from '@tanstack/react-query'
import { normalHost } from '@trunkline/contract/hosts'
import { HOST_MAX } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'
import { Failure } from '../../common/Failure.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { useFaultFocus } from '../../ui/focus-fault.ts'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { websiteIpQuery } from '../queries.ts'

/** The address that customers point their PBX at. */
export function WebsiteIpDialog({ onClose }: { onClose: () => void }) {
  const present = useQuery({ ...websiteIpQuery, refetchOnMount: 'always' })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add/Update Website IP"
      description="Customers point their PBX at this address; profiles and connection guides show it."
    >
      {present.data !== undefined && !present.isRefetchError && present.isFetchedAfterMount ? (
        <WebsiteIpForm present={present.data} onClose={onClose} />
      ) : present.isError ? (
        <Failure onRetry={() => void present.refetch()}>
          {explain(present.error, 'The present address could not be loaded.')}
        </Failure>
      ) : (
        <div aria-busy="true">
          <Skeleton className="h-24 w-full" />
        </div>
      )}
    </Dialog>
  )
}

function WebsiteIpForm({ present, onClose }: { present: string | null; onClose: () => void }) {
  const [typed, setTyped] = useState(present ?? '')
  const [fault, setFault] = useState<string | null>(null)
  const [changed, setChanged] = useState(false)
  const form = useFaultFocus(fault)

  const save = useMutation({
    mutationFn: (websiteip: string) =>
      api('POST /api/admin/websiteip', { body: { websiteip, was: present } }),
    onSuccess: ({ websiteip }) => {
      queryClient.setQueryData(websiteIpQuery.queryKey, websiteip)
      refresh().catch(() => {})
      toast.success(messages.websiteIpUpdated)
      onClose()
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') {
        setChanged(true)
        void queryClient.invalidateQueries({ queryKey: websiteIpQuery.queryKey })
      } else if (error instanceof ApiError && error.fields.length > 0) setFault(error.message)
      else toast.error(explain(error, messages.websiteIpUpdateFailed))
    },
  })

  function submit() {
    if (normalHost(typed) === null) setFault(ownMessages.websiteIpInvalid)
    else save.mutate(typed.trim())
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label="Website IP"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p className="text-sm">
        <span className="text-muted">Now: </span>
        {present === null ? 'Not set' : <span className="font-mono">{present}</span>}
      </p>
      {changed && (
        <Notice tone="pending">
          Another administrator has changed it meanwhile. It is shown above as it is now; save again to
          replace it.
        </Notice>
      )}
      <Field
        label="New address"
        error={fault}
        hint="An IP address such as 198.51.100.4, or a host name such as sip.example.com."
      >
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={HOST_MAX}
          className="font-mono"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setFault(null)
          }}
        />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
