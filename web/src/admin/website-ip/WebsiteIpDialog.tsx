import { useQuery } from '@tanstack/react-query'
import { normalHost } from '@trunkline/contract/hosts'
import { HOST_MAX } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'
import { Failure } from '../../common/Failure.tsx'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
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
      description="Customers point their PBX at this address. Profiles and connection guides show it."
    >
      {present.data !== undefined && !present.isRefetchError && present.isFetchedAfterMount ? (
        <WebsiteIpForm present={present.data} onClose={onClose} />
      ) : present.isError ? (
        <Failure onRetry={() => void present.refetch()}>
          {explain(present.error, 'The current address could not be loaded.')}
        </Failure>
      ) : (
        <div aria-busy="true">
          <Skeleton className="h-24 w-full" />
        </div>
      )}
    </Dialog>
  )
}

/** The specified error with the reason on a new line. */
const failureOf = (reason: string): string =>
  [...new Set([messages.websiteIpUpdateFailed, reason])].join('\n')

function WebsiteIpForm({ present, onClose }: { present: string | null; onClose: () => void }) {
  const form = useEditForm({
    opened: present,
    toValues: (websiteip) => ({ websiteip: websiteip ?? '' }),
    labels: { websiteip: 'Address' },
    validate: ({ websiteip }) =>
      normalHost(websiteip) === null ? { websiteip: ownMessages.websiteIpInvalid } : {},
    submit: async ({ websiteip: typed }, was) => {
      const { websiteip } = await api('POST /api/admin/websiteip', { body: { websiteip: typed.trim(), was } })
      queryClient.setQueryData(websiteIpQuery.queryKey, websiteip)
      refresh().catch(() => {})
      toast.success(messages.websiteIpUpdated)
      onClose()
    },
    reload: () => queryClient.fetchQuery({ ...websiteIpQuery, staleTime: 0 }),
    failed: messages.websiteIpUpdateFailed,
    onFailure: (reason) => toast.error(failureOf(reason)),
  })

  return (
    <Form form={form} label="Website IP">
      <p className="text-sm">
        <span className="text-muted">Current: </span>
        {form.base === null ? 'Not set' : <span className="font-mono">{form.base}</span>}
      </p>
      <ConflictNotice form={form} />
      <Field
        label="New address"
        error={form.errors.websiteip}
        hint="An IP address such as 198.51.100.4, or a hostname such as sip.example.com."
      >
        <Input
          {...form.bind('websiteip')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={HOST_MAX}
          className="font-mono"
        />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.isBusy}>
          Save
        </Button>
      </div>
    </Form>
  )
}
