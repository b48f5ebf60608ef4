import { exitsOf, type Flow, type Step } from '@trunkline/domain/flows'
import { heightOf, STEP_WIDTH, stepOf } from './edit.ts'

const COLUMN = STEP_WIDTH + 72
const GAP = 40

const nextOf = (flow: Flow, step: Step): Step[] =>
  exitsOf(step).flatMap((exit) => stepOf(flow, step.exits[exit]) ?? [])

/** The steps that calls can reach, in the order of a call: each after all steps that lead to it, except in a loop. */
function reachable(flow: Flow): Step[] {
  const seen = new Set<string>()
  const order: Step[] = []
  function visit(step: Step) {
    if (seen.has(step.id)) return
    seen.add(step.id)
    for (const next of nextOf(flow, step).toReversed()) visit(next)
    order.unshift(step)
  }
  const start = stepOf(flow, flow.start)
  if (start) visit(start)
  return order
}

/** The steps in the order of a call. Steps that no exit leads to come last. */
export function inOrder(flow: Flow): Step[] {
  const found = reachable(flow)
  return [...found, ...flow.steps.filter((step) => !found.includes(step))]
}

/** A step is one column after the last one that leads to it. */
function columnsOf(flow: Flow): Step[][] {
  const order = reachable(flow)
  const columnOf = new Map<string, number>()
  for (const [at, step] of order.entries()) {
    const own = columnOf.get(step.id) ?? 0
    columnOf.set(step.id, own)
    // An exit that leads back does not move the step.
    for (const next of nextOf(flow, step))
      if (order.indexOf(next) > at) columnOf.set(next.id, Math.max(columnOf.get(next.id) ?? 0, own + 1))
  }
  const columns: Step[][] = []
  for (const step of order) {
    const at = columnOf.get(step.id) ?? 0
    columns[at] = [...(columns[at] ?? []), step]
  }
  const rest = flow.steps.filter(({ id }) => !columnOf.has(id))
  return rest.length > 0 ? [...columns, rest] : columns
}

/** Places the steps in columns from left to right. */
export function arrange(flow: Flow): Flow {
  const places = new Map(columnsOf(flow).flatMap((column, at) => stacked(column, at * COLUMN)))
  return { ...flow, steps: flow.steps.map((step) => ({ ...step, ...places.get(step.id) })) }
}

/** The steps of a column, one below the other, around the same middle. */
function stacked(column: readonly Step[], x: number): [string, { x: number; y: number }][] {
  const total = column.reduce((sum, step) => sum + heightOf(step) + GAP, -GAP)
  let y = Math.round(-total / 2)
  return column.map((step) => {
    const place = { x, y }
    y += heightOf(step) + GAP
    return [step.id, place]
  })
}
