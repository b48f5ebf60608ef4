import type { Flow } from './flow.ts'
import type { FlowAction, FlowEvent, FlowLogEntry, FlowState, Variables } from './run.ts'
import { isLateKey, step } from './step.ts'

/**
 * A call without a telephone: the same interpreter, a clock that the user drives, and results that the user chooses. Each piece of work
 * that the flow has started has a place here until it ends; `end` is how it ends if the user only lets time pass.
 */

type WithoutTime<Event> = Event extends FlowEvent ? Omit<Event, 'at'> : never
export type SimulatedEvent = WithoutTime<FlowEvent>

const slots = ['sound', 'leg', 'request', 'queue', 'timer'] as const
type Slot = (typeof slots)[number]
type Work = {
  readonly action: FlowAction
  /** Null: it goes on until something else ends it. */
  readonly end: { readonly at: number; readonly event: SimulatedEvent } | null
}

export type Simulation = {
  readonly flow: Flow
  /** Length of the sounds in the library, by id. */
  readonly soundSeconds: Readonly<Record<number, number>>
  readonly startedAt: number
  readonly now: number
  readonly state: FlowState
  readonly work: Readonly<Partial<Record<Slot, Work>>>
  /** The path so far. */
  readonly log: readonly FlowLogEntry[]
}

export type SimulationOptions = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly variables?: Variables
  readonly soundSeconds?: Readonly<Record<number, number>>
}

export function startSimulation(
  flow: Flow,
  { at, variables = {}, soundSeconds = {} }: SimulationOptions,
): Simulation {
  const { state, actions, log } = step(flow, null, { at, type: 'started', variables })
  return withActions({ flow, soundSeconds, startedAt: at, now: at, state, work: {}, log }, actions)
}

export function pressKey(simulation: Simulation, key: string): Simulation {
  const { action } = simulation.work.sound ?? {}
  const isLate = isLateKey(simulation.state, { key, at: simulation.now })
  const isStopped = !isLate && action?.type === 'play' && action.untilKey === true
  return send(isStopped ? without(simulation, 'sound') : simulation, { type: 'key', key })
}

export const hangUp = (simulation: Simulation): Simulation => send(simulation, { type: 'hung_up' })

/** Sounds end, timers expire, phones are not answered. */
export function letTimePass(simulation: Simulation, seconds: number): Simulation {
  const until = simulation.now + seconds * 1000
  let current = simulation
  for (;;) {
    const next = nextEnd(current)
    if (!next || next.at > until) return { ...current, now: until }
    current = choose({ ...current, now: next.at }, next.event)
  }
}

/** Seconds until something happens by itself. Null: nothing will. */
export function secondsToNext(simulation: Simulation): number | null {
  const next = nextEnd(simulation)
  return next ? (next.at - simulation.now) / 1000 : null
}

const nextEnd = ({ work }: Simulation) =>
  slots
    .flatMap((slot) => work[slot]?.end ?? [])
    .reduce<Work['end']>((first, each) => (first && first.at <= each.at ? first : each), null)

/** Work that goes on now. */
export const worksOf = ({ work }: Simulation): readonly FlowAction[] =>
  slots.flatMap((slot) => work[slot]?.action ?? [])

export type Choice = { readonly label: string; readonly event: SimulatedEvent }

/** Results that the user can choose now, besides keys and hanging up. */
export function choicesOf({ work, state }: Simulation): readonly Choice[] {
  if (state.isOver) return []
  const isTalking = work.leg?.end === null
  return [
    ...(work.leg ? (isTalking ? talkChoices : legChoices) : []),
    ...(work.request ? requestChoices(work.request.action) : []),
    ...(work.queue ? queueChoices(state) : []),
    ...(work.sound?.end ? soundChoices : []),
  ]
}

const legChoices: readonly Choice[] = [
  { label: 'Answer', event: { type: 'leg', result: 'answered' } },
  { label: 'No answer', event: { type: 'leg', result: 'no_answer' } },
  { label: 'Busy', event: { type: 'leg', result: 'busy' } },
  { label: 'Fail', event: { type: 'leg', result: 'failed' } },
]
const talkChoices: readonly Choice[] = [
  { label: 'The other party hangs up', event: { type: 'leg', result: 'hung_up' } },
]
const soundChoices: readonly Choice[] = [
  { label: 'The sound ends', event: { type: 'played' } },
  { label: 'The sound cannot be played', event: { type: 'play_failed' } },
]

function requestChoices(action: FlowAction): readonly Choice[] {
  switch (action.type) {
    case 'take_message':
      return [
        { label: 'Leave a message', event: { type: 'message', seconds: 10 } },
        { label: 'The message fails', event: { type: 'message_failed' } },
      ]
    case 'turn_recording':
      return [
        { label: 'Done', event: { type: 'recording', isOn: action.isOn } },
        { label: 'Recording fails', event: { type: 'recording_failed' } },
      ]
    case 'http':
      return [
        { label: 'Reply', event: { type: 'http', status: 200, variables: {} } },
        { label: 'Reply with an error', event: { type: 'http', status: 500, variables: {} } },
        { label: 'No reply', event: { type: 'http_failed', isTimeout: true, reason: 'no reply' } },
        { label: 'No connection', event: { type: 'http_failed', isTimeout: false, reason: 'no connection' } },
      ]
    case 'mail':
      return [
        { label: 'Sent', event: { type: 'mailed' } },
        { label: 'The email fails', event: { type: 'mail_failed' } },
      ]
    default:
      return []
  }
}

function queueChoices({ phase }: FlowState): readonly Choice[] {
  if (phase?.kind !== 'queue' || phase.part !== 'waiting') return []
  const behind = phase.position === null ? 3 : phase.position - 1
  return [
    ...(phase.position === 1
      ? []
      : [{ label: 'First in the queue', event: { type: 'queue', position: 1 } as const }]),
    ...(behind > 1
      ? [{ label: `Number ${behind} in the queue`, event: { type: 'queue', position: behind } as const }]
      : []),
    ...(phase.position === null
      ? [{ label: 'The queue is full', event: { type: 'queue_full' } as const }]
      : []),
  ]
}

/** Ends the work to which the event belongs. */
export function choose(simulation: Simulation, event: SimulatedEvent): Simulation {
  const slot = slotOf(event)
  const { work } = simulation
  const done = slot && work[slot]
  if (!slot || !done) return send(simulation, event)
  const goesOn = (event.type === 'leg' && event.result === 'answered') || event.type === 'queue'
  if (!goesOn) return send(without(simulation, slot), event)
  return send({ ...simulation, work: { ...work, [slot]: { ...done, end: null } } }, event)
}

function slotOf({ type }: SimulatedEvent): Slot | null {
  switch (type) {
    case 'played':
    case 'play_failed':
      return 'sound'
    case 'timeout':
      return 'timer'
    case 'leg':
      return 'leg'
    case 'queue':
    case 'queue_full':
      return 'queue'
    case 'started':
    case 'key':
    case 'hung_up':
      return null
    default:
      return 'request'
  }
}

function send(simulation: Simulation, event: SimulatedEvent): Simulation {
  const { flow, now } = simulation
  const { state, actions, log } = step(flow, simulation.state, { ...event, at: now } as FlowEvent)
  return withActions({ ...simulation, state, log: [...simulation.log, ...log] }, actions)
}

const withActions = (simulation: Simulation, actions: readonly FlowAction[]): Simulation => {
  const after = actions.reduce(withAction, simulation)
  return after.state.isOver ? { ...after, work: {} } : after
}

const without = (simulation: Simulation, slot: Slot): Simulation => ({
  ...simulation,
  work: { ...simulation.work, [slot]: undefined },
})

function withAction(simulation: Simulation, action: FlowAction): Simulation {
  const start = (slot: Slot, seconds: number | null, event: SimulatedEvent): Simulation => {
    const end = seconds === null ? null : { at: simulation.now + seconds * 1000, event }
    return { ...simulation, work: { ...simulation.work, [slot]: { action, end } } }
  }
  switch (action.type) {
    case 'play':
      return start('sound', action.loops ? null : secondsOf(action.sound, simulation), { type: 'played' })
    case 'stop_playing':
      return without(simulation, 'sound')
    case 'wait':
      return start('timer', action.seconds, { type: 'timeout' })
    case 'stop_waiting':
      return without(simulation, 'timer')
    case 'ring':
      return start('leg', ringSeconds(action), { type: 'leg', result: 'no_answer' })
    case 'forward':
      return start('leg', action.seconds, { type: 'leg', result: 'no_answer' })
    case 'cancel_leg':
      return without(simulation, 'leg')
    case 'enter_queue':
      return start('queue', 1, { type: 'queue', position: 1 })
    case 'leave_queue':
      return without(simulation, 'queue')
    case 'take_message':
      return start('request', action.maxSeconds, { type: 'message', seconds: action.maxSeconds })
    case 'turn_recording':
      return start('request', 1, { type: 'recording', isOn: action.isOn })
    case 'http':
      return start('request', action.seconds, { type: 'http_failed', isTimeout: true, reason: 'no reply' })
    case 'mail':
      return start('request', 1, { type: 'mailed' })
    case 'hang_up':
      return { ...simulation, work: {} }
  }
}

const ringSeconds = ({ destination }: Extract<FlowAction, { type: 'ring' }>): number =>
  destination.kind === 'pbx'
    ? destination.seconds
    : destination.steps.reduce((total, { seconds }) => total + seconds, 0)

/** Characters that a voice speaks in a second. */
const SPEED = 15
const PROMPT_SECONDS = 3

function secondsOf(
  sound: Extract<FlowAction, { type: 'play' }>['sound'],
  { soundSeconds }: Simulation,
): number {
  switch (sound.kind) {
    case 'text':
    case 'spelled':
      return Math.max(1, Math.round(sound.text.length / SPEED))
    case 'file':
      return soundSeconds[sound.soundId] ?? PROMPT_SECONDS
    case 'prompt':
      return PROMPT_SECONDS
  }
}
