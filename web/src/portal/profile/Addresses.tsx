import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'
import { AddressInput, TrustedAddresses } from '../../common/addresses/TrustedAddresses.tsx'
import { useForm } from '../../common/forms/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { toast } from '../../ui/toast.ts'
import { addressesQuery } from '../connect/queries.ts'
import { profileQuery } from './queries.ts'

export const Addresses = () => (
  <TrustedAddresses
    id="addresses"
    query={useQuery(addressesQuery)}
    failed="Your addresses could not be loaded."
    intro={
      <p className="mb-4 text-muted text-sm">
        For PBXs that cannot send a password. Only trust an address that nobody else uses. Anyone who calls
        from it spends your balance.
      </p>
    }
    removal={{
      action: 'Remove',
      text: 'Calls from this address need the SIP password again.',
      failed: 'The address could not be removed. Please try again.',
      remove: (id) => api('DELETE /api/user/addresses/:id', { params: { id } }),
      reread: rereadAddresses,
    }}
  >
    <AddAddress />
  </TrustedAddresses>
)

function AddAddress() {
  const form = useForm({
    initial: { address: '' },
    submit: async (body) => {
      const { message } = await api('POST /api/user/addresses', { body })
      form.reset({ address: '' })
      toast.success(message)
      void rereadAddresses()
    },
    failed: 'The address could not be added. Please try again.',
  })
  return (
    <Form form={form} className="mt-3 border-t pt-4">
      <Field
        label="Add an address"
        error={form.errors.address ?? form.failure}
        hint="The public IP address your PBX sends from."
      >
        <AddressInput {...form.bind('address')} />
      </Field>
      <Button type="submit" className="mt-3" busy={form.isBusy}>
        Add address
      </Button>
    </Form>
  )
}

/** The host of the profile is one of the addresses. */
export function rereadAddresses(): Promise<unknown> {
  refresh().catch(() => {})
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: addressesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: profileQuery.queryKey }),
  ])
}
