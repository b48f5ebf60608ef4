import { useMutation, useQuery } from '@tanstack/react-query'
import { HOST_MAX } from '@trunkline/contract/limits'
import type { TrustedAddress } from '@trunkline/contract/trusted-addresses'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'
import { AddressRow } from '../../common/addresses/AddressRow.tsx'
import { Confirm } from '../../common/Confirm.tsx'
import { Loaded } from '../../common/Loaded.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { toast } from '../../ui/toast.ts'
import { addressesQuery } from '../connect/queries.ts'
import { profileQuery } from './queries.ts'

/** The addresses whose calls need no password, and those that wait for proof. */
export function Addresses() {
  const query = useQuery(addressesQuery)
  return (
    <Card id="addresses" aria-label="Trusted addresses" aria-busy={query.isPending} className="scroll-mt-24">
      <CardHeader title="Trusted addresses" />
      <p className="mb-4 text-muted text-sm">
        For PBXs that cannot send a password. Only trust an address that nobody else uses. Anyone who calls
        from it spends your balance.
      </p>
      <Loaded query={query} failed="Your addresses could not be loaded.">
        {(addresses) =>
          addresses.length > 0 && (
            <ul className="divide-y">
              {addresses.map((address) => (
                <Removable key={address.id} address={address} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddAddress />
    </Card>
  )
}

function Removable({ address }: { address: TrustedAddress }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <AddressRow address={address}>
      <Button size="sm" aria-label={`Remove ${address.address}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && (
        <Confirm
          title={`Remove ${address.address}?`}
          text="Calls from this address need the SIP password again."
          action="Remove"
          failed="The address could not be removed. Please try again."
          onConfirm={() => api('DELETE /api/user/addresses/:id', { params: { id: address.id } })}
          reread={rereadAddresses}
          onClose={() => setAsking(false)}
        />
      )}
    </AddressRow>
  )
}

function AddAddress() {
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const add = useMutation({
    mutationFn: () => api('POST /api/user/addresses', { body: { address: typed } }),
    onSuccess: ({ message }) => {
      setTyped('')
      toast.success(message)
      void rereadAddresses()
    },
    onError: (error) => setFault(explain(error, 'The address could not be added. Please try again.')),
  })
  return (
    <form
      noValidate
      className="mt-3 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.isPending) add.mutate()
      }}
    >
      <Field label="Add an address" error={fault} hint="The public IP address your PBX sends from.">
        <Input
          value={typed}
          maxLength={HOST_MAX}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => {
            setTyped(event.target.value)
            setFault(null)
          }}
        />
      </Field>
      <Button type="submit" className="mt-3" busy={add.isPending}>
        Add address
      </Button>
    </form>
  )
}

/** The host in the profile is one of the addresses: both are read again. */
export function rereadAddresses(): Promise<unknown> {
  refresh().catch(() => {})
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: addressesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: profileQuery.queryKey }),
  ])
}
