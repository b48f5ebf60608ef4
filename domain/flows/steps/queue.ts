import type { Step } from '../flow.ts'
import type { FlowAction, FlowEvent, Phase } from '../run.ts'
import { filledSound } from '../variables.ts'
import { type Context, end, type Handler, leave, type Outcome, stay } from './handler.ts'

/**
 * Callers wait with music. The first one rings the phones, again and again until somebody answers or the time is up. The timer runs until
 * the end of the waiting time, except in the part `pausing`, where it runs until the phones ring again.
 */

type QueuePhase = Extract<Phase, { kind: 'queue' }>
type Queue = Step<'queue'>

/** Time between two rings. Devices that are busy or not registered need longer. */
const pauseSeconds = { no_answer: 1, busy: 5, failed: 5 } as const

export const queue: Handler<'queue'> = {
  enter: (step, context) =>
    stay(
      { kind: 'queue', part: 'waiting', isAnnouncing: false, position: null },
      music(step, context),
      { type: 'wait', seconds: step.maxSeconds },
      { type: 'enter_queue', stepId: step.id, maxWaiting: step.maxWaiting },
    ),

  react(step, phase, event, context) {
    if (phase.part === 'talking')
      return event.type === 'leg' && event.result === 'hung_up' ? end('conversation') : null
    switch (event.type) {
      case 'queue':
        return move(step, phase, event.position)
      case 'queue_full':
        if (phase.position !== null) return null
        return leave('full', [{ type: 'stop_playing' }, { type: 'stop_waiting' }])
      case 'played':
        return phase.isAnnouncing ? stay({ ...phase, isAnnouncing: false }, music(step, context)) : null
      case 'play_failed':
        if (phase.isAnnouncing) return stay({ ...phase, isAnnouncing: false }, music(step, context))
        return leave('failed', [{ type: 'stop_waiting' }, ...leaveQueue(phase)])
      case 'timeout':
        if (phase.part === 'pausing') return ringAgain(step, phase, context)
        return leave('timeout', [{ type: 'stop_playing' }, ...leaveQueue(phase)])
      case 'leg':
        return phase.part === 'ringing' ? reactToLeg(step, phase, event.result, context) : null
      default:
        return null
    }
  },

  stop: (phase) =>
    phase.part === 'talking' ? [{ type: 'cancel_leg' }] : [{ type: 'stop_waiting' }, ...leaveQueue(phase)],
}

const music = (step: Queue, { variables }: Pick<Context, 'variables'>): FlowAction => ({
  type: 'play',
  sound: filledSound(step.music, variables),
  loops: true,
})

const ringPhones = ({ devices, ringSeconds }: Queue): FlowAction => ({
  type: 'ring',
  destination: { kind: 'phones', steps: [{ devices, seconds: ringSeconds }] },
})

/** A call that was not yet queued may be in the queue without knowing it. */
const leaveQueue = ({ part }: QueuePhase): readonly FlowAction[] =>
  part === 'ringing' ? [{ type: 'cancel_leg' }, { type: 'leave_queue' }] : [{ type: 'leave_queue' }]

function move(step: Queue, phase: QueuePhase, position: number): Outcome | null {
  if (position === phase.position || position < 1) return null
  if (phase.part !== 'waiting') return stay({ ...phase, position })
  if (position === 1) return stay({ ...phase, position, part: 'ringing' }, ringPhones(step))
  if (!step.announcesPosition) return stay({ ...phase, position })
  return stay(
    { ...phase, position, isAnnouncing: true },
    { type: 'play', sound: { kind: 'prompt', name: 'queue_position', value: String(position) } },
  )
}

function reactToLeg(
  step: Queue,
  phase: QueuePhase,
  result: Extract<FlowEvent, { type: 'leg' }>['result'],
  context: Context,
): Outcome | null {
  switch (result) {
    case 'answered':
      return stay(
        { ...phase, part: 'talking', isAnnouncing: false },
        { type: 'stop_playing' },
        { type: 'stop_waiting' },
        { type: 'leave_queue' },
      )
    case 'hung_up':
      return null
    default: {
      const left = secondsLeft(step, context)
      const pause = pauseSeconds[result]
      // The timer of the waiting time goes on: there is no time to ring again.
      if (left <= pause) return stay({ ...phase, part: 'waiting' })
      return stay({ ...phase, part: 'pausing' }, { type: 'wait', seconds: pause })
    }
  }
}

function ringAgain(step: Queue, phase: QueuePhase, context: Context): Outcome {
  const left = secondsLeft(step, context)
  if (left <= 0) return leave('timeout', [{ type: 'stop_playing' }, ...leaveQueue(phase)])
  return stay({ ...phase, part: 'ringing' }, { type: 'wait', seconds: left }, ringPhones(step))
}

const secondsLeft = ({ maxSeconds }: Queue, { at, enteredAt }: Context): number =>
  maxSeconds - (at - enteredAt) / 1000
