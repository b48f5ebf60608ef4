import type { UseQueryResult } from '@tanstack/react-query'
import { HOST_MAX } from '@trunkline/contract/limits'
import type { TrustedAddress } from '@trunkline/contract/trusted-addresses'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { Input } from '../../ui/Input.tsx'
import { Confirm } from '../Confirm.tsx'
import { Loaded } from '../Loaded.tsx'
import { AddressRow } from './AddressRow.tsx'

type Removal = {
  action: 'Remove' | 'Revoke'
  text: string
  failed: string
  remove: (id: number) => Promise<{ message: string }>
  reread: () => unknown
}

type TrustedAddressesProps = {
  id?: string
  query: UseQueryResult<readonly TrustedAddress[]>
  failed: string
  intro?: ReactNode
  /** Shown when there are no addresses. */
  empty?: ReactNode
  removal: Removal
  /** Buttons beside the one that removes the address. */
  actions?: (address: TrustedAddress) => ReactNode
  /** The form that adds an address. */
  children: ReactNode
}

/** The addresses whose calls need no password. */
export const TrustedAddresses = ({
  id,
  query,
  failed,
  intro,
  empty,
  removal,
  actions,
  children,
}: TrustedAddressesProps) => (
  <TitledCard title="Trusted addresses" id={id} aria-busy={query.isPending} className="scroll-mt-24">
    {intro}
    <Loaded query={query} failed={failed}>
      {(addresses) =>
        addresses.length === 0 ? (
          empty
        ) : (
          <ul className="divide-y">
            {addresses.map((address) => (
              <AddressRow key={address.id} address={address}>
                {actions?.(address)}
                <RemoveButton address={address} removal={removal} />
              </AddressRow>
            ))}
          </ul>
        )
      }
    </Loaded>
    {children}
  </TitledCard>
)

function RemoveButton({ address: { id, address }, removal }: { address: TrustedAddress; removal: Removal }) {
  const [isAsking, setAsking] = useState(false)
  const { action, remove, ...rest } = removal
  return (
    <>
      <Button size="sm" aria-label={`${action} ${address}`} onClick={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <Confirm
          title={`${action} ${address}?`}
          action={action}
          onConfirm={() => remove(id)}
          onClose={() => setAsking(false)}
          {...rest}
        />
      )}
    </>
  )
}

export const AddressInput = (props: ComponentProps<typeof Input>) => (
  <Input
    maxLength={HOST_MAX}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    className="font-mono"
    {...props}
  />
)
