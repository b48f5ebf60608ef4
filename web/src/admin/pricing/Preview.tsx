import type { AnswerOf } from '@trunkline/contract'
import type { PriceChange } from '@trunkline/contract/bulk-pricing'
import { BULK_TIMEOUT_MS } from '@trunkline/contract/limits'
import { CircleCheck, Route } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { formatCost, formatSignedCost } from '../../common/format/money.ts'
import { formatCount, formatNumber } from '../../common/format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Prices } from './Prices.tsx'
import { rereadPrices } from './queries.ts'
import { directionWords, effectWords, ruleWords, scopeWords } from './words.ts'

type PreviewProps = {
  preview: AnswerOf<'POST /api/admin/bulk-pricing/preview'>
  /** The rule has changed since, or is invalid. */
  isOld: boolean
}

export function Preview({ preview: { change, rows, next }, isOld }: PreviewProps) {
  const { counts } = change
  // The preview that the dialog describes, also if a newer one arrives meanwhile.
  const [confirmed, setConfirmed] = useState<PriceChange | null>(null)
  const isEmpty = counts.changed + counts.unchanged + counts.skipped === 0
  return (
    <Card aria-label="Preview" className="p-0 short:max-lg:flex short:max-lg:flex-col" aria-busy={isOld}>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 px-3 py-4 sm:px-4 lg:flex-nowrap lg:py-1.5 short:flex-nowrap short:py-1.5">
        <div className="mr-auto min-w-0 lg:flex lg:items-baseline lg:gap-3 short:flex short:items-baseline short:gap-3">
          <h2 className="font-semibold text-lg tracking-tight">Preview</h2>
          <p className="text-muted text-sm short:max-lg:line-clamp-1">
            {ruleWords(change.rule)}. {scopeWords(change.rule)}.
          </p>
        </div>
        <Button
          variant="primary"
          size="sm"
          className="max-sm:w-full"
          disabled={isOld || counts.changed === 0}
          onClick={() => setConfirmed(change)}
        >
          Apply {formatCount(counts.changed, 'price')}
        </Button>
      </div>
      {isEmpty ? (
        <EmptyState
          icon={<Route />}
          title="No prices"
          text="No route belongs to these plans and countries. Choose others, or add a route first."
        />
      ) : (
        <>
          <Totals change={change} isOld={isOld} />
          {counts.changed === 0 && counts.skipped === 0 && (
            <EmptyState
              icon={<CircleCheck />}
              title="Every price is already right"
              text="The rule gives the prices that you have."
            />
          )}
          <Prices change={change} first={{ rows, next }} isOld={isOld} />
          <p className="border-t px-3 py-2.5 text-muted text-sm sm:px-4">
            Cost and margin are those of a one-minute call, including connect fees and increments. The effect
            is the difference in price for the minutes of the last 30 days. Calls of a prefix that several
            routes price are divided among them by their minutes.
          </p>
        </>
      )}
      {confirmed && (
        <Confirm
          title={`Apply ${formatCount(confirmed.counts.changed, 'new price')}?`}
          action={`Apply ${formatCount(confirmed.counts.changed, 'price')}`}
          isDanger={false}
          failed="The prices could not be applied. Please try again."
          onConfirm={async () => {
            const { change: applied } = await api('POST /api/admin/bulk-pricing/:id/apply', {
              params: { id: confirmed.id },
              timeoutMs: BULK_TIMEOUT_MS,
            })
            return { message: `${formatCount(applied.counts.changed, 'price')} changed.` }
          }}
          reread={rereadPrices}
          onClose={() => setConfirmed(null)}
        >
          <p>
            {directionWords(confirmed)} {customerWords(confirmed.counts.customers)}{' '}
            {effectWords(confirmed.effect)}
          </p>
          <p className="text-muted">
            New calls use the new prices at once. Live calls keep their price. You can undo the change below.
          </p>
        </Confirm>
      )}
    </Card>
  )
}

const customerWords = (customers: number): string =>
  customers === 0
    ? 'No customer selected these routes.'
    : `${formatCount(customers, 'customer')} selected these routes.`

function Totals({
  change: { counts, calls, revenue, effect },
  isOld,
}: {
  change: PriceChange
  isOld: boolean
}) {
  const totals: [name: string, value: string, isLoss?: boolean][] = [
    ['Changed', formatNumber(counts.changed)],
    ['Already right', formatNumber(counts.unchanged)],
    ['Skipped', formatNumber(counts.skipped)],
    ['Customers affected', formatNumber(counts.customers)],
    [`Revenue of ${formatCount(calls, 'call')}, 30 days`, formatCost(revenue)],
    ['Effect on that revenue', formatSignedCost(effect), effect < 0],
  ]
  return (
    <dl
      className={cx(
        'grid grid-cols-2 gap-px border-y bg-line transition-opacity sm:grid-cols-3',
        'lg:flex lg:flex-wrap lg:gap-x-5 lg:bg-surface lg:px-4 lg:py-1',
        // Below the prices.
        'short:max-lg:order-last',
        isOld && 'opacity-50',
      )}
    >
      {totals.map(([name, value, isLoss]) => (
        <div
          key={name}
          className="min-w-0 bg-surface px-3 py-2.5 sm:px-4 lg:flex lg:items-baseline lg:gap-1.5 lg:p-0!"
        >
          <dt className="text-muted text-xs">{name}</dt>
          <dd className={cx('figures font-semibold text-lg lg:text-sm', isLoss && 'text-danger')}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
