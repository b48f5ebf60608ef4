import { line } from 'd3-shape'
import { Across, AtRight, Below, Column, margin } from '../../../common/charts/axes.tsx'
import type { Drawing } from '../../../common/charts/ChartCard.tsx'
import { scaleBand, scaleLinear } from '../../../common/charts/scales.ts'
import { formatHour } from '../../../common/format/dates.ts'
import { formatShortPercent } from '../../../common/format/numbers.ts'
import type { Hour } from './business-data.ts'

const WORD_WIDTH = 48
/** Width of the second axis. */
const RIGHT = 44

/** Calls per hour as bars, answer rate as a line. An hour without calls has no rate. */
export function HourBars({ hours, width, height, pointed, onPoint }: Drawing & { hours: readonly Hour[] }) {
  const inner = { width: width - margin.left - RIGHT, height: height - margin.top - margin.bottom }
  const x = scaleBand({ domain: hours.map(({ at }) => at), range: [0, inner.width], padding: 0.25 })
  const most = Math.max(4, ...hours.map(({ calls }) => calls))
  const y = scaleLinear({ domain: [0, most], range: [inner.height, 0], nice: 4 })
  const share = scaleLinear({ domain: [0, 100], range: [inner.height, 0] })
  const wordEvery = Math.max(1, Math.ceil(WORD_WIDTH / x.step()))
  const middle = (at: string) => (x(at) ?? 0) + x.bandwidth() / 2
  const rate = line<Hour>(
    ({ at }) => middle(at),
    ({ answer_rate }) => share(answer_rate ?? 0),
  ).defined(({ answer_rate }) => answer_rate !== null)

  return (
    <svg width={width} height={height} aria-hidden>
      <g transform={`translate(${margin.left}, ${margin.top})`}>
        <Across ticks={y.ticks(4)} y={y} width={inner.width} />
        <AtRight ticks={[0, 50, 100]} y={share} width={inner.width} write={formatShortPercent} />
        {hours.map(({ at, calls }, index) => (
          <g key={at} onPointerEnter={() => onPoint(index)}>
            <Column x={x(at) ?? 0} scale={x} height={inner.height} isPointed={pointed === index} />
            <rect
              x={x(at) ?? 0}
              y={y(calls)}
              width={x.bandwidth()}
              height={inner.height - y(calls)}
              className="fill-edge/60"
            />
            {(hours.length - 1 - index) % wordEvery === 0 && index > 0 && (
              <Below x={middle(at)} y={inner.height} word={formatHour(at)} />
            )}
          </g>
        ))}
        <path
          d={rate(hours) ?? ''}
          fill="transparent"
          className="stroke-signal-ink"
          strokeWidth={2}
          strokeLinecap="round"
          strokeLinejoin="round"
          pointerEvents="none"
        />
        {hours
          .filter(({ answer_rate }) => answer_rate !== null)
          .map(({ at, answer_rate }) => (
            <circle
              key={at}
              cx={middle(at)}
              cy={share(answer_rate ?? 0)}
              r={2.5}
              className="fill-signal-ink"
              pointerEvents="none"
            />
          ))}
      </g>
    </svg>
  )
}
