import type { PromoOffer } from '@trunkline/contract/promo-codes'
import { Facts } from '../../common/Facts.tsx'
import { formatMoney, formatSum } from '../../common/format/money.ts'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { PayButton } from '../payments/PayButton.tsx'
import { bonusOn } from './bonus.ts'

type SummaryProps = {
  form: string
  balance: number
  amount: number | null
  offer: PromoOffer | null
  isBusy: boolean
  failure: string | null
  page: string | null
}

export function Summary({ form, balance, amount, offer, isBusy, failure, page }: SummaryProps) {
  const bonus = amount !== null && offer ? bonusOn(amount, offer) : 0
  return (
    <Card aria-label="Summary" className="flex flex-col sm:p-6">
      <p className="engraved text-muted">You pay</p>
      <output
        form={form}
        className={cx(
          'figures mt-1 block font-semibold text-4xl tracking-tight',
          amount === null && 'text-faint',
        )}
      >
        {formatMoney(amount ?? 0)}
      </output>
      <div className="figures mt-4 mb-5">
        <Facts
          facts={[
            ['Balance now', formatMoney(balance)],
            ['Bonus', bonus > 0 ? `+${formatMoney(bonus)}` : 'None'],
            ['Balance after', formatSum(balance, amount ?? 0, bonus)],
          ]}
        />
      </div>
      <PayButton
        type="submit"
        form={form}
        isBusy={isBusy}
        failure={failure}
        page={page}
        disabled={amount === null}
      >
        Top Up Now
      </PayButton>
      <p className="mt-3 text-muted text-sm">
        You’ll pay on our provider’s page within 30 minutes. Your balance updates when the payment is
        confirmed.
      </p>
    </Card>
  )
}
