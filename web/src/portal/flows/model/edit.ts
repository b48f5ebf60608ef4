import { exitsOf, type Flow, type Step, type StepKind } from '@trunkline/domain/flows'

/** Edits of a flow. Each returns a new flow. */

/** A step and one of its exits. */
export type Exit = { readonly stepId: string; readonly exit: string }

export const stepOf = (flow: Flow, id: string | null | undefined): Step | undefined =>
  flow.steps.find((step) => step.id === id)

/** `menu_2`, the first that is free. */
export function freeId(flow: Flow, kind: StepKind): string {
  for (let number = 1; ; number += 1) {
    const id = `${kind}_${number}`
    if (!stepOf(flow, id)) return id
  }
}

/** The first step of an empty flow becomes its start. */
export function addStep(flow: Flow, step: Step, from?: Exit): Flow {
  const added = {
    start: flow.steps.length === 0 ? step.id : flow.start,
    steps: [...flow.steps, step],
  }
  return from ? connect(added, from, step.id) : added
}

/** `null` disconnects the exit: the call ends there. */
export const connect = (flow: Flow, { stepId, exit }: Exit, to: string | null): Flow => ({
  ...flow,
  steps: flow.steps.map((step) => {
    if (step.id !== stepId) return step
    const { [exit]: _, ...others } = step.exits
    return { ...step, exits: to === null ? others : { ...others, [exit]: to } }
  }),
})

/** Exits that the step no longer has, for example of a key, are disconnected. */
export const changeStep = (flow: Flow, id: string, change: object): Flow => ({
  ...flow,
  steps: flow.steps.map((step) => {
    if (step.id !== id) return step
    const changed = { ...step, ...change } as Step
    const left = exitsOf(changed)
    const exits = Object.entries(changed.exits).filter(([exit]) => left.includes(exit))
    return { ...changed, exits: Object.fromEntries(exits) }
  }),
})

/** Exits that lead to it end the call. */
export function removeStep(flow: Flow, id: string): Flow {
  const steps = flow.steps
    .filter((step) => step.id !== id)
    .map((step) => ({
      ...step,
      exits: Object.fromEntries(Object.entries(step.exits).filter(([, to]) => to !== id)),
    }))
  return { start: flow.start === id ? (steps[0]?.id ?? '') : flow.start, steps }
}

export const moveStep = (flow: Flow, id: string, { x, y }: { x: number; y: number }): Flow =>
  changeStep(flow, id, { x: Math.round(x), y: Math.round(y) })

/** A copy beside the other steps. It leads to the same steps, if they are part of this flow. */
export function pasteStep(flow: Flow, original: Step): { flow: Flow; id: string } {
  const id = freeId(flow, original.kind)
  const exits = Object.entries(original.exits).filter(([, to]) => stepOf(flow, to))
  const name = original.name === '' ? '' : `${original.name} (copy)`
  const place = freePlace(flow, { x: original.x + 40, y: original.y + 40 })
  return { id, flow: addStep(flow, { ...original, ...place, id, name, exits: Object.fromEntries(exits) }) }
}

const TOO_CLOSE = { x: 200, y: 90 }
const SHIFT = 30

/** The nearest place below that no other step covers. */
export function freePlace(flow: Flow, wanted: { x: number; y: number }): { x: number; y: number } {
  const x = Math.round(wanted.x)
  let y = Math.round(wanted.y)
  while (
    flow.steps.some(
      (step) => Math.abs(step.x - x) < TOO_CLOSE.x && step.y - y < TOO_CLOSE.y && y - step.y < heightOf(step),
    )
  )
    y += SHIFT
  return { x, y }
}

/** The size of a step on the canvas: a heading and a line for each exit. */
export const STEP_WIDTH = 232
export const heightOf = (step: Step): number =>
  76 + 26 * exitsOf(step).length + (exitsOf(step).length > 0 ? 14 : 0)
