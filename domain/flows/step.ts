import type { Flow, Step, StepKind } from './flow.ts'
import type {
  EndReason,
  FlowAction,
  FlowEvent,
  FlowLogEntry,
  FlowState,
  StepFunction,
  Stepped,
} from './run.ts'
import { collect, menu } from './steps/ask.ts'
import { compare, hangup, hours, set } from './steps/decide.ts'
import type { Context, Handler, Outcome } from './steps/handler.ts'
import { http, mail } from './steps/outside.ts'
import { queue } from './steps/queue.ts'
import { play, record, voicemail } from './steps/sound.ts'
import { forward, ring } from './steps/talk.ts'
import { cut } from './variables.ts'

/** More steps than this without a key press or waiting are a loop: the call ends. */
export const MAX_STEPS_WITHOUT_KEY = 50
/** Time for the end key after the last digit of a step. */
const LATE_KEY_MS = 2_000
/** A step that took this long has let the caller wait. */
export const WAITING_MS = 5_000

const handlers: { readonly [Kind in StepKind]: Handler<Kind> } = {
  play,
  menu,
  collect,
  hours,
  ring,
  forward,
  queue,
  voicemail,
  record,
  set,
  compare,
  http,
  mail,
  hangup,
}

/** The methods of a handler accept the step and the phase of its own kind, which `step` and `react` guarantee. */
const handlerOf = (step: Step): Handler<StepKind> => handlers[step.kind]

export const step: StepFunction = (flow, state, event) => {
  if (state?.isOver) return nothing(state)
  if (event.type === 'hung_up') return hangUp(flow, state ?? beforeStart, event)
  if (state === null || state.stepId === null)
    return event.type === 'started' ? start(flow, event) : nothing(beforeStart)
  const logged: FlowLogEntry = { at: event.at, type: 'event', event }
  if (event.type === 'key' && isLateKey(state, event))
    return { state: { ...state, lateKey: null }, actions: [], log: [logged] }
  const outcome = react(flow, state, event)
  if (outcome === null) return nothing(state)
  return apply(flow, afterCaller(flow, state, event), outcome, { at: event.at, actions: [], log: [logged] })
}

/** The key belongs to the step before. It neither answers the current one nor stops its sound. */
export const isLateKey = (
  state: FlowState | null,
  { key, at }: { readonly key: string; readonly at: number },
): boolean => state?.lateKey?.key === key && at <= state.lateKey.until

const nothing = (state: FlowState): Stepped => ({ state, actions: [], log: [] })

const beforeStart: FlowState = {
  stepId: null,
  isOver: false,
  enteredAt: 0,
  variables: {},
  stepsSinceKey: 0,
  phase: null,
  lateKey: null,
}

/** What happened so far because of one event. */
type Progress = { readonly at: number; readonly actions: FlowAction[]; readonly log: FlowLogEntry[] }

function start(flow: Flow, event: Extract<FlowEvent, { type: 'started' }>): Stepped {
  const variables = cut(event.variables)
  const logged: FlowLogEntry = { at: event.at, type: 'event', event: { ...event, variables } }
  const progress: Progress = { at: event.at, actions: [], log: [logged] }
  return enterAndRun(flow, { ...beforeStart, variables }, flow.start, progress)
}

const stepOf = (flow: Flow, id: string | null): Step | undefined => flow.steps.find((each) => each.id === id)

function react(flow: Flow, state: FlowState, event: FlowEvent): Outcome | null {
  const current = stepOf(flow, state.stepId)
  if (!current || !state.phase || state.phase.kind !== current.kind) return null
  return handlerOf(current).react?.(current, state.phase, event, contextOf(state, event.at)) ?? null
}

const contextOf = ({ enteredAt, variables }: FlowState, at: number): Context => ({ at, enteredAt, variables })

const kindsThatWait: readonly StepKind[] = ['menu', 'collect', 'ring', 'forward', 'queue']

/** The steps are counted from zero again if the caller did something or has waited. */
function afterCaller(flow: Flow, state: FlowState, event: FlowEvent): FlowState {
  const kind = stepOf(flow, state.stepId)?.kind
  const hasWaited =
    kind !== undefined && kindsThatWait.includes(kind) && event.at - state.enteredAt >= WAITING_MS
  const isActive = event.type === 'key' || event.type === 'message' || hasWaited
  const next = isActive ? { ...state, stepsSinceKey: 0 } : state
  return event.type === 'key' ? { ...next, lateKey: null } : next
}

/** Applies the outcome of a step, then enters steps until one waits or the flow ends. */
function apply(flow: Flow, state: FlowState, outcome: Outcome, progress: Progress): Stepped {
  progress.actions.push(...outcome.actions)
  switch (outcome.type) {
    case 'stay':
      return { state: { ...state, phase: outcome.phase }, actions: progress.actions, log: progress.log }
    case 'end':
      return finish(state, outcome.reason, progress)
    case 'leave': {
      const { at, log } = progress
      log.push({ at, type: 'left', stepId: state.stepId ?? '', exit: outcome.exit })
      const variables = { ...state.variables, ...outcome.sets }
      const exits = stepOf(flow, state.stepId)?.exits ?? {}
      const lateKey = outcome.lateKey ? { key: outcome.lateKey, until: at + LATE_KEY_MS } : state.lateKey
      return enterAndRun(flow, { ...state, variables, lateKey }, exits[outcome.exit], progress)
    }
  }
}

function enterAndRun(flow: Flow, state: FlowState, id: string | undefined, progress: Progress): Stepped {
  const next = stepOf(flow, id ?? null)
  const stepsSinceKey = state.stepsSinceKey + 1
  if (!next || stepsSinceKey > MAX_STEPS_WITHOUT_KEY) {
    progress.actions.push({ type: 'hang_up' })
    return finish({ ...state, stepId: null }, next ? 'loop' : 'no_exit', progress)
  }
  const { at, log } = progress
  log.push({ at, type: 'entered', stepId: next.id })
  const entered = { ...state, stepId: next.id, enteredAt: at, stepsSinceKey, phase: null }
  return apply(flow, entered, handlerOf(next).enter(next, contextOf(entered, at)), progress)
}

function finish(state: FlowState, reason: EndReason, { at, actions, log }: Progress): Stepped {
  if (state.stepId !== null) log.push({ at, type: 'left', stepId: state.stepId, exit: null })
  log.push({ at, type: 'ended', reason })
  return { state: { ...state, stepId: null, isOver: true, phase: null }, actions, log }
}

function hangUp(flow: Flow, state: FlowState, event: FlowEvent): Stepped {
  const current = stepOf(flow, state.stepId)
  const stopped = current && state.phase ? (handlerOf(current).stop?.(state.phase) ?? []) : []
  const logged: FlowLogEntry = { at: event.at, type: 'event', event }
  return finish(state, 'caller', { at: event.at, actions: [...stopped], log: [logged] })
}
