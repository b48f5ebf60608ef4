import type { Flow, Language, Sound } from './flow.ts'

/**
 * The interface of the interpreter. `step` is pure: the live call, the simulator and the replay give it the same events and get the same
 * actions. Times are milliseconds since 1970.
 */

export type Variables = Readonly<Record<string, string>>

export type FlowEvent = { readonly at: number } & (
  | { readonly type: 'started'; readonly variables: Variables }
  /** The sound of the last `play` has ended by itself. `play_failed`: it could not be played. */
  | { readonly type: 'played' }
  | { readonly type: 'play_failed' }
  | { readonly type: 'key'; readonly key: string }
  /** The timer of the last `wait` has expired. */
  | { readonly type: 'timeout' }
  /** Result of `ring`, `forward` and of the ringing of a queue. `hung_up`: the conversation has ended. */
  | {
      readonly type: 'leg'
      readonly result: 'answered' | 'no_answer' | 'busy' | 'failed' | 'hung_up'
      /** Why a leg was refused, for the replay. */
      readonly reason?: string
    }
  /** 1 is the first in the queue. `full`: the call was not queued. */
  | { readonly type: 'queue'; readonly position: number }
  | { readonly type: 'queue_full' }
  /** Result of `take_message`. */
  | { readonly type: 'message'; readonly seconds: number }
  | { readonly type: 'message_failed' }
  | { readonly type: 'recording'; readonly isOn: boolean }
  | { readonly type: 'recording_failed' }
  /** `variables`: the fields of the answer that the step saves, as texts. */
  | { readonly type: 'http'; readonly status: number; readonly variables: Variables }
  | { readonly type: 'http_failed'; readonly isTimeout: boolean; readonly reason: string }
  | { readonly type: 'mailed' }
  | { readonly type: 'mail_failed' }
  /** The caller has hung up, or the call was ended. */
  | { readonly type: 'hung_up' }
)

/** A text with values that are read out character by character. `text` shows all of it. */
export type SpelledText = {
  readonly kind: 'spelled'
  readonly text: string
  readonly language: Language
  readonly parts: readonly ({ readonly say: string } | { readonly spell: string })[]
}

export type FlowAction =
  /**
   * Replaces the sound that is playing. Keys stop it if `untilKey`. `loops` plays it until it is replaced. A sound that was replaced or
   * stopped is not reported as `played`.
   */
  | {
      readonly type: 'play'
      readonly sound:
        | Sound
        | SpelledText
        | { readonly kind: 'prompt'; readonly name: Prompt; readonly value?: string }
      readonly untilKey?: boolean
      readonly loops?: boolean
    }
  | { readonly type: 'stop_playing' }
  /** Starts the timer; a new one replaces it. */
  | { readonly type: 'wait'; readonly seconds: number }
  | { readonly type: 'stop_waiting' }
  | {
      readonly type: 'ring'
      readonly destination: Extract<Flow['steps'][number], { kind: 'ring' }>['destination']
    }
  | {
      readonly type: 'forward'
      readonly number: string
      readonly callerId: 'number' | 'caller'
      readonly seconds: number
    }
  /** Ends the leg, whether it rings or talks. No result is reported after it. */
  | { readonly type: 'cancel_leg' }
  | { readonly type: 'enter_queue'; readonly stepId: string; readonly maxWaiting: number }
  | { readonly type: 'leave_queue' }
  /** Beep, then record until silence, a key or the limit. Greetings are played before, with `play`. */
  | { readonly type: 'take_message'; readonly maxSeconds: number }
  | { readonly type: 'turn_recording'; readonly isOn: boolean }
  | {
      readonly type: 'http'
      readonly url: string
      readonly variables: Variables
      readonly seconds: number
      readonly saves: readonly string[]
    }
  | { readonly type: 'mail'; readonly to: string; readonly subject: string; readonly text: string }
  | { readonly type: 'hang_up' }

/** Prompts of the system, in the language of the flow's sounds. */
export const prompts = ['beep', 'voicemail_greeting', 'wrong_key', 'queue_position'] as const
export type Prompt = (typeof prompts)[number]

/**
 * Why a flow is over. `loop`: too many steps without a key press or waiting. `no_exit`: the exit leads nowhere. `conversation`: it has
 * ended.
 */
export const endReasons = ['hangup_step', 'no_exit', 'loop', 'conversation', 'caller'] as const
export type EndReason = (typeof endReasons)[number]

/** A line of the replay. `exit` is the exit by which the step was left; null: the call ended in the step. */
export type FlowLogEntry =
  | { readonly at: number; readonly type: 'entered'; readonly stepId: string }
  | { readonly at: number; readonly type: 'left'; readonly stepId: string; readonly exit: string | null }
  | { readonly at: number; readonly type: 'event'; readonly event: FlowEvent }
  | { readonly at: number; readonly type: 'ended'; readonly reason: EndReason }

/** The work of the current step. */
export type Phase =
  | { readonly kind: 'play' | 'http' | 'mail' }
  /** `explaining`: the caller hears that the key was wrong. */
  | {
      readonly kind: 'menu'
      readonly part: 'explaining' | 'playing' | 'waiting'
      readonly failedTries: number
    }
  | {
      readonly kind: 'collect'
      readonly part: 'playing' | 'waiting'
      readonly failedTries: number
      readonly digits: string
    }
  | { readonly kind: 'ring' | 'forward'; readonly isTalking: boolean }
  | {
      readonly kind: 'queue'
      /** `pausing`: the phones did not answer and will ring again. */
      readonly part: 'waiting' | 'ringing' | 'pausing' | 'talking'
      readonly isAnnouncing: boolean
      /** Null until the call is in the queue. */
      readonly position: number | null
    }
  | { readonly kind: 'voicemail'; readonly part: 'greeting' | 'message' }
  | { readonly kind: 'record'; readonly part: 'announcing' | 'turning' }

/** Can be stored as JSON. */
export type FlowState = {
  /** Null when the flow is over. */
  readonly stepId: string | null
  readonly isOver: boolean
  readonly enteredAt: number
  readonly variables: Variables
  /** Steps entered since the caller last did something: a loop without a key press ends the call. */
  readonly stepsSinceKey: number
  readonly phase: Phase | null
  /** The end key of a step that the last digit has ended. Some callers press it nevertheless. */
  readonly lateKey: { readonly key: string; readonly until: number } | null
}

export type Stepped = {
  readonly state: FlowState
  readonly actions: readonly FlowAction[]
  readonly log: readonly FlowLogEntry[]
}

/** `step(flow, state, event)`. The first event is `started`, with the state `null`. An event that does not fit the state changes nothing. */
export type StepFunction = (flow: Flow, state: FlowState | null, event: FlowEvent) => Stepped
