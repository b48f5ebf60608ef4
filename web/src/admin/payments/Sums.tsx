import { useQuery } from '@tanstack/react-query'
import type { PaymentSums } from '@trunkline/contract/admin-payments'
import { FiguresNote, FiguresPanel } from '../../common/FiguresPanel.tsx'
import { formatMoney } from '../../common/format/money.ts'
import { formatNumber } from '../../common/format/numbers.ts'
import { sumsQuery } from './queries.ts'
import type { Selection } from './search.ts'

export function Sums({ selection }: { selection: Selection }) {
  const query = useQuery(sumsQuery(selection))
  const { data } = query
  return (
    <FiguresPanel query={query} figures={figuresOf(data)} size="line" className="sm:grid-cols-4">
      {data?.is_capped && (
        <FiguresNote>
          Totals cover only the newest {formatNumber(data.payments)} matching payments. Choose fewer days for
          exact totals.
        </FiguresNote>
      )}
    </FiguresPanel>
  )
}

function figuresOf(sums: PaymentSums | undefined): [name: string, figure: string][] {
  const show = (write: (known: PaymentSums) => string) => (sums ? write(sums) : '–')
  return [
    ['Payments', show(({ payments, is_capped }) => `${formatNumber(payments)}${is_capped ? '+' : ''}`)],
    ['Requested', show(({ amount }) => formatMoney(amount))],
    ['Paid', show(({ paid }) => formatMoney(paid))],
    ['Refunded', show(({ refunded }) => formatMoney(refunded))],
  ]
}
