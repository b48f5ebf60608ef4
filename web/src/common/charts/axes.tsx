import { count } from './words.ts'

/** Room for figures at the left and words below. */
export const margin = { top: 8, right: 18, bottom: 24, left: 40 }

const wordClass = 'figures fill-muted text-[0.6875rem]'

type AcrossProps = {
  ticks: number[]
  y: (value: number) => number
  width: number
  /** How a figure is written, where it is not a count. Those are whole: between two of them is no line. */
  write?: (value: number) => string
}

/** Quiet lines across with their figures at the left. */
export function Across({ ticks, y, width, write }: AcrossProps) {
  return ticks
    .filter((value) => write !== undefined || Number.isInteger(value))
    .map((value) => (
      <g key={value} transform={`translate(0 ${y(value)})`}>
        <line x2={width} className="stroke-line" />
        <text x={-10} dy="0.32em" textAnchor="end" className={wordClass}>
          {(write ?? count)(value)}
        </text>
      </g>
    ))
}

/** The figures of a second scale, at the right. */
export const AtRight = ({ ticks, y, width, write }: Required<AcrossProps>) =>
  ticks.map((value) => (
    <text key={value} x={width + 8} y={y(value)} dy="0.32em" className={wordClass}>
      {write(value)}
    </text>
  ))

/** A word below the drawing. */
export const Below = ({ x, y, word }: { x: number; y: number; word: string }) => (
  <text x={x} y={y + 18} textAnchor="middle" className={wordClass}>
    {word}
  </text>
)
