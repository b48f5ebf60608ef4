import type { DearerTrunk } from '@trunkline/contract/routes'
import { formatExactMoney } from '../../../common/format/money.ts'
import { Notice } from '../../../ui/Notice.tsx'

export type Finding = { dearer_trunks: readonly DearerTrunk[]; serving_trunks: number }
export type Choice = 'leave-out' | 'use-anyway'

type BelowCostProps = { finding: Finding; choice: Choice | null; onChoose: (choice: Choice) => void }

/** Asks for a decision when the price is below the cost of a trunk. */
export function BelowCost({ finding: { dearer_trunks, serving_trunks }, choice, onChoose }: BelowCostProps) {
  const left = serving_trunks - dearer_trunks.length
  const isOne = dearer_trunks.length === 1
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="danger">
        <p className="font-medium">
          {isOne ? '1 trunk costs' : `${dearer_trunks.length} trunks cost`} more than the price of this route.
        </p>
        <ul className="figures mt-1.5 flex max-h-40 flex-col gap-0.5 overflow-y-auto">
          {dearer_trunks.map(({ id, name, prefix, buy_rate, price }) => (
            <li key={id}>
              {name}: a minute to +{prefix} costs {formatExactMoney(buy_rate)}, sold at{' '}
              {formatExactMoney(price)}
            </li>
          ))}
        </ul>
      </Notice>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium text-sm">How should calls be routed?</legend>
        <Option
          label={isOne ? 'Skip this trunk' : 'Skip these trunks'}
          hint={
            left > 0
              ? `${left} ${left === 1 ? 'other trunk carries' : 'other trunks carry'} the calls.`
              : 'No other trunk serves this plan there, so calls to these numbers are refused.'
          }
          isChosen={choice === 'leave-out'}
          onChoose={() => onChoose('leave-out')}
        />
        <Option
          label={`Use ${isOne ? 'it' : 'them'} and sell below cost`}
          hint="These calls lose money. The dashboard shows the negative margin."
          isChosen={choice === 'use-anyway'}
          onChoose={() => onChoose('use-anyway')}
        />
      </fieldset>
    </div>
  )
}

type OptionProps = { label: string; hint: string; isChosen: boolean; onChoose: () => void }

const Option = ({ label, hint, isChosen, onChoose }: OptionProps) => (
  <label className="flex cursor-pointer items-start gap-3 rounded-md border border-edge/40 px-3.5 py-2.5 has-checked:border-signal-ink has-checked:bg-signal-soft">
    <input
      type="radio"
      name="below-cost"
      checked={isChosen}
      onChange={onChoose}
      className="mt-1 size-4 shrink-0 accent-signal-ink"
    />
    <span>
      <span className="block font-medium text-sm">{label}</span>
      <span className="block text-muted text-sm">{hint}</span>
    </span>
  </label>
)
