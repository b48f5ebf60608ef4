import { Across, Below, Column, margin } from '../../../common/charts/axes.tsx'
import type { Drawing } from '../../../common/charts/ChartCard.tsx'
import { scaleBand, scaleLinear } from '../../../common/charts/scales.ts'
import { cx } from '../../../ui/cx.ts'

export type BarOf = { key: string; label: string; figure: number }

/** Minimum width of a label. */
const LABEL_WIDTH = 28

type BarsProps = Drawing & {
  bars: readonly BarOf[]
  /** The scale is at least this high. */
  least: number
  write?: (tick: number) => string
}

/** One bar for each day or month; the current one is highlighted. */
export function Bars({ bars, least, write, width, height, pointed, onPoint }: BarsProps) {
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const x = scaleBand({ domain: bars.map(({ key }) => key), range: [0, inner.width], padding: 0.3 })
  const most = Math.max(least, ...bars.map(({ figure }) => figure))
  const y = scaleLinear({ domain: [0, most], range: [inner.height, 0], nice: 4 })
  const longest = Math.max(...bars.map(({ label }) => label.length))
  const labelEvery = Math.max(1, Math.ceil((LABEL_WIDTH * Math.max(1, longest / 4)) / x.step()))

  return (
    <svg width={width} height={height} aria-hidden>
      <g transform={`translate(${margin.left}, ${margin.top})`}>
        <Across ticks={y.ticks(4)} y={y} width={inner.width} {...(write && { write })} />
        {bars.map(({ key, label, figure }, at) => {
          const left = x(key) ?? 0
          const isLast = at === bars.length - 1
          // Any usage is at least 2 px high.
          const tall = figure === 0 ? 0 : Math.max(inner.height - y(figure), 2)
          return (
            <g key={key} onPointerEnter={() => onPoint(at)}>
              <Column x={left} scale={x} height={inner.height} isPointed={pointed === at} />
              <rect
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
              {(bars.length - 1 - at) % labelEvery === 0 && (
                <Below x={left + x.bandwidth() / 2} y={inner.height} word={label} />
              )}
            </g>
          )
        })}
      </g>
    </svg>
  )
}
