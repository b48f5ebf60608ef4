import type { Step } from '../flow.ts'
import type { FlowAction, Variables } from '../run.ts'
import { filledSound } from '../variables.ts'
import { type Handler, leave, type Outcome, stay } from './handler.ts'

/** Steps that play to the caller or record. */

export const play: Handler<'play'> = {
  enter: ({ sound }, { variables }) =>
    stay({ kind: 'play' }, { type: 'play', sound: filledSound(sound, variables) }),
  react(_step, _phase, event) {
    if (event.type === 'played') return leave('next')
    return event.type === 'play_failed' ? leave('failed') : null
  },
}

export const voicemail: Handler<'voicemail'> = {
  enter: ({ greeting }, { variables }) =>
    stay({ kind: 'voicemail', part: 'greeting' }, greet(greeting, variables)),
  react({ maxSeconds }, { part }, event) {
    switch (event.type) {
      // A message without a greeting is better than no message.
      case 'played':
      case 'play_failed':
      case 'key':
        if (part !== 'greeting') return null
        return stay(
          { kind: 'voicemail', part: 'message' },
          ...(event.type === 'key' ? [{ type: 'stop_playing' } as const] : []),
          { type: 'take_message', maxSeconds },
        )
      case 'message':
        return part === 'message' ? leave('next') : null
      case 'message_failed':
        return part === 'message' ? leave('failed') : null
      default:
        return null
    }
  },
}

const greet = (greeting: Step<'voicemail'>['greeting'], variables: Variables): FlowAction => ({
  type: 'play',
  sound: greeting ? filledSound(greeting, variables) : { kind: 'prompt', name: 'voicemail_greeting' },
  untilKey: true,
})

export const record: Handler<'record'> = {
  enter(step, { variables }) {
    const { turn, announcement } = step
    if (turn === 'off' || !announcement) return turnRecording(step)
    return stay(
      { kind: 'record', part: 'announcing' },
      { type: 'play', sound: filledSound(announcement, variables) },
    )
  },
  react(step, { part }, event) {
    switch (event.type) {
      case 'played':
        return part === 'announcing' ? turnRecording(step) : null
      // Nobody is recorded without the announcement.
      case 'play_failed':
        return part === 'announcing' ? leave('failed') : null
      case 'recording':
        return part === 'turning' ? leave('next') : null
      case 'recording_failed':
        return part === 'turning' ? leave('failed') : null
      default:
        return null
    }
  },
}

const turnRecording = ({ turn }: Step<'record'>): Outcome =>
  stay({ kind: 'record', part: 'turning' }, { type: 'turn_recording', isOn: turn === 'on' })
