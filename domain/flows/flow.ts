/** A flow is an IVR that a customer draws: steps, each with exits that lead to other steps. */

import type { Destination } from '../ringing/index.ts'

/** What the caller hears: speech made from a text, or a sound from the customer's library. */
export type Sound =
  /** The text can contain variables: `{{caller}}`. */
  | { readonly kind: 'text'; readonly text: string; readonly language: Language }
  | { readonly kind: 'file'; readonly soundId: number }

/** Languages with prompts for digits, letters and errors. */
export const languages = ['en', 'de', 'es', 'fr'] as const
export type Language = (typeof languages)[number]

export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const
export type Key = (typeof keys)[number]

/** Minutes after midnight, as in a ring plan. */
export type OpenHours = { readonly days: readonly number[]; readonly from: number; readonly to: number }

export const comparisons = ['is', 'is_not', 'starts_with', 'contains', 'less_than', 'greater_than'] as const
export type Comparison = (typeof comparisons)[number]

/** Texts marked as templates can contain variables. */
type StepOf = {
  play: { sound: Sound }
  /** Plays the sound and waits for one of the keys. After a wrong key or silence it repeats, then takes the exit. */
  menu: { sound: Sound; keys: readonly Key[]; repeats: number; seconds: number }
  /** `endKey` ends the input early and is not part of it. */
  collect: {
    sound: Sound
    variable: string
    minDigits: number
    maxDigits: number
    endKey: '#' | '*' | null
    repeats: number
    /** Until the first digit, and between digits. */
    seconds: number
  }
  /** `holidays` are dates, `2026-12-25` or every year `12-25`. */
  hours: { timeZone: string; open: readonly OpenHours[]; holidays: readonly string[] }
  /** The customer's phones, or a PBX. When the conversation ends, the flow ends. */
  ring: { destination: Extract<Destination, { kind: 'phones' | 'pbx' }> }
  /** An outgoing leg with its own admission, hold and price. `number` is a template. */
  forward: { number: string; callerId: 'number' | 'caller'; seconds: number }
  /** Callers wait in order of arrival. The first one rings the customer's phones. */
  queue: {
    music: Sound
    announcesPosition: boolean
    devices: 'all' | 'phones' | 'browsers'
    ringSeconds: number
    maxSeconds: number
    maxWaiting: number
  }
  /** Records a message. Without a greeting of its own, the greeting of the account is played. */
  voicemail: { greeting: Sound | null; maxSeconds: number }
  /** Starts or stops the recording of the call. The announcement is played before it starts. */
  record: { turn: 'on' | 'off'; announcement: Sound | null }
  /** `value` is a template. */
  set: { variable: string; value: string }
  /** `left` and `right` are templates. */
  compare: { left: string; comparison: Comparison; right: string }
  /** POSTs the variables as JSON, signed. Fields of the JSON answer become variables. */
  http: { url: string; seconds: number; saves: readonly string[] }
  /** `to`, `subject` and `text` are templates. */
  mail: { to: string; subject: string; text: string }
  hangup: Record<never, never>
}

export type StepKind = keyof StepOf
export const stepKinds = [
  'play',
  'menu',
  'collect',
  'hours',
  'ring',
  'forward',
  'queue',
  'voicemail',
  'record',
  'set',
  'compare',
  'http',
  'mail',
  'hangup',
] as const satisfies readonly StepKind[]

type StepBase = {
  /** Unique in the flow. */
  readonly id: string
  readonly name: string
  /** Position in the editor. */
  readonly x: number
  readonly y: number
  /** Exit name => id of the next step. An exit without an entry hangs up. */
  readonly exits: Readonly<Record<string, string>>
}

export type Step<Kind extends StepKind = StepKind> = Kind extends StepKind
  ? StepBase & { readonly kind: Kind } & Readonly<StepOf[Kind]>
  : never

export type Flow = {
  /** Id of the first step. */
  readonly start: string
  readonly steps: readonly Step[]
}

/** The exits of a step, in the order in which they are drawn. A menu also has one exit per key: `key_1`. */
const exits: Readonly<Record<StepKind, readonly string[]>> = {
  play: ['next', 'failed'],
  menu: ['timeout', 'wrong_key', 'failed'],
  collect: ['next', 'timeout', 'invalid', 'failed'],
  hours: ['open', 'closed', 'holiday'],
  ring: ['no_answer', 'busy', 'failed'],
  forward: ['no_answer', 'busy', 'failed'],
  queue: ['timeout', 'full', 'failed'],
  voicemail: ['next', 'failed'],
  record: ['next', 'failed'],
  set: ['next'],
  compare: ['yes', 'no'],
  http: ['next', 'timeout', 'failed'],
  mail: ['next', 'failed'],
  hangup: [],
}

export const keyExit = (key: Key): string => `key_${key}`

export const exitsOf = (step: Step): readonly string[] =>
  step.kind === 'menu' ? [...new Set(step.keys.map(keyExit)), ...exits.menu] : exits[step.kind]

/** Variables that every call has: the caller's number, its name, the called number, and the start in ISO format. */
export const callVariables = ['caller', 'caller_name', 'called', 'started_at'] as const
