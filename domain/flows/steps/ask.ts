import { type Key, keyExit, type Step } from '../flow.ts'
import type { FlowAction, Phase, Variables } from '../run.ts'
import { filledSound } from '../variables.ts'
import { type Handler, leave, type Outcome, stay } from './handler.ts'

/** Steps that ask for keys. Keys also work while the sound plays. */

type MenuPhase = Extract<Phase, { kind: 'menu' }>
type CollectPhase = Extract<Phase, { kind: 'collect' }>

const quiet = (part: 'explaining' | 'playing' | 'waiting'): FlowAction =>
  part === 'waiting' ? { type: 'stop_waiting' } : { type: 'stop_playing' }

const question = ({ sound }: Step<'menu' | 'collect'>, variables: Variables): FlowAction => ({
  type: 'play',
  sound: filledSound(sound, variables),
  untilKey: true,
})

export const menu: Handler<'menu'> = {
  enter: (step, { variables }) => askMenu(step, 0, variables),

  react(step, phase, event, { variables }) {
    switch (event.type) {
      case 'played':
        if (phase.part === 'explaining') return askMenu(step, phase.failedTries, variables)
        return phase.part === 'playing' ? waitForKey(step, phase) : null
      case 'play_failed':
        if (phase.part === 'explaining') return askMenu(step, phase.failedTries, variables)
        return phase.part === 'playing' ? leave('failed') : null
      case 'key':
        if (step.keys.includes(event.key as Key)) return leave(keyExit(event.key as Key), [quiet(phase.part)])
        if (phase.failedTries >= step.repeats) return leave('wrong_key', [quiet(phase.part)])
        return stay(
          { kind: 'menu', part: 'explaining', failedTries: phase.failedTries + 1 },
          quiet(phase.part),
          { type: 'play', sound: { kind: 'prompt', name: 'wrong_key' }, untilKey: true },
        )
      case 'timeout':
        if (phase.part !== 'waiting') return null
        if (phase.failedTries >= step.repeats) return leave('timeout')
        return askMenu(step, phase.failedTries + 1, variables)
      default:
        return null
    }
  },

  stop: waitsOnly,
}

const askMenu = (step: Step<'menu'>, failedTries: number, variables: Variables): Outcome =>
  stay({ kind: 'menu', part: 'playing', failedTries }, question(step, variables))

const waitForKey = ({ seconds }: Step<'menu'>, phase: MenuPhase): Outcome =>
  stay({ ...phase, part: 'waiting' }, { type: 'wait', seconds })

function waitsOnly({ part }: MenuPhase | CollectPhase): readonly FlowAction[] {
  return part === 'waiting' ? [{ type: 'stop_waiting' }] : []
}

export const collect: Handler<'collect'> = {
  enter: (step, { variables }) => askForDigits(step, 0, variables),

  react(step, phase, event, { variables }) {
    switch (event.type) {
      case 'played':
        return phase.part === 'playing' ? waitForDigit(step, phase) : null
      case 'play_failed':
        return phase.part === 'playing' ? leave('failed') : null
      case 'key':
        return takeKey(step, phase, event.key, variables)
      case 'timeout':
        if (phase.part !== 'waiting') return null
        return finish(step, phase, phase.digits === '' ? 'timeout' : 'invalid', [], variables)
      default:
        return null
    }
  },

  stop: waitsOnly,
}

const askForDigits = (step: Step<'collect'>, failedTries: number, variables: Variables): Outcome =>
  stay({ kind: 'collect', part: 'playing', failedTries, digits: '' }, question(step, variables))

const waitForDigit = ({ seconds }: Step<'collect'>, phase: CollectPhase): Outcome =>
  stay({ ...phase, part: 'waiting' }, { type: 'wait', seconds })

function takeKey(step: Step<'collect'>, phase: CollectPhase, key: string, variables: Variables): Outcome {
  if (key === step.endKey) return finish(step, phase, 'invalid', [quiet(phase.part)], variables)
  const digits = /^[0-9]$/.test(key) ? phase.digits + key : phase.digits
  const next = { ...phase, digits }
  // A key that is no digit has stopped the sound as well, so the wait starts.
  if (digits.length < step.maxDigits) return waitForDigit(step, next)
  const outcome = finish(step, next, 'invalid', [quiet(phase.part)], variables)
  return outcome.type === 'leave' ? { ...outcome, lateKey: step.endKey } : outcome
}

function finish(
  step: Step<'collect'>,
  { digits, failedTries }: CollectPhase,
  exitIfTooShort: 'timeout' | 'invalid',
  actions: readonly FlowAction[],
  variables: Variables,
): Outcome {
  if (digits.length >= step.minDigits) return leave('next', actions, { [step.variable]: digits })
  if (failedTries >= step.repeats) return leave(exitIfTooShort, actions)
  const again = askForDigits(step, failedTries + 1, variables)
  return { ...again, actions: [...actions, ...again.actions] }
}
