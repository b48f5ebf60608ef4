import { useQuery } from '@tanstack/react-query'
import { wordsOf } from '../../common/addresses/AddressRow.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { addressesQuery } from '../connect/queries.ts'

/** Whether calls from the host are trusted, and how to verify it. */
export function HostState({ host }: { host: string }) {
  const { data: addresses } = useQuery(addressesQuery)
  const known = addresses?.find(({ address }) => address === host)
  if (!known) return null
  const isTrusted = known.state !== 'pending' && !known.is_shared
  return (
    <p className="mt-1 flex items-baseline gap-2 text-muted text-sm">
      <Lamp lit={isTrusted ? 'signal' : 'pending'} label="" className="shrink-0 translate-y-0.5" />
      <span>
        <span className="break-all font-mono">{host}</span>: {wordsOf(known)}
      </span>
    </p>
  )
}
