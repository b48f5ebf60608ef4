import { Across, Below, Column, margin } from '../../../common/charts/axes.tsx'
import type { Drawing } from '../../../common/charts/ChartCard.tsx'
import { scaleBand, scaleLinear } from '../../../common/charts/scales.ts'
import { formatDay } from '../../../common/format/dates.ts'
import { formatShortMoney } from '../../../common/format/money.ts'
import type { Day } from './business-data.ts'

/** Minimum width of a date label. */
const WORD_WIDTH = 56

/** Revenue of each day, with the margin inside the bar, or below the axis for a loss. */
export function DayBars({ days, width, height, pointed, onPoint }: Drawing & { days: readonly Day[] }) {
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const x = scaleBand({ domain: days.map(({ day }) => day), range: [0, inner.width], padding: 0.25 })
  const most = Math.max(0.01, ...days.map(({ revenue }) => revenue))
  const least = Math.min(0, ...days.map((day) => day.margin))
  const y = scaleLinear({ domain: [least, most], range: [inner.height, 0], nice: 4 })
  const wordEvery = Math.max(1, Math.ceil(WORD_WIDTH / x.step()))
  const zero = y(0)

  return (
    <svg width={width} height={height} aria-hidden>
      <g transform={`translate(${margin.left}, ${margin.top})`}>
        <Across ticks={y.ticks(4)} y={y} width={inner.width} write={formatShortMoney} />
        {days.map(({ day, revenue, margin: left }, at) => {
          const from = x(day) ?? 0
          return (
            <g key={day} onPointerEnter={() => onPoint(at)}>
              <Column x={from} scale={x} height={inner.height} isPointed={pointed === at} />
              <rect
                x={from}
                y={y(revenue)}
                width={x.bandwidth()}
                height={zero - y(revenue)}
                className="fill-edge/60"
              />
              <rect
                x={from}
                y={Math.min(y(left), zero)}
                width={x.bandwidth()}
                height={Math.abs(zero - y(left))}
                className={left < 0 ? 'fill-danger' : 'fill-signal-edge'}
              />
              {(days.length - 1 - at) % wordEvery === 0 && (
                <Below x={from + x.bandwidth() / 2} y={inner.height} word={formatDay(day)} />
              )}
            </g>
          )
        })}
        <line x2={inner.width} y1={zero} y2={zero} className="stroke-edge" />
      </g>
    </svg>
  )
}
