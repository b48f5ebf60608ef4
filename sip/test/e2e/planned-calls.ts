import {
  choose,
  type Flow,
  type FlowAction,
  type FlowEvent,
  type FlowLogEntry,
  type FlowState,
  hangUp,
  letTimePass,
  pressKey,
  type SimulatedEvent,
  type Simulation,
  secondsToNext,
  startSimulation,
  worksOf,
} from '@trunkline/domain/flows'
import { farNumbers } from './random-flows.ts'

/** Calls that were planned with the simulator: what a caller does when a sound is heard, and the path that follows from it. */

/** The phones of a customer answer, refuse or are not registered. */
export type Phones = 'answered' | 'busy' | 'no_answer'

export type Cue = {
  /** The sound that the caller waits for, and how often since the last cue. Null: at once. */
  readonly after: { readonly sound: number; readonly times: number } | null
  readonly does: { readonly key: string } | 'speaks' | 'hangs up'
}

export type PlannedCall = { readonly cues: readonly Cue[]; readonly log: readonly FlowLogEntry[] }

type World = {
  phones: Phones
  called: string
  /** Ids of the sounds. The position of a sound is the number by which callers recognize it. */
  soundIds: readonly number[]
  soundSeconds: number
  /** Callers send this sound all the time; an answered leg plays it back. */
  voice: number
}

/** After this time, or so many cues, the caller hangs up at the next question. */
const MAX_MS = 9_000
const MAX_CUES = 8
/** Of ten decisions. */
const [SILENT, HANGS_UP] = [2, 1]

/** `decisions` are digits that decide what the caller does. */
export function planCall(flow: Flow, decisions: readonly number[], world: World): PlannedCall {
  const soundSeconds = Object.fromEntries(world.soundIds.map((id) => [id, world.soundSeconds]))
  const startedAt = Date.now()
  const cues: Cue[] = []
  let heard: number[] = []
  let decided = 0
  let call = startSimulation(flow, { at: startedAt, variables: { called: world.called }, soundSeconds })
  hear(null)

  function hear(before: Simulation | null): void {
    const { sound } = call.work
    if (!sound || sound === before?.work.sound || sound.action.type !== 'play') return
    const played = sound.action.sound
    if (played.kind === 'file') heard.push(world.soundIds.indexOf(played.soundId))
  }
  function go(next: Simulation): void {
    const before = call
    call = next
    hear(before)
  }
  const passTime = (): Simulation => letTimePass(call, secondsToNext(call) ?? 0)
  const decide = (): number => decisions[decided++ % decisions.length] ?? 0

  function cue(does: Cue['does'], sound = heard.at(-1)): void {
    const times = heard.filter((each) => each === sound).length
    cues.push({ after: sound === undefined ? null : { sound, times: Math.max(1, times) }, does })
    heard = []
  }
  function leave(sound = heard.at(-1)): Simulation {
    cue('hangs up', sound)
    return hangUp(call)
  }

  /** Until the step asks again or is left. */
  function staySilent(failedTries: number): Simulation {
    const entered = enteredSteps(call.log)
    const isSameQuestion = ({ phase }: FlowState) =>
      enteredSteps(call.log) === entered &&
      phase !== null &&
      'failedTries' in phase &&
      phase.failedTries === failedTries
    do go(passTime())
    while (isSameQuestion(call.state))
    return call
  }

  /** A menu, or digits. */
  function answerQuestion(failedTries: number): Simulation {
    const decision = decide()
    if (decision < HANGS_UP || cues.length >= MAX_CUES || call.now - startedAt > MAX_MS) return leave()
    if (decision < HANGS_UP + SILENT) return staySilent(failedTries)
    const key = '1122#7'[decide() % 6] ?? '1'
    cue({ key })
    return pressKey(call, key)
  }

  function leaveMessage(): Simulation {
    cue('speaks')
    if (decide() < 5) return leave()
    cue({ key: '#' })
    return choose(call, { type: 'message', seconds: 2 })
  }

  function proceed(): Simulation {
    const { phase } = call.state
    if (phase && 'failedTries' in phase && !(phase.kind === 'menu' && phase.part === 'explaining'))
      return answerQuestion(phase.failedTries)
    if (phase?.kind === 'voicemail' && phase.part === 'message') return leaveMessage()
    // The phones ring again and again.
    if (phase?.kind === 'queue' && world.phones !== 'answered') return leave()
    if (call.work.leg?.end === null)
      return hangsUpItself(call.work.leg.action)
        ? choose(call, { type: 'leg', result: 'hung_up' })
        : leave(world.voice)
    const result = worksOf(call).flatMap((action) => resultOf(action, world) ?? [])[0]
    return result ? choose(call, result) : passTime()
  }

  while (!call.state.isOver) go(proceed())
  return { cues, log: call.log }
}

const enteredSteps = (log: readonly FlowLogEntry[]): number =>
  log.filter(({ type }) => type === 'entered').length

const hangsUpItself = (action: FlowAction): boolean => {
  const far = action.type === 'forward' ? farNumbers[action.number] : undefined
  return far?.kind === 'echo' && far.hangUpAfterMs !== undefined
}

/** What the real call gets from the systems of the test. Null: nothing by itself. */
function resultOf(action: FlowAction, { phones }: World): SimulatedEvent | null {
  switch (action.type) {
    case 'enter_queue':
      return { type: 'queue', position: 1 }
    case 'ring':
      return { type: 'leg', result: phones }
    case 'forward':
      return { type: 'leg', result: farResult(action.number) }
    case 'turn_recording':
      return { type: 'recording', isOn: action.isOn }
    case 'http':
      return webResult(action)
    case 'mail':
      return { type: action.to.includes('@') ? 'mailed' : 'mail_failed' }
    default:
      return null
  }
}

function farResult(number: string): Extract<FlowEvent, { type: 'leg' }>['result'] {
  const far = farNumbers[number]
  if (far?.kind === 'echo') return 'answered'
  if (far?.kind === 'rings') return 'no_answer'
  const code = far?.kind === 'refuse' ? far.code : 0
  return code === 486 ? 'busy' : code === 480 ? 'no_answer' : 'failed'
}

function webResult({ url }: Extract<FlowAction, { type: 'http' }>): SimulatedEvent {
  if (url.endsWith('/slow')) return { type: 'http_failed', isTimeout: true, reason: '' }
  if (url.endsWith('/error')) return { type: 'http', status: 500, variables: {} }
  return { type: 'http', status: 200, variables: { digits: '7' } }
}

/** The simulator with the events of a real call, each at its own time. */
export function simulateAgain(flow: Flow, log: readonly FlowLogEntry[]): readonly FlowLogEntry[] {
  const [first, ...rest] = log.flatMap((entry) => (entry.type === 'event' ? [entry.event] : []))
  if (first?.type !== 'started') throw new Error('the log of the call does not begin with its start')
  let call = startSimulation(flow, { at: first.at, variables: first.variables })
  for (const { at, ...event } of rest) {
    const now = { ...call, now: at }
    call = event.type === 'key' ? pressKey(now, event.key) : choose(now, event as SimulatedEvent)
  }
  return call.log
}
