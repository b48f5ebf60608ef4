import type { Flow, StepKind } from './flow.ts'
import { eventText, logText } from './replay-words.ts'
import type { FlowEvent, FlowLogEntry } from './run.ts'
import { exitName, nameOfStep } from './words.ts'

/** What a call did in a step. */
export type ReplayStep = {
  readonly stepId: string
  readonly name: string
  /** Null if the drawing does not have the step. */
  readonly kind: StepKind | null
  readonly enteredAt: number
  /** Null: the log ends in this step. */
  readonly leftAt: number | null
  /** Keys that the caller pressed. */
  readonly keys: string
  /** Name of the exit. Null: the call ended in this step. */
  readonly exit: string | null
  /** Sentences about other events. */
  readonly events: readonly string[]
}

export type Replay = { readonly steps: readonly ReplayStep[]; readonly end: string | null }

/** The log of a call, step by step. */
export function replayOf(flow: Flow, log: readonly FlowLogEntry[]): Replay {
  const steps: ReplayStep[] = []
  let end: string | null = null
  const change = (changes: (current: ReplayStep) => Partial<ReplayStep>) => {
    const current = steps.pop()
    if (current) steps.push({ ...current, ...changes(current) })
  }
  for (const entry of log) {
    if (entry.type === 'entered') steps.push(enteredStep(flow, entry.stepId, entry.at))
    else if (entry.type === 'left')
      change(({ kind }) => ({ leftAt: entry.at, exit: entry.exit && exitName(kind ?? 'play', entry.exit) }))
    else if (entry.type === 'ended') end = logText(flow, entry)
    else change((current) => withEvent(current, entry.event))
  }
  return { steps, end }
}

const enteredStep = (flow: Flow, stepId: string, enteredAt: number): ReplayStep => ({
  stepId,
  name: nameOfStep(flow, stepId),
  kind: flow.steps.find(({ id }) => id === stepId)?.kind ?? null,
  enteredAt,
  leftAt: null,
  keys: '',
  exit: null,
  events: [],
})

function withEvent({ keys, events }: ReplayStep, event: FlowEvent): Partial<ReplayStep> {
  if (event.type === 'key') return { keys: keys + event.key }
  // Sounds and timers end all the time.
  if (event.type === 'played' || event.type === 'timeout') return {}
  return { events: [...events, eventText(event)] }
}
