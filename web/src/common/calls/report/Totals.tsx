import { useQuery } from '@tanstack/react-query'
import type { CdrTotals } from '@trunkline/contract/cdr'
import { cx } from '../../../ui/cx.ts'
import { FiguresNote, FiguresPanel } from '../../FiguresPanel.tsx'
import { formatDuration } from '../../format/durations.ts'
import { formatCost } from '../../format/money.ts'
import { formatDecimal, formatNumber, formatPercent } from '../../format/numbers.ts'
import { NOTHING } from '../../format/viewer.ts'
import { totalsQuery } from './queries.ts'
import type { Selection } from './search.ts'
import { useCallSource } from './source.ts'

/** `isLine` shows the figures in one line, except on phones. */
export function Totals({ selection, isLine }: { selection: Selection; isLine: boolean }) {
  const query = useQuery(totalsQuery(useCallSource(), selection))
  const { data } = query
  return (
    <FiguresPanel
      query={query}
      figures={figuresOf(data)}
      size={isLine ? 'line' : 'lg'}
      className={cx('max-sm:*:first:col-span-2 sm:grid-cols-3', !isLine && 'lg:grid-cols-5')}
    >
      {data?.is_capped && (
        <FiguresNote>
          Totals cover only the newest matches. Choose a shorter period for exact totals.
        </FiguresNote>
      )}
    </FiguresPanel>
  )
}

function figuresOf(totals: CdrTotals | undefined): [name: string, figure: string][] {
  const show = (write: (known: CdrTotals) => string) => (totals ? write(totals) : NOTHING)
  return [
    ['Calls', show(({ calls }) => formatNumber(calls))],
    ['Minutes', show(({ minutes }) => formatDecimal(minutes))],
    ['Cost', show(({ cost }) => formatCost(cost))],
    ['Answer rate', show(({ answer_rate }) => formatPercent(answer_rate))],
    ['Average duration', show(({ average_duration }) => formatDuration(average_duration))],
  ]
}
