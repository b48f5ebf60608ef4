import { count } from './words.ts'

/** Room for figures at the left and words below. */
export const margin = { top: 8, right: 18, bottom: 24, left: 40 }

const wordClass = 'figures fill-muted text-[0.6875rem]'

/** Quiet lines across with their figures at the left. Calls and minutes are whole: between two of them is no line. */
export function Across({
  ticks,
  y,
  width,
}: {
  ticks: number[]
  y: (value: number) => number
  width: number
}) {
  return ticks.filter(Number.isInteger).map((value) => (
    <g key={value} transform={`translate(0 ${y(value)})`}>
      <line x2={width} className="stroke-line" />
      <text x={-10} dy="0.32em" textAnchor="end" className={wordClass}>
        {count(value)}
      </text>
    </g>
  ))
}

/** A word below the drawing. */
export const Below = ({ x, y, word }: { x: number; y: number; word: string }) => (
  <text x={x} y={y + 18} textAnchor="middle" className={wordClass}>
    {word}
  </text>
)
