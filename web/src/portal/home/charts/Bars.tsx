import { Group } from '@visx/group'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { Across, Below, margin } from '../../../common/charts/axes.tsx'
import type { Drawing } from '../../../common/charts/ChartCard.tsx'
import { cx } from '../../../ui/cx.ts'
import { type Month, monthLabel } from './chart-data.ts'

/** Minutes by month; the current month is highlighted. */
export function MonthlyBars({
  months,
  width,
  height,
  pointed,
  onPoint,
}: Drawing & { months: readonly Month[] }) {
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const x = scaleBand({ domain: months.map(({ month }) => month), range: [0, inner.width], padding: 0.3 })
  const most = Math.max(4, ...months.map(({ minutes }) => minutes))
  const y = scaleLinear({ domain: [0, most], range: [inner.height, 0], nice: 4 })
  const isTight = x.step() < 28

  return (
    <svg width={width} height={height} aria-hidden>
      <Group left={margin.left} top={margin.top}>
        <Across ticks={y.ticks(4)} y={y} width={inner.width} />
        {months.map(({ month, minutes }, at) => {
          const left = x(month) ?? 0
          const isLast = at === months.length - 1
          // Any usage is at least 2 px high.
          const tall = minutes === 0 ? 0 : Math.max(inner.height - y(minutes), 2)
          return (
            <g key={month} onPointerEnter={() => onPoint(at)}>
              {/* The whole column is the hover target. */}
              <Bar
                x={left - (x.step() - x.bandwidth()) / 2}
                width={x.step()}
                height={inner.height}
                className={pointed === at ? 'fill-ink/6' : 'fill-transparent'}
              />
              <Bar
                x={left}
                y={inner.height - tall}
                width={x.bandwidth()}
                height={tall}
                rx={2}
                className={cx(
                  isLast ? 'fill-signal-edge' : 'fill-edge',
                  pointed === at && !isLast && 'fill-ink',
                )}
              />
              {(!isTight || (months.length - 1 - at) % 2 === 0) && (
                <Below x={left + x.bandwidth() / 2} y={inner.height} word={monthLabel(month)} />
              )}
            </g>
          )
        })}
      </Group>
    </svg>
  )
}
