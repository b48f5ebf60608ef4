import type { TrustedAddress } from '@trunkline/contract/trusted-addresses'
import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { formatDate } from '../format/dates.ts'

type Look = { tone: BadgeTone; label: string }

const lookOf = ({ state, is_shared }: TrustedAddress): Look => {
  if (state === 'pending') return { tone: 'pending', label: 'Pending' }
  if (is_shared) return { tone: 'danger', label: 'Shared' }
  return { tone: 'success', label: state === 'proven' ? 'Verified' : 'Approved' }
}

export function wordsOf({ state, is_shared, trusted_at }: TrustedAddress): string {
  if (state === 'pending')
    return 'Not verified yet. To verify it, register or call from this address once with the SIP password.'
  if (is_shared)
    return 'Another account has also verified this address, so calls from it need the SIP password. An administrator can resolve this.'
  const since = trusted_at === null ? '' : ` since ${formatDate(trusted_at)}`
  return state === 'proven'
    ? `Verified with the SIP password. Calls need no password${since}.`
    : `Approved by an administrator. Calls need no password${since}.`
}

export function AddressRow({ address, children }: { address: TrustedAddress; children: ReactNode }) {
  const { tone, label } = lookOf(address)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="break-all font-mono text-sm">{address.address}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="mt-1 text-muted text-xs">{wordsOf(address)}</p>
      </div>
      <div className="flex gap-2">{children}</div>
    </li>
  )
}
