import { cx } from '../../ui/cx.ts'
import type { Progress } from './progress.ts'

/** Decoration of the sign-in screens: each filled field lights a lamp, and success lights all lines. */

const WIDTH = 600
const HEIGHT = 520
const TRUNK_Y = 260
const EXCHANGE_X = 296

const branches = [
  { code: '+1', country: 'United States', y: 38, lampX: 536 },
  { code: '+44', country: 'United Kingdom', y: 112, lampX: 560 },
  { code: '+49', country: 'Germany', y: 186, lampX: 514 },
  { code: '+33', country: 'France', y: 260, lampX: 548 },
  { code: '+91', country: 'India', y: 334, lampX: 500 },
  { code: '+1', country: 'Canada', y: 408, lampX: 554 },
  { code: '+61', country: 'Australia', y: 482, lampX: 526 },
]

const branchPath = (y: number) =>
  `M${EXCHANGE_X} ${TRUNK_Y}C${EXCHANGE_X + 62} ${TRUNK_Y} ${EXCHANGE_X + 22} ${y} ${EXCHANGE_X + 92} ${y}H${WIDTH}`

const lampX = (at: number, count: number) => ((at + 1) * EXCHANGE_X) / (count + 1)

const line = (isLit: boolean) => cx('transition-colors', isLit ? 'stroke-signal-edge' : 'stroke-line')

const lamp = (isLit: boolean) =>
  cx('transition-colors', isLit ? 'fill-signal stroke-signal-edge' : 'fill-sunken stroke-edge')

export function TrunkArt({ filled, outcome }: Progress) {
  const isOpen = outcome === 'done'
  const lit = filled.findIndex((isFilled) => !isFilled)
  const litUntil = lit === -1 ? EXCHANGE_X : lampX(lit, filled.length) * (lit === 0 ? 0 : 1)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block w-full"
      fill="none"
      strokeWidth="1.5"
      aria-hidden="true"
      focusable="false"
    >
      {branches.map(({ country, code, y, lampX }) => (
        <g key={country}>
          <path d={branchPath(y)} className={line(isOpen)} />
          <text x={EXCHANGE_X + 100} y={y - 11} className="text-xs">
            <tspan className="fill-muted font-mono">{code}</tspan>
            <tspan dx="7" className="fill-faint">
              {country}
            </tspan>
          </text>
          <circle cx={lampX} cy={y} r="4.5" className={lamp(isOpen)} />
        </g>
      ))}
      <path d={`M0 ${TRUNK_Y}H${EXCHANGE_X}`} className="stroke-line" strokeWidth="2" />
      <path d={`M0 ${TRUNK_Y}H${Math.max(litUntil, 28)}`} className="stroke-signal-edge" strokeWidth="2" />
      {filled.map((isFilled, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a form never change places
        <Node key={at} x={lampX(at, filled.length)} isLit={isFilled} />
      ))}
      <Exchange outcome={outcome} />
    </svg>
  )
}

function Node({ x, isLit }: { x: number; isLit: boolean }) {
  return (
    <g>
      <circle
        cx={x}
        cy={TRUNK_Y}
        r="15"
        className={cx('transition-opacity', isLit ? 'fill-signal opacity-20' : 'opacity-0')}
      />
      <circle cx={x} cy={TRUNK_Y} r="7.5" className={lamp(isLit)} />
    </g>
  )
}

const exchangeLooks = {
  idle: 'fill-sunken stroke-edge',
  busy: 'fill-signal stroke-signal-edge animate-ring',
  failed: 'fill-danger-soft stroke-danger',
  done: 'fill-signal stroke-signal-edge',
}

function Exchange({ outcome }: { outcome: Progress['outcome'] }) {
  return (
    <g>
      <circle cx={EXCHANGE_X} cy={TRUNK_Y} r="30" className="fill-sunken" />
      <circle cx={EXCHANGE_X} cy={TRUNK_Y} r="27" className="stroke-line" />
      <circle
        cx={EXCHANGE_X}
        cy={TRUNK_Y}
        r="15"
        className={cx('transition-colors', exchangeLooks[outcome])}
      />
      {outcome === 'failed' && (
        <path
          d={`m${EXCHANGE_X - 5} ${TRUNK_Y - 5} 10 10m0-10-10 10`}
          className="stroke-danger"
          strokeWidth="2"
        />
      )}
    </g>
  )
}

/** One row, for narrow screens. */
export function TrunkStrip({ filled, outcome }: Progress) {
  return (
    <div aria-hidden="true" className="flex items-center">
      {filled.map((isFilled, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a form never change places
        <span key={at} className="flex flex-1 items-center">
          <span className={cx('h-0.5 flex-1 transition-colors', isFilled ? 'bg-signal' : 'bg-line')} />
          <span
            className={cx(
              'size-3 rounded-full border-[1.5px] transition-colors',
              isFilled ? 'border-signal-edge bg-signal' : 'border-edge bg-sunken',
            )}
          />
        </span>
      ))}
      <span
        className={cx(
          'h-0.5 flex-1 transition-colors',
          filled.every(Boolean) && outcome !== 'failed' ? 'bg-signal' : 'bg-line',
        )}
      />
      <span className={cx('size-5 rounded-full border-[1.5px] transition-colors', stripLooks[outcome])} />
      <span className={cx('h-0.5 flex-1 transition-colors', outcome === 'done' ? 'bg-signal' : 'bg-line')} />
    </div>
  )
}

const stripLooks = {
  idle: 'border-edge bg-sunken',
  busy: 'border-signal-edge bg-signal animate-ring',
  failed: 'border-danger bg-danger-soft',
  done: 'border-signal-edge bg-signal',
}
