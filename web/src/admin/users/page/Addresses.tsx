import { useMutation, useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { REASON_MAX } from '@trunkline/contract/limits'
import { api, explain } from '../../../app/api.ts'
import { AddressInput, TrustedAddresses } from '../../../common/addresses/TrustedAddresses.tsx'
import { useForm } from '../../../common/forms/use-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { addressesQuery, rereadUsers } from '../queries.ts'

const failed = 'The address could not be approved.'

const approve = (user: UserDetails, body: { address: string; note?: string }) =>
  api('POST /api/admin/users/:id/addresses', { params: { id: user.id }, body })

/** Administrators approve and revoke addresses without a verification. */
export function Addresses({ user }: { user: UserDetails }) {
  const query = useQuery({ ...addressesQuery(user.id), select: ({ addresses }) => addresses })
  return (
    <TrustedAddresses
      query={query}
      failed="The addresses could not be loaded."
      empty={<p className="text-muted text-sm">No trusted or pending addresses.</p>}
      removal={{
        action: 'Revoke',
        text: `Calls of ${user.username} from this address need the SIP password again.`,
        failed: 'The address could not be revoked. Please try again.',
        remove: (id) => api('DELETE /api/admin/addresses/:id', { params: { id } }),
        reread: rereadUsers,
      }}
      actions={({ state, address }) =>
        state !== 'approved' && <ApproveButton user={user} address={address} />
      }
    >
      <TrustAddress user={user} />
    </TrustedAddresses>
  )
}

function ApproveButton({ user, address }: { user: UserDetails; address: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => approve(user, { address }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(explain(error, failed)),
    onSettled: () => rereadUsers(),
  })
  return (
    <Button size="sm" aria-label={`Approve ${address}`} busy={isPending} onClick={() => mutate()}>
      Approve
    </Button>
  )
}

const empty = { address: '', note: '' }

function TrustAddress({ user }: { user: UserDetails }) {
  const form = useForm({
    initial: empty,
    submit: async (values) => {
      const { message } = await approve(user, values)
      toast.success(message)
      form.reset(empty)
    },
    failed,
    onSettled: rereadUsers,
  })
  return (
    <Form form={form} className="mt-3 flex flex-col gap-3 border-t pt-4">
      <Field
        label="Trust an address"
        error={form.errors.address ?? form.failure}
        hint="No verification is required. Private addresses of your own network are allowed."
      >
        <AddressInput {...form.bind('address')} />
      </Field>
      <Field label="Note for the audit log" optional>
        <Input {...form.bind('note')} maxLength={REASON_MAX} />
      </Field>
      <Button type="submit" className="self-start" busy={form.isBusy}>
        Trust address
      </Button>
    </Form>
  )
}
