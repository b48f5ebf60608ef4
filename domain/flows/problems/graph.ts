import { exitsOf, type Flow, type Step } from '../flow.ts'
import { stepName } from '../words.ts'
import { error, type FlowProblem, warning } from './problem.ts'

/** Problems of the drawing as a whole. */
export function graphProblems(flow: Flow): readonly FlowProblem[] {
  return [...startProblems(flow), ...duplicates(flow), ...unreachable(flow), ...loops(flow)]
}

const byId = (flow: Flow): ReadonlyMap<string, Step> =>
  new Map(flow.steps.toReversed().map((step) => [step.id, step]))

function startProblems(flow: Flow): readonly FlowProblem[] {
  if (byId(flow).has(flow.start)) return []
  const text =
    flow.steps.length === 0 ? 'Add a first step.' : 'Choose the step that comes first when somebody calls.'
  return [{ stepId: null, severity: 'error', code: 'no_start', text }]
}

function duplicates({ steps }: Flow): readonly FlowProblem[] {
  const repeated = steps.filter(({ id }, index) => steps.findIndex((other) => other.id === id) < index)
  return repeated.map((step) => error(step, 'duplicate_step', `Two steps have the id “${step.id}”.`))
}

function unreachable(flow: Flow): readonly FlowProblem[] {
  const steps = byId(flow)
  const first = steps.get(flow.start)
  if (!first) return []
  const reached = new Set([first])
  // Steps are added to the set while it is read.
  for (const step of reached)
    for (const exit of exitsOf(step)) {
      const next = steps.get(step.exits[exit] ?? '')
      if (next) reached.add(next)
    }
  return flow.steps
    .filter(({ id }) => !reached.has(steps.get(id) ?? first))
    .map((step) => warning(step, 'unreachable', 'No call gets here: no exit leads to this step.'))
}

/** Exits that are taken only after a key press, a message or waiting. */
function isAfterWaiting(step: Step, exit: string): boolean {
  switch (step.kind) {
    case 'menu':
    case 'collect':
      return exit !== 'failed'
    case 'ring':
    case 'forward':
      return exit === 'no_answer'
    case 'queue':
      return exit === 'timeout'
    case 'voicemail':
      return exit === 'next'
    default:
      return false
  }
}

function loops(flow: Flow): readonly FlowProblem[] {
  const steps = byId(flow)
  const nextOf = (step: Step): readonly Step[] =>
    exitsOf(step).flatMap((exit) => {
      const next = isAfterWaiting(step, exit) ? undefined : steps.get(step.exits[exit] ?? '')
      return next ? [next] : []
    })
  const known = new Set<Step>()
  return flow.steps.flatMap((step) => {
    if (known.has(step)) return []
    const loop = shortestLoop(step, nextOf)
    for (const each of loop) known.add(each)
    return loop.length === 0 ? [] : [loopProblem(step, loop)]
  })
}

const loopProblem = (step: Step, loop: readonly Step[]): FlowProblem =>
  error(
    step,
    'loop',
    `The call can go round in circles without a key press or waiting: ${[...loop, step].map(stepName).join(' → ')}.`,
  )

/** The steps from this one back to itself. Empty if there is no way back. */
function shortestLoop(start: Step, nextOf: (step: Step) => readonly Step[]): readonly Step[] {
  const paths = new Map<Step, readonly Step[]>([[start, [start]]])
  for (const [step, path] of paths)
    for (const next of nextOf(step)) {
      if (next === start) return path
      if (!paths.has(next)) paths.set(next, [...path, next])
    }
  return []
}
