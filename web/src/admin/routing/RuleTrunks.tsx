import type { Trunk } from '@trunkline/contract/trunks'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useId } from 'react'
import { formatRate } from '../../common/format/money.ts'
import { formatShortPercent } from '../../common/format/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Input } from '../../ui/Input.tsx'
import { arranged, type RuleValues, remainderOf } from './rule-form.ts'

type OrderProps = {
  serving: readonly Trunk[]
  order: readonly number[]
  onChange: (order: number[]) => void
}

/** Moves trunks with buttons. The focus stays on the button of the moved trunk. */
export function OrderFields({ serving, order, onChange }: OrderProps) {
  const trunks = arranged(order, serving)
  if (trunks.length === 0) return null
  const swap = (at: number, by: -1 | 1) => {
    const ids = trunks.map(({ id }) => id)
    const moved = ids[at]
    const other = ids[at + by]
    if (moved === undefined || other === undefined) return
    onChange(ids.map((id) => (id === moved ? other : id === other ? moved : id)))
  }
  return (
    <ol className="divide-y border-y" aria-label="Order of the trunks">
      {trunks.map((trunk, at) => (
        <li key={trunk.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <span className="figures w-5 text-right text-muted">{at + 1}</span>
          <TrunkName trunk={trunk} />
          <span className="flex gap-1">
            <Button
              size="sm"
              aria-label={`Try ${trunk.name} earlier`}
              disabled={at === 0}
              onClick={() => swap(at, -1)}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              size="sm"
              aria-label={`Try ${trunk.name} later`}
              disabled={at === trunks.length - 1}
              onClick={() => swap(at, 1)}
            >
              <ArrowDown aria-hidden />
            </Button>
          </span>
        </li>
      ))}
    </ol>
  )
}

type ShareProps = {
  serving: readonly Trunk[]
  shares: RuleValues['shares']
  error: string | undefined
  onChange: (shares: RuleValues['shares']) => void
}

/** A percentage for each trunk, and what is missing to 100. */
export function ShareFields({ serving, shares, error, onChange }: ShareProps) {
  const id = useId()
  if (serving.length === 0) return null
  const remainder = remainderOf(shares, serving)
  return (
    <fieldset aria-describedby={`${id}-rest`}>
      <legend className="sr-only">Shares of the trunks</legend>
      <ul className="divide-y border-y">
        {serving.map((trunk, at) => (
          <li key={trunk.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <TrunkName trunk={trunk} />
            <span className="flex items-center gap-1.5">
              <Input
                // The form moves the focus to the field with this name if the shares are wrong.
                name={at === 0 ? 'shares' : undefined}
                aria-label={`Share of ${trunk.name} in percent`}
                aria-invalid={error ? true : undefined}
                className="w-20 text-right"
                inputMode="numeric"
                autoComplete="off"
                value={shares[trunk.id] ?? ''}
                onChange={({ target }) => onChange({ ...shares, [trunk.id]: target.value })}
              />
              %
            </span>
          </li>
        ))}
      </ul>
      <p id={`${id}-rest`} className="figures mt-2 text-right text-muted text-sm" aria-live="polite">
        {Number.isNaN(remainder)
          ? 'Enter whole numbers.'
          : remainder === 0
            ? 'All 100% are assigned.'
            : remainder > 0
              ? `${formatShortPercent(remainder)} remaining`
              : `${formatShortPercent(-remainder)} too much`}
      </p>
      {error && <p className="mt-1 text-right text-danger text-sm">{error}</p>}
    </fieldset>
  )
}

const TrunkName = ({ trunk }: { trunk: Trunk }) => (
  <span className="mr-auto flex min-w-0 flex-wrap items-baseline gap-x-2.5">
    <span className="min-w-0 break-words font-medium text-sm">{trunk.name}</span>
    {trunk.configured_status === 'inactive' && <Badge>Inactive</Badge>}
    <span className="figures text-muted text-sm">{formatRate(trunk.buy_rate)}</span>
  </span>
)
