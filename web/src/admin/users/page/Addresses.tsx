import { useMutation, useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { HOST_MAX, REASON_MAX } from '@trunkline/contract/limits'
import type { TrustedAddress } from '@trunkline/contract/trusted-addresses'
import { useState } from 'react'
import { api, explain } from '../../../app/api.ts'
import { AddressRow } from '../../../common/addresses/AddressRow.tsx'
import { Confirm } from '../../../common/Confirm.tsx'
import { Loaded } from '../../../common/Loaded.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { addressesQuery, rereadUsers } from '../queries.ts'

/** The addresses a customer calls from without a password: approved and revoked here. */
export function Addresses({ user }: { user: UserDetails }) {
  const query = useQuery(addressesQuery(user.id))
  return (
    <Card aria-label="Trusted addresses">
      <CardHeader title="Trusted addresses" />
      <Loaded query={query} failed="The addresses could not be loaded.">
        {({ addresses }) =>
          addresses.length === 0 ? (
            <p className="text-muted text-sm">No address is trusted or waiting for proof.</p>
          ) : (
            <ul className="divide-y">
              {addresses.map((address) => (
                <Address key={address.id} user={user} address={address} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <TrustAddress user={user} />
    </Card>
  )
}

const useApproval = (user: UserDetails, onDone?: () => void) =>
  useMutation({
    mutationFn: (body: { address: string; note?: string }) =>
      api('POST /api/admin/users/:id/addresses', { params: { id: user.id }, body }),
    onSuccess: ({ message }) => {
      toast.success(message)
      onDone?.()
    },
    onSettled: () => rereadUsers(),
  })

function Address({ user, address }: { user: UserDetails; address: TrustedAddress }) {
  const [isAsking, setAsking] = useState(false)
  const approve = useApproval(user)
  return (
    <AddressRow address={address}>
      {address.state !== 'approved' && (
        <Button
          size="sm"
          aria-label={`Approve ${address.address}`}
          busy={approve.isPending}
          onClick={() =>
            approve.mutate(
              { address: address.address },
              { onError: (error) => toast.error(explain(error, 'The address could not be approved.')) },
            )
          }
        >
          Approve
        </Button>
      )}
      <Button size="sm" aria-label={`Revoke ${address.address}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <Confirm
          title={`Revoke ${address.address}?`}
          text={`Calls of ${user.username} from this address need the SIP password again.`}
          action="Revoke"
          failed="The address could not be revoked. Please try again."
          onConfirm={() => api('DELETE /api/admin/addresses/:id', { params: { id: address.id } })}
          reread={rereadUsers}
          onClose={() => setAsking(false)}
        />
      )}
    </AddressRow>
  )
}

function TrustAddress({ user }: { user: UserDetails }) {
  const [address, setAddress] = useState('')
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const approve = useApproval(user, () => {
    setAddress('')
    setNote('')
  })
  return (
    <form
      noValidate
      className="mt-3 flex flex-col gap-3 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        approve.mutate(
          { address, note },
          { onError: (error) => setFault(explain(error, 'The address could not be approved.')) },
        )
      }}
    >
      <Field
        label="Trust an address"
        error={fault}
        hint="No proof is asked for. Private ranges are allowed where your own network has them."
      >
        <Input
          value={address}
          maxLength={HOST_MAX}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => {
            setAddress(event.target.value)
            setFault(null)
          }}
        />
      </Field>
      <Field label="Note for the audit log" optional>
        <Input value={note} maxLength={REASON_MAX} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <Button type="submit" className="self-start" busy={approve.isPending}>
        Trust address
      </Button>
    </form>
  )
}
