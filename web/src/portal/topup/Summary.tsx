import type { PromoOffer } from '@trunkline/contract/promo-codes'
import { Facts } from '../../common/Facts.tsx'
import { formatMoney, formatSum } from '../../common/format/money.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { Notice } from '../../ui/Notice.tsx'
import { bonusOn } from './bonus.ts'

type SummaryProps = {
  form: string
  balance: number
  amount: number | null
  offer: PromoOffer | null
  isBusy: boolean
  failure: string | null
}

export function Summary({ form, balance, amount, offer, isBusy, failure }: SummaryProps) {
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
      <Button
        type="submit"
        form={form}
        variant="primary"
        size="lg"
        busy={isBusy}
        disabled={amount === null}
        className="mt-auto w-full"
      >
        {isBusy ? 'Processing...' : 'Top Up Now'}
      </Button>
      {failure && (
        <Notice tone="danger" className="mt-3">
          {failure}
        </Notice>
      )}
      <p className="mt-3 text-muted text-sm">
        You’ll pay on our provider’s page within 30 minutes. Your balance updates when the payment is
        confirmed.
      </p>
    </Card>
  )
}
