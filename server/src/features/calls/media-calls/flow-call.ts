import {
  type Flow,
  type FlowAction,
  type FlowEvent,
  type FlowState,
  isLateKey,
  type Language,
  step,
} from '@trunkline/domain/flows'
import type { Destination } from '@trunkline/domain/ringing'
import type { Conversation } from '@trunkline/media/endpoint'
import type { Logger } from 'pino'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Timers } from '../../../platform/timers.ts'
import type { WebRequests } from '../../../platform/web-requests.ts'
import { askAddress } from './asking.ts'
import { type CallFacts, endMediaCall } from './calls-store.ts'
import type { Dial, Leg } from './legs.ts'
import type { MessageInProgress } from './message-taking.ts'
import type { Queues } from './queues.ts'
import { connectSides, type Recorder } from './recorder.ts'
import type { Sounds } from './sounds.ts'
import type { StepLog } from './step-log.ts'

type Without<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never
type NewEvent = Without<FlowEvent, 'at'>
type ActionOf<Type extends FlowAction['type']> = Extract<FlowAction, { type: Type }>

export type FlowDeps = {
  db: Database
  clock: Clock
  timers: Timers
  logger: Logger
  web: WebRequests
  sounds: Sounds
  queues: Queues
  steps: StepLog
  dial: Dial
  /** A sound could not be played. */
  onSoundFailed: () => void
}

export type FlowOfCall = {
  readonly call: CallFacts
  readonly flow: Flow
  /** Null for a plain voicemail. */
  readonly source: { readonly flowId: number; readonly secret: string } | null
  readonly language: Language
  readonly conversation: Conversation
  readonly switchAddress: { readonly host: string; readonly port: number }
  readonly recorder: Recorder
  readonly mayRecord: boolean
  readonly isMailboxFull: () => Promise<boolean>
  readonly takeMessage: (maxSeconds: number) => MessageInProgress
  readonly sendMail: (mail: Omit<ActionOf<'mail'>, 'type'>) => Promise<boolean>
}

/** Executes a flow: gives events to the interpreter and carries out its actions. Resolves when everything is stored. */
export function runFlow(deps: FlowDeps, given: FlowOfCall): { readonly ended: Promise<void> } {
  const { clock, timers, logger, sounds } = deps
  const { call, flow, conversation, recorder, source } = given
  const addSteps = deps.steps.open(call.callId)
  const finished = Promise.withResolvers<void>()
  const aborting = new AbortController()
  const events: FlowEvent[] = []
  let state: FlowState | null = null
  let enteredSteps = 0
  let isFeeding = false
  let isFinishing = false

  /** Counts sounds, so that the end of a replaced one is not reported. */
  let playing = 0
  let stopsAtKey = false
  let stopTimer: () => void = () => {}
  let stopRingback: () => void = () => {}
  let leg: Leg | null = null
  let otherSide: Conversation | null = null
  /** Changes of the queue in order: a call that goes from one queue to another leaves before it enters. */
  let queueing: Promise<unknown> = Promise.resolve()
  /** Counts queues, so that a position in one that was left is not reported. */
  let queueVisit = 0
  let message: MessageInProgress | null = null

  const ignore = (what: string) => (error: unknown) => logger.error({ err: error, call: call.callId }, what)

  /** Events that arrive while actions are carried out wait for them. */
  function feed(event: NewEvent): void {
    events.push({ ...event, at: clock.now().getTime() } as FlowEvent)
    if (isFeeding) return
    isFeeding = true
    try {
      for (let next = events.shift(); next; next = events.shift()) advance(next)
    } catch (error) {
      logger.error({ err: error, call: call.callId }, 'flow failed')
      finish()
    }
    isFeeding = false
    if (state?.isOver) finish()
  }

  function advance(event: FlowEvent): void {
    if (state?.isOver || isFinishing) return
    const stepped = step(flow, state, event)
    state = stepped.state
    addSteps(stepped.log)
    enteredSteps += stepped.log.filter(({ type }) => type === 'entered').length
    for (const action of stepped.actions) carryOut(action)
  }

  /** Reports the result of an action that takes time, or its failure. */
  function report(work: Promise<NewEvent | null>, failure: NewEvent): void {
    work
      .catch((error) => {
        logger.error({ err: error, call: call.callId }, 'action of a flow failed')
        return failure
      })
      .then((event) => event && feed(event))
  }

  function stopPlaying(): void {
    playing++
    stopsAtKey = false
    conversation.stopPlaying()
  }

  async function play({ sound, untilKey, loops }: ActionOf<'play'>): Promise<NewEvent | null> {
    const mine = ++playing
    stopsAtKey = untilKey === true
    // The only sound of a voicemail step is its greeting, which asks for a message.
    const isFull = state?.phase?.kind === 'voicemail' && (await given.isMailboxFull())
    const encoded = isFull
      ? await sounds.prompt('mailbox_full', given.language)
      : await sounds.find(call.userId, sound, given.language)
    if (mine !== playing || isFinishing) return null
    if (!encoded) {
      deps.onSoundFailed()
      return { type: 'play_failed' }
    }
    const isComplete = await conversation.play(encoded, { loops: loops === true }).done
    return isComplete && mine === playing ? { type: 'played' } : null
  }

  /**
   * The caller has been answered, so nobody else plays a tone while a leg rings. It is no action of the interpreter: no event follows
   * from it. Callers in a queue hear its music.
   */
  function playRingback(): void {
    if (state?.phase?.kind === 'queue') return
    const mine = ++playing
    stopsAtKey = false
    conversation.play(sounds.ringback, { loops: true })
    stopRingback = () => {
      if (mine === playing) stopPlaying()
    }
  }

  function endLeg(): void {
    stopRingback()
    leg?.cancel()
    leg = null
    otherSide?.hangUp()
    otherSide = null
  }

  async function ring(destination: Destination): Promise<NewEvent | null> {
    endLeg()
    const { switchAddress } = given
    const mine = deps.dial(call, { destination, step: enteredSteps, switchAddress })
    leg = mine
    mine.onRinging(() => {
      if (leg === mine) playRingback()
    })
    const outcome = await mine.outcome
    if (leg !== mine) {
      if (outcome.type === 'answered') outcome.conversation.hangUp()
      return null
    }
    if (outcome.type !== 'answered') {
      leg = null
      stopRingback()
      return { type: 'leg', result: outcome.type, reason: outcome.reason }
    }
    connect(outcome.conversation)
    return { type: 'leg', result: 'answered' }
  }

  function connect(other: Conversation): void {
    leg = null
    otherSide = other
    stopPlaying()
    connectSides(conversation, other, recorder)
    other.onEnd(() => {
      if (otherSide !== other) return
      otherSide = null
      feed({ type: 'leg', result: 'hung_up' })
    })
  }

  async function enterQueue({ stepId, maxWaiting }: ActionOf<'enter_queue'>): Promise<NewEvent | null> {
    const mine = ++queueVisit
    const isHere = () => mine === queueVisit
    const entering = queueing.then(() => {
      if (!isHere()) return true
      return deps.queues.enter(
        { callId: call.callId, flowId: source?.flowId ?? 0, stepId },
        { maxWaiting, onPosition: (position) => isHere() && feed({ type: 'queue', position }) },
      )
    })
    queueing = entering.catch(ignore('failed to enter a queue'))
    const isQueued = await entering.catch(() => false)
    return isQueued || !isHere() ? null : { type: 'queue_full' }
  }

  /** After the call has entered, also if it hangs up meanwhile. */
  function leaveQueue(): Promise<unknown> {
    if (queueVisit === 0) return queueing
    queueVisit++
    queueing = queueing.then(() => deps.queues.leave(call.callId)).catch(ignore('failed to leave a queue'))
    return queueing
  }

  async function takeMessage({ maxSeconds }: ActionOf<'take_message'>): Promise<NewEvent | null> {
    const mine = ++playing
    stopsAtKey = false
    if (await given.isMailboxFull()) return { type: 'message_failed' }
    if (mine !== playing || isFinishing) return null
    await conversation.play(sounds.beep).done
    if (mine !== playing || isFinishing) return null
    message = given.takeMessage(maxSeconds)
    const seconds = await message.done
    message = null
    return { type: 'message', seconds }
  }

  async function turnRecording({ isOn }: ActionOf<'turn_recording'>): Promise<NewEvent> {
    if (isOn && !given.mayRecord) return { type: 'recording_failed' }
    if (!isOn) await recorder.turnOff()
    else if (!(await recorder.turnOn())) return { type: 'recording_failed' }
    return { type: 'recording', isOn }
  }

  const mailed = (isSent: boolean): NewEvent => ({ type: isSent ? 'mailed' : 'mail_failed' })

  function wait({ seconds }: ActionOf<'wait'>): void {
    stopTimer()
    stopTimer = timers.after(seconds * SECOND, () => feed({ type: 'timeout' }))
  }

  const ask = ({ url, variables, seconds, saves }: ActionOf<'http'>) =>
    askAddress(deps, {
      url,
      variables,
      seconds,
      saves,
      secret: source?.secret ?? '',
      signal: aborting.signal,
    })

  const legFailed: NewEvent = { type: 'leg', result: 'failed' }
  const actions: { readonly [Type in FlowAction['type']]: (action: ActionOf<Type>) => void } = {
    play: (action) => report(play(action), { type: 'play_failed' }),
    stop_playing: stopPlaying,
    wait,
    stop_waiting: () => stopTimer(),
    ring: ({ destination }) => report(ring(destination), legFailed),
    forward: ({ number, callerId, seconds }) =>
      report(ring({ kind: 'number', number, callerId, seconds }), legFailed),
    cancel_leg: endLeg,
    enter_queue: (action) => report(enterQueue(action), { type: 'queue_full' }),
    leave_queue: () => void leaveQueue(),
    take_message: (action) => report(takeMessage(action), { type: 'message_failed' }),
    turn_recording: (action) => report(turnRecording(action), { type: 'recording_failed' }),
    http: (action) =>
      report(ask(action), { type: 'http_failed', isTimeout: false, reason: 'The request failed.' }),
    mail: (action) => report(given.sendMail(action).then(mailed), { type: 'mail_failed' }),
    hang_up: () => conversation.hangUp(),
  }
  const carryOut = (action: FlowAction) => (actions[action.type] as (given: FlowAction) => void)(action)

  /** Ends everything that the call has started, and keeps what it has recorded. */
  function finish(): void {
    if (isFinishing) return
    isFinishing = true
    stopTimer()
    aborting.abort()
    endLeg()
    message?.stop()
    conversation.hangUp()
    Promise.all([
      leaveQueue(),
      message?.done.catch(ignore('failed to keep a message')),
      recorder.turnOff().catch(ignore('failed to keep a recording')),
    ])
      .then(() => deps.steps.flush())
      .then(() => endMediaCall(deps.db, call.userId, call.callId, clock.now()))
      .catch(ignore('failed to end a media call'))
      .then(finished.resolve)
  }

  conversation.onKey((key) => {
    const isLate = isLateKey(state, { key, at: clock.now().getTime() })
    if (stopsAtKey && !isLate) stopPlaying()
    if (key === '#' && !isLate) message?.stop()
    feed({ type: 'key', key })
  })
  conversation.onEnd(() => {
    feed({ type: 'hung_up' })
    finish()
  })
  feed({
    type: 'started',
    variables: {
      caller: call.caller,
      caller_name: call.callerName,
      called: call.called,
      started_at: call.startedAt.toISOString(),
    },
  })
  return { ended: finished.promise }
}
