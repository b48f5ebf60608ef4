import type { Grain } from '@trunkline/contract/analysis'
import { Across, Below, Column, margin } from '../../common/charts/axes.tsx'
import type { Drawing } from '../../common/charts/ChartCard.tsx'
import { scaleBand, scaleLinear } from '../../common/charts/scales.ts'
import { formatSeconds } from '../../common/format/durations.ts'
import { formatShortMoney } from '../../common/format/money.ts'
import { formatShortPercent } from '../../common/format/numbers.ts'
import { stepLabel } from './steps.ts'

type Unit = 'count' | 'dollars' | 'percent' | 'seconds'

type StepBarsProps = Drawing & {
  steps: readonly { at: string; value: number | null }[]
  unit: Unit
  grain: Grain
  /** Opens the calls of a step. */
  onOpen: (at: number) => void
}

/** Minimum width of a label. */
const WORD_WIDTH = 56
const TICKS = 3

const axis: Record<Unit, { least: number; write?: (value: number) => string }> = {
  count: { least: 3 },
  dollars: { least: 0.03, write: formatShortMoney },
  percent: { least: 100, write: formatShortPercent },
  seconds: { least: 3, write: formatSeconds },
}

/** One bar per step, from zero. A loss is below the axis, and a step without calls has no bar for a rate. */
export function StepBars({ steps, unit, grain, width, height, pointed, onPoint, onOpen }: StepBarsProps) {
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const x = scaleBand({ domain: steps.map(({ at }) => at), range: [0, inner.width], padding: 0.2 })
  const values = steps.map(({ value }) => value ?? 0)
  const { least, write } = axis[unit]
  const y = scaleLinear({
    domain: [Math.min(0, ...values), Math.max(least, ...values)],
    range: [inner.height, 0],
    nice: TICKS,
  })
  const zero = y(0)
  const wordEvery = Math.max(1, Math.ceil(WORD_WIDTH / x.step()))
  return (
    <svg width={width} height={height} aria-hidden>
      <g transform={`translate(${margin.left}, ${margin.top})`}>
        <Across ticks={y.ticks(TICKS)} y={y} width={inner.width} {...(write && { write })} />
        {steps.map(({ at, value }, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: Enter does the same for the whole chart
          <g
            key={at}
            onPointerEnter={() => onPoint(index)}
            onClick={() => onOpen(index)}
            className="cursor-pointer"
          >
            <Column x={x(at) ?? 0} scale={x} height={inner.height} isPointed={pointed === index} />
            {value !== null && (
              <rect
                x={x(at) ?? 0}
                y={Math.min(y(value), zero)}
                width={x.bandwidth()}
                height={Math.abs(zero - y(value))}
                className={value < 0 ? 'fill-danger' : 'fill-signal-edge'}
              />
            )}
            {(steps.length - 1 - index) % wordEvery === 0 && (
              <Below x={(x(at) ?? 0) + x.bandwidth() / 2} y={inner.height} word={stepLabel(at, grain)} />
            )}
          </g>
        ))}
        <line x2={inner.width} y1={zero} y2={zero} className="stroke-edge" />
      </g>
    </svg>
  )
}
