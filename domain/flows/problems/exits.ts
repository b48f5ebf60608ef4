import { exitsOf, type Flow, type Step, type StepKind } from '../flow.ts'
import { exitName } from '../words.ts'
import { error, type FlowProblem, warning } from './problem.ts'

/** Exits that lead nowhere. */
export function exitProblems(flow: Flow): readonly FlowProblem[] {
  const ids = new Set(flow.steps.map(({ id }) => id))
  return flow.steps.flatMap((step) => [
    ...exitsOf(step).flatMap((exit) => {
      const target = step.exits[exit]
      return target === undefined || ids.has(target) ? [] : [missingStep(step, exit)]
    }),
    ...notConnected(step),
  ])
}

const missingStep = (step: Step, exit: string): FlowProblem => ({
  ...error(step, 'missing_step', `“${exitName(step.kind, exit)}” leads to a step that does not exist.`),
  exit,
})

function notConnected(step: Step): readonly FlowProblem[] {
  const open = exitsOf(step).filter((exit) => step.exits[exit] === undefined)
  const needed = open.filter((exit) => isNeeded(step, exit))
  const others = open.filter((exit) => !needed.includes(exit) && !mayEnd(step, exit))
  return [
    ...needed.map((exit) => ({
      ...error(
        step,
        'exit_not_connected',
        `Connect “${exitName(step.kind, exit)}” to a step. To end the call there, add a step “Hang up”.`,
      ),
      exit,
    })),
    ...(others.length === 0 ? [] : [hangsUp(step, others)]),
  ]
}

const hangsUp = (step: Step, exits: readonly string[]): FlowProblem => {
  const names = exits.map((exit) => `“${exitName(step.kind, exit)}”`).join(', ')
  return warning(
    step,
    'exits_hang_up',
    `The call ends without a word at ${names}. Connect it to a step if you can help the caller.`,
  )
}

/** Without these exits, the step makes no sense. */
const neededExits: Partial<Record<StepKind, readonly string[]>> = {
  collect: ['next'],
  hours: ['open', 'closed'],
  record: ['next'],
  set: ['next'],
  compare: ['yes', 'no'],
  http: ['next'],
}

function isNeeded(step: Step, exit: string): boolean {
  if (exit.startsWith('key_')) return true
  if (step.kind === 'hours' && exit === 'holiday') return step.holidays.length > 0
  return neededExits[step.kind]?.includes(exit) ?? false
}

/** Exits after which a call often ends, and exits that are never taken. */
function mayEnd(step: Step, exit: string): boolean {
  switch (step.kind) {
    case 'play':
    case 'voicemail':
    case 'mail':
      return exit === 'next'
    case 'hours':
      return exit === 'holiday'
    default:
      return false
  }
}
