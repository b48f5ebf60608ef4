import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PromoRedemption } from '@trunkline/contract/admin-promo-codes'
import { promoTypeLabels } from '@trunkline/contract/promo-types'
import { useState } from 'react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatExactMoney } from '../../common/format/money.ts'
import { Pager } from '../../common/Pager.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { UserLink } from '../users/UserLink.tsx'
import { shownValue } from './promo-form.ts'
import { codeQuery, usesQuery } from './queries.ts'

export function UsesDrawer({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const { data: code } = useQuery({ ...codeQuery(id ?? 0), enabled: id !== undefined })
  return (
    <Drawer
      open={id !== undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={code && code.id === id ? `Redemptions of ${code.code}` : 'Redemptions'}
      description={code ? `${promoTypeLabels[code.type]} of ${shownValue(code)}` : 'Uses of this code'}
    >
      {id !== undefined && <Uses key={id} id={id} />}
    </Drawer>
  )
}

function Uses({ id }: { id: number }) {
  const [before, setBefore] = useState<number>()
  const page = useQuery(usesQuery(id, before))
  const pagination = usePagination({ id }, before, page.isPlaceholderData ? null : page.data?.next)
  if (page.isPending)
    return (
      <div aria-busy className="flex flex-col gap-4">
        <Skeleton className="w-full" />
        <Skeleton className="w-4/5" />
        <Skeleton className="w-full" />
      </div>
    )
  if (!page.data)
    return (
      <Failure onRetry={() => void page.refetch()}>
        {explain(page.error, 'The redemptions could not be loaded.')}
      </Failure>
    )
  const { redemptions } = page.data
  if (redemptions.length === 0)
    return <EmptyState title="Not used yet" text="Each use appears here with its result." />
  return (
    <>
      <ul className="divide-y">
        {redemptions.map((redemption) => (
          <Use key={redemption.id} redemption={redemption} />
        ))}
      </ul>
      {(pagination.older || !pagination.isFirst) && (
        <Pager label="Pages of redemptions" pagination={pagination} onGo={setBefore} />
      )}
    </>
  )
}

const states: Record<PromoRedemption['state'], { word: string; tone: BadgeTone }> = {
  used: { word: 'Credited', tone: 'success' },
  reserved: { word: 'Pending', tone: 'pending' },
  released: { word: 'Released', tone: 'neutral' },
}

function Use({ redemption: { user, payment_id, bonus, state, created_at, used_at } }: UseProps) {
  const { word, tone } = states[state]
  const moment = used_at ?? created_at
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 py-2.5 text-sm first:pt-0">
      <UserLink user={user} className="break-all font-medium underline-offset-4 hover:underline" />
      <span className="figures text-right font-semibold">{formatExactMoney(bonus)}</span>
      <span className="text-muted text-xs">
        {formatDateTime(moment)}
        {payment_id !== null && (
          <>
            {' · '}
            <Link
              to="/admin-panal/payments"
              search={{ payment: payment_id }}
              className="underline underline-offset-4"
            >
              payment {payment_id}
            </Link>
          </>
        )}
      </span>
      <span className="text-right">
        <Badge tone={tone}>{word}</Badge>
      </span>
    </li>
  )
}

type UseProps = { redemption: PromoRedemption }
