import { area, line } from 'd3-shape'
import { Across, Below, margin } from '../../../common/charts/axes.tsx'
import type { Drawing } from '../../../common/charts/ChartCard.tsx'
import { scaleLinear } from '../../../common/charts/scales.ts'
import { formatHour } from '../../../common/format/dates.ts'
import type { Hour } from './chart-data.ts'

const WORD_EVERY = 4
const NARROW = 480

/** All calls as a line, completed calls as an area. */
export function VolumeLine({ hours, width, height, pointed, onPoint }: Drawing & { hours: readonly Hour[] }) {
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const x = scaleLinear({ domain: [0, hours.length - 1], range: [0, inner.width] })
  const most = Math.max(4, ...hours.map(({ calls }) => calls))
  const y = scaleLinear({ domain: [0, most], range: [inner.height, 0], nice: 4 })
  const data = [...hours.entries()]
  type Point = (typeof data)[number]
  const left = ([hour]: Point) => x(hour)
  const completed = area<Point>(left, inner.height, ([, one]) => y(one.completed))
  const all = line<Point>(left, ([, one]) => y(one.calls))
  const at = pointed === null ? undefined : hours[pointed]
  const wordEvery = width < NARROW ? WORD_EVERY * 2 : WORD_EVERY

  return (
    <svg
      width={width}
      height={height}
      aria-hidden
      onPointerMove={(event) => {
        const position = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left
        onPoint(Math.min(Math.max(Math.round(x.invert(position)), 0), hours.length - 1))
      }}
    >
      <g transform={`translate(${margin.left}, ${margin.top})`}>
        <Across ticks={y.ticks(4)} y={y} width={inner.width} />
        <path d={completed(data) ?? ''} className="fill-signal-edge/20" />
        <path
          d={all(data) ?? ''}
          fill="transparent"
          className="stroke-signal-ink"
          strokeWidth={2}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        {data
          // Counts back from the current hour, so that labels keep their places.
          .filter(([hour]) => (hours.length - 1 - hour) % wordEvery === 0 && hour > 0)
          .map(([hour, { at: moment }]) => (
            <Below key={moment} x={x(hour)} y={inner.height} word={formatHour(moment)} />
          ))}
        {at && pointed !== null && (
          <g pointerEvents="none">
            <line x1={x(pointed)} x2={x(pointed)} y2={inner.height} className="stroke-edge" />
            <circle
              cx={x(pointed)}
              cy={y(at.calls)}
              r={4.5}
              className="fill-signal stroke-surface"
              strokeWidth={2}
            />
          </g>
        )}
      </g>
    </svg>
  )
}
