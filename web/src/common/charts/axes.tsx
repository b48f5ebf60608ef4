import { formatNumber } from '../format/numbers.ts'

/** Room for the axis labels. */
export const margin = { top: 8, right: 18, bottom: 24, left: 40 }

const wordClass = 'figures fill-muted text-[0.6875rem]'

type AcrossProps = {
  ticks: number[]
  y: (value: number) => number
  width: number
  /** Formats values that are not counts. Counts get no ticks between integers. */
  write?: (value: number) => string
}

/** Horizontal grid lines with labels. */
export function Across({ ticks, y, width, write }: AcrossProps) {
  return ticks
    .filter((value) => write !== undefined || Number.isInteger(value))
    .map((value) => (
      <g key={value} transform={`translate(0 ${y(value)})`}>
        <line x2={width} className="stroke-line" />
        <text x={-10} dy="0.32em" textAnchor="end" className={wordClass}>
          {(write ?? formatNumber)(value)}
        </text>
      </g>
    ))
}

/** Labels of a second scale on the right. */
export const AtRight = ({ ticks, y, width, write }: Required<AcrossProps>) =>
  ticks.map((value) => (
    <text key={value} x={width + 8} y={y(value)} dy="0.32em" className={wordClass}>
      {write(value)}
    </text>
  ))

/** A label below the chart. */
export const Below = ({ x, y, word }: { x: number; y: number; word: string }) => (
  <text x={x} y={y + 18} textAnchor="middle" className={wordClass}>
    {word}
  </text>
)

type ColumnProps = {
  /** The left edge of the bar. */
  x: number
  scale: { step: () => number; bandwidth: () => number }
  height: number
  isPointed: boolean
}

/** The area around a bar. All of it answers the pointer, not only the bar. */
export const Column = ({ x, scale, height, isPointed }: ColumnProps) => (
  <rect
    x={x - (scale.step() - scale.bandwidth()) / 2}
    width={scale.step()}
    height={height}
    className={isPointed ? 'fill-ink/6' : 'fill-transparent'}
  />
)
