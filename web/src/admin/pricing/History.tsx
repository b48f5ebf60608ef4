import { useInfiniteQuery } from '@tanstack/react-query'
import type { PriceChange } from '@trunkline/contract/bulk-pricing'
import { BULK_TIMEOUT_MS } from '@trunkline/contract/limits'
import { History as HistoryIcon, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatSignedCost } from '../../common/format/money.ts'
import { formatCount } from '../../common/format/numbers.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { Moment } from '../../common/Moment.tsx'
import { MoreBelow } from '../../common/ShowMore.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Prices } from './Prices.tsx'
import { historyQuery, rereadPrices } from './queries.ts'
import { ruleWords, scopeWords, undoneWords } from './words.ts'

/** Applied changes, newest first. */
export function History() {
  const query = useInfiniteQuery(historyQuery)
  const [shown, setShown] = useState<PriceChange | null>(null)
  const [undoing, setUndoing] = useState<PriceChange | null>(null)
  return (
    <Card aria-label="History" className="p-0" aria-busy={query.isPending}>
      <h2 className="border-b px-3 py-3 font-semibold text-lg tracking-tight sm:px-4">History</h2>
      <Loaded
        query={query}
        failed="The history could not be loaded."
        waiting={<SkeletonRows rows={3} className="m-4 h-12" />}
        className="m-5"
      >
        {({ pages }) => {
          const changes = pages.flatMap(({ changes }) => changes)
          return changes.length === 0 ? (
            <EmptyState
              icon={<HistoryIcon />}
              title="No changes yet"
              text="Prices that you apply here are listed, and you can undo them."
            />
          ) : (
            <>
              <ul aria-label="Applied changes" className="divide-y">
                {changes.map((change) => (
                  <Item
                    key={change.id}
                    change={change}
                    onShow={() => setShown(change)}
                    onUndo={() => setUndoing(change)}
                  />
                ))}
              </ul>
              <MoreBelow query={query} />
            </>
          )
        }}
      </Loaded>
      {shown && (
        <Dialog
          open
          onOpenChange={() => setShown(null)}
          title={`Prices of ${formatDateTime(shown.applied_at ?? shown.created_at)}`}
          description={`${ruleWords(shown.rule)}. ${scopeWords(shown.rule)}.`}
          maxWidth={1080}
        >
          <div className="-mx-5 -my-5">
            <Prices change={shown} />
          </div>
        </Dialog>
      )}
      {undoing && <Undo change={undoing} onClose={() => setUndoing(null)} />}
    </Card>
  )
}

type ItemProps = { change: PriceChange; onShow: () => void; onUndo: () => void }

function Item({ change, onShow, onUndo }: ItemProps) {
  const { counts, state, undone_by, undone_at } = change
  const at = change.applied_at ?? change.created_at
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-3 text-sm sm:px-4">
      <div className="mr-auto min-w-0 basis-80 max-sm:basis-full">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">
            <Moment at={at} />
          </span>
          <span className="text-muted">by {change.created_by.username}</span>
          <Badge tone={state === 'undone' ? 'neutral' : 'success'}>
            {state === 'undone' ? 'Undone' : 'Applied'}
          </Badge>
        </p>
        <p className="mt-0.5">
          {ruleWords(change.rule)}. {scopeWords(change.rule)}.
        </p>
        <p className="figures mt-0.5 text-muted">
          {formatCount(counts.changed, 'price')} changed ({counts.rises} up, {counts.cuts} down),{' '}
          {counts.unchanged} already right, {counts.skipped} skipped,{' '}
          {formatCount(counts.customers, 'customer')}, {formatSignedCost(change.effect)} on the revenue of 30
          days.
        </p>
        {undone_by && undone_at && (
          <p className="figures mt-0.5 text-muted">
            Undone {formatDateTime(undone_at)} by {undone_by.username}: {undoneWords(change)}.
          </p>
        )}
      </div>
      <Button size="sm" aria-label={`View prices of ${formatDateTime(at)}`} onClick={onShow}>
        View prices
      </Button>
      {state === 'applied' && (
        <Button size="sm" aria-label={`Undo the change of ${formatDateTime(at)}`} onClick={onUndo}>
          <Undo2 aria-hidden />
          Undo
        </Button>
      )}
    </li>
  )
}

const Undo = ({ change, onClose }: { change: PriceChange; onClose: () => void }) => (
  <Confirm
    title={`Undo the change of ${formatCount(change.counts.changed, 'price')}?`}
    action="Undo"
    failed="The change could not be undone. Please try again."
    onConfirm={async () => {
      const { change: undone } = await api('POST /api/admin/bulk-pricing/:id/undo', {
        params: { id: change.id },
        timeoutMs: BULK_TIMEOUT_MS,
      })
      return { message: `${undoneWords(undone)}.` }
    }}
    reread={rereadPrices}
    onClose={onClose}
  >
    <p>
      The earlier prices come back, except where someone changed or deleted a price since. The history lists
      those.
    </p>
    <p className="text-muted">New calls use the earlier prices at once. Live calls keep their price.</p>
  </Confirm>
)
