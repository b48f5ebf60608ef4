import { useQuery } from '@tanstack/react-query'
import type { CdrTotals } from '@trunkline/contract/cdr'
import { cx } from '../../../ui/cx.ts'
import { asClock } from '../../durations.ts'
import { FiguresNote, FiguresPanel } from '../../FiguresPanel.tsx'
import { costInDollars } from '../../prices.ts'
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

const NOTHING = '–'

function figuresOf(totals: CdrTotals | undefined): [name: string, figure: string][] {
  const show = (write: (known: CdrTotals) => string | null) => (totals && write(totals)) ?? NOTHING
  return [
    ['Calls', show(({ calls }) => calls.toLocaleString('en-US'))],
    [
      'Minutes',
      show(({ minutes }) =>
        minutes.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
      ),
    ],
    ['Cost', show(({ cost }) => costInDollars(cost))],
    ['Answer rate', show(({ answer_rate }) => (answer_rate === null ? null : `${answer_rate.toFixed(1)}%`))],
    [
      'Average duration',
      show(({ average_duration }) => (average_duration === null ? null : asClock(average_duration))),
    ],
  ]
}
