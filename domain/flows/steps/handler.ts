import type { Step, StepKind } from '../flow.ts'
import type { EndReason, FlowAction, FlowEvent, Phase, Variables } from '../run.ts'

export type Outcome =
  | { readonly type: 'stay'; readonly phase: Phase; readonly actions: readonly FlowAction[] }
  | {
      readonly type: 'leave'
      readonly exit: string
      readonly actions: readonly FlowAction[]
      /** Variables that the step sets. */
      readonly sets: Variables
      /** The caller may still press this key for the step. */
      readonly lateKey?: string | null
    }
  | { readonly type: 'end'; readonly reason: EndReason; readonly actions: readonly FlowAction[] }

export type Context = { readonly at: number; readonly enteredAt: number; readonly variables: Variables }

type PhaseOf<Kind extends StepKind> = Phase & { readonly kind: Kind }

/** How a kind of step works. Steps that never wait have no phase, and only `enter`. */
export type Handler<Kind extends StepKind> = {
  enter(step: Step<Kind>, context: Context): Outcome
  /** Null: the event does not fit. */
  react?(step: Step<Kind>, phase: PhaseOf<Kind>, event: FlowEvent, context: Context): Outcome | null
  /** Work to stop when the caller hangs up. */
  stop?(phase: PhaseOf<Kind>): readonly FlowAction[]
}

export const stay = (phase: Phase, ...actions: FlowAction[]): Outcome => ({ type: 'stay', phase, actions })

export const leave = (exit: string, actions: readonly FlowAction[] = [], sets: Variables = {}): Outcome => ({
  type: 'leave',
  exit,
  actions,
  sets,
})

export const end = (reason: EndReason): Outcome => ({
  type: 'end',
  reason,
  actions: [{ type: 'hang_up' }],
})
