import { useQuery } from '@tanstack/react-query'
import { explain } from '../../app/api.ts'
import { Facts } from '../../common/Facts.tsx'
import { Failure } from '../../common/Failure.tsx'
import { formatDate } from '../../common/format/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { sipQuery } from '../connect/queries.ts'
import { useOverlay } from '../overlay.ts'

export function SipCard() {
  const { data: sip, isPending, error, refetch } = useQuery(sipQuery)
  const show = useOverlay()
  return (
    <TitledCard title="SIP credentials" aria-busy={isPending}>
      {isPending ? (
        <>
          <SkeletonRows rows={3} className="h-10" />
          <Skeleton className="mt-2 h-10 w-44" />
        </>
      ) : sip ? (
        <>
          <Facts
            mono
            facts={[
              ['Username', sip.username],
              ['Server', sip.server === null ? 'Not set yet' : `${sip.server}:${sip.port}`],
            ]}
          />
          <p className="flex items-center gap-2 border-t py-3 text-muted text-sm">
            <Lamp lit={sip.has_password ? 'signal' : 'pending'} label="" />
            {sip.has_password && sip.password_since
              ? `SIP password created on ${formatDate(sip.password_since)}`
              : 'No SIP password yet. Phones cannot register.'}
          </p>
          <Button className="mt-1" onClick={() => show('connect')}>
            {sip.has_password ? 'Connect a phone' : 'Create SIP password'}
          </Button>
        </>
      ) : (
        <Failure onRetry={() => void refetch()}>
          {explain(error, 'The SIP credentials could not be loaded.')}
        </Failure>
      )}
    </TitledCard>
  )
}
