import {
  type Flow,
  type FlowAction,
  type FlowEvent,
  type FlowState,
  type Sound,
  type Step,
  type StepKind,
  step,
} from '../index.ts'
import { newStep } from './new-step.ts'

/** A Tuesday. */
export const START = Date.parse('2026-11-17T10:00:00Z')

export const text = (spoken: string): Sound => ({ kind: 'text', text: spoken, language: 'en' })

export const stepOfKind = <Kind extends StepKind>(
  kind: Kind,
  changes: Partial<Step<Kind>> = {},
): Step<Kind> => ({
  ...newStep(kind, { id: kind }),
  ...changes,
})

type WithoutTime<Event> = Event extends FlowEvent ? Omit<Event, 'at'> : never
/** An event some seconds after the one before. */
export type Given = WithoutTime<FlowEvent> & { readonly after?: number }

export const callOf = (flow: Flow, ...events: readonly Given[]) => {
  let at = START
  let result = step(flow, null, { at, type: 'started', variables: { caller: '4930123', called: '4940456' } })
  const log = [...result.log]
  for (const { after = 0, ...event } of events) {
    at += after * 1000
    result = step(flow, result.state, { ...event, at } as FlowEvent)
    log.push(...result.log)
  }
  const { state, actions }: { state: FlowState; actions: readonly FlowAction[] } = result
  const exit = log.findLast((entry) => entry.type === 'left')?.exit
  const ended = log.findLast((entry) => entry.type === 'ended')?.reason
  return { state, actions, log, exit, ended }
}

/** A call through a flow of one step whose exits lead nowhere. `actions` are those of the last event. */
export const callOfStep = (only: Step, ...events: readonly Given[]) =>
  callOf({ start: only.id, steps: [only] }, ...events)
