import { exitsOf, type Flow, type Step } from '@trunkline/domain/flows'
import { heightOf, STEP_WIDTH, stepOf } from './edit.ts'

const COLUMN = STEP_WIDTH + 96
const GAP = 40

/** The steps by their distance from the start. Steps that no exit leads to come last. */
function columnsOf(flow: Flow): string[][] {
  const columns: string[][] = []
  const seen = new Set<string>()
  let row = [flow.start]
  while (row.length > 0) {
    const column = [...new Set(row)].filter((id) => stepOf(flow, id) && !seen.has(id))
    for (const id of column) seen.add(id)
    if (column.length > 0) columns.push(column)
    row = column.flatMap((id) => nextOf(flow, id))
  }
  const rest = flow.steps.filter(({ id }) => !seen.has(id)).map(({ id }) => id)
  if (rest.length > 0) columns.push(rest)
  return columns
}

/** The steps in the order of a call. */
export const inOrder = (flow: Flow): Step[] =>
  columnsOf(flow)
    .flat()
    .flatMap((id) => stepOf(flow, id) ?? [])

/** Places the steps in columns from left to right. */
export function arrange(flow: Flow): Flow {
  const places = new Map(columnsOf(flow).flatMap((column, at) => stacked(flow, column, at * COLUMN)))
  return { ...flow, steps: flow.steps.map((step) => ({ ...step, ...places.get(step.id) })) }
}

function nextOf(flow: Flow, id: string): string[] {
  const step = stepOf(flow, id)
  return step ? exitsOf(step).flatMap((exit) => step.exits[exit] ?? []) : []
}

/** The steps of a column, one below the other, around the same middle. */
function stacked(flow: Flow, column: readonly string[], x: number): [string, { x: number; y: number }][] {
  const heights = column.map((id) => {
    const step = stepOf(flow, id)
    return step ? heightOf(step) : 0
  })
  const total = heights.reduce((sum, height) => sum + height + GAP, -GAP)
  let y = Math.round(-total / 2)
  return column.map((id, at) => {
    const place = { x, y }
    y += (heights[at] ?? 0) + GAP
    return [id, place]
  })
}
