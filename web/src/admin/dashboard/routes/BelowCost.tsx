import type { DearerTrunk } from '@trunkline/contract/routes'
import { formatExactMoney } from '../../../common/format/money.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { RadioCard } from '../../../ui/RadioCard.tsx'

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
        <RadioCard
          name="below-cost"
          label={isOne ? 'Skip this trunk' : 'Skip these trunks'}
          hint={
            left > 0
              ? `${left} ${left === 1 ? 'other trunk carries' : 'other trunks carry'} the calls.`
              : 'No other trunk serves this plan there, so calls to these numbers are refused.'
          }
          checked={choice === 'leave-out'}
          onChange={() => onChoose('leave-out')}
        />
        <RadioCard
          name="below-cost"
          label={`Use ${isOne ? 'it' : 'them'} and sell below cost`}
          hint="These calls lose money. The dashboard shows the negative margin."
          checked={choice === 'use-anyway'}
          onChange={() => onChoose('use-anyway')}
        />
      </fieldset>
    </div>
  )
}
