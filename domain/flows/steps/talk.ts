import type { FlowAction, FlowEvent, Phase } from '../run.ts'
import { fill } from '../variables.ts'
import { end, type Handler, leave, type Outcome, stay } from './handler.ts'

/** Steps that call somebody. */

type LegPhase = Extract<Phase, { kind: 'ring' | 'forward' }>

export const ring: Handler<'ring'> = {
  enter: ({ destination }) => stay({ kind: 'ring', isTalking: false }, { type: 'ring', destination }),
  react: (_step, phase, event) => reactToLeg(phase, event),
  stop: cancelLeg,
}

export const forward: Handler<'forward'> = {
  enter({ number, callerId, seconds }, { variables }) {
    const digits = phoneDigits(fill(number, variables))
    if (digits === null) return leave('failed')
    return stay({ kind: 'forward', isTalking: false }, { type: 'forward', number: digits, callerId, seconds })
  },
  react: (_step, phase, event) => reactToLeg(phase, event),
  stop: cancelLeg,
}

/** A number in international format without the plus sign. Null if it is none. */
export function phoneDigits(number: string): string | null {
  if (!/^\s*\+?[0-9 ().-]+$/.test(number)) return null
  const digits = number.replace(/\D/g, '')
  return digits.length >= 5 && digits.length <= 15 ? digits : null
}

function reactToLeg(phase: LegPhase, event: FlowEvent): Outcome | null {
  if (event.type !== 'leg') return null
  if (phase.isTalking) return event.result === 'hung_up' ? end('conversation') : null
  switch (event.result) {
    case 'answered':
      return stay({ ...phase, isTalking: true })
    case 'hung_up':
      return null
    default:
      return leave(event.result)
  }
}

function cancelLeg(): readonly FlowAction[] {
  return [{ type: 'cancel_leg' }]
}
