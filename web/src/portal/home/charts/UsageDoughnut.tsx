import { arc, type PieArcDatum, pie } from 'd3-shape'
import type { Drawing } from '../../../common/charts/ChartCard.tsx'
import { formatNumber, formatPercent } from '../../../common/format/numbers.ts'
import { cx } from '../../../ui/cx.ts'
import type { RouteShare } from './chart-data.ts'

const RING = 22
/** Opacity by rank. The list beside the chart names each route. */
const strengths = [1, 0.78, 0.6, 0.45, 0.33, 0.24, 0.17]
const strengthOf = (at: number) => strengths[at] ?? strengths.at(-1)

export function UsageDoughnut({
  routes,
  width,
  height,
  pointed,
  onPoint,
}: Drawing & { routes: readonly RouteShare[] }) {
  const size = Math.min(height, width * 0.36, 190)
  const slices = pie<RouteShare>()
    .value(({ calls }) => calls)
    .sort(null)
    .padAngle(routes.length > 1 ? 0.02 : 0)
  const ring = arc<PieArcDatum<RouteShare>>()
    .outerRadius(size / 2 - 2)
    .innerRadius(size / 2 - RING)
  const total = routes.reduce((sum, { calls }) => sum + calls, 0)
  return (
    <div aria-hidden className="flex h-full items-center gap-3 sm:gap-5">
      <svg aria-hidden width={size} height={size} className="shrink-0">
        <g transform={`translate(${size / 2}, ${size / 2})`}>
          {slices([...routes]).map((slice, at) => (
            <path
              key={slice.data.name}
              d={ring(slice) ?? ''}
              className={cx('fill-signal-edge', pointed === at && 'stroke-ink')}
              strokeWidth={2}
              fillOpacity={strengthOf(at)}
              onPointerEnter={() => onPoint(at)}
            />
          ))}
          <text textAnchor="middle" dy="0.05em" className="figures fill-ink font-semibold text-2xl">
            {formatNumber(total)}
          </text>
          <text textAnchor="middle" dy="1.6em" className="fill-muted text-xs">
            calls
          </text>
        </g>
      </svg>
      <ul className="min-w-0 flex-1 text-sm">
        {routes.map(({ name, share }, at) => (
          <li
            key={name}
            onPointerEnter={() => onPoint(at)}
            className={cx('flex items-center gap-2.5 rounded-sm px-1.5 py-0.5', pointed === at && 'bg-ink/6')}
          >
            <span
              className="size-2.5 shrink-0 rounded-sm bg-signal-edge"
              style={{ opacity: strengthOf(at) }}
            />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="figures text-muted">{formatPercent(share)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
