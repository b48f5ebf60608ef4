import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { CallReason } from '@trunkline/domain/callcontrol'
import { isSoundPossible } from './sound.ts'

/** The screen that resolves the problem. */
export type Help = 'caller-id' | 'top-up' | 'routes' | 'upgrade' | 'limits'

const helps: Partial<Record<CallReason, Help>> = {
  no_caller_id: 'caller-id',
  no_balance: 'top-up',
  balance_used_up: 'top-up',
  no_route: 'routes',
  premium_route: 'upgrade',
  price_above_limit: 'limits',
  too_many_calls: 'limits',
  daily_spend_reached: 'limits',
  daily_spend_used_up: 'limits',
  country_blocked: 'limits',
  high_risk_blocked: 'limits',
  calls_stopped: 'limits',
}

const isReason = (text: string): text is CallReason => Object.hasOwn(reasonTexts, text)

/** The switch puts the refusal reason into the phrase. Phrases of carriers vary, so only their code counts. */
export function wordsOfAnswer(code: number, phrase: string): string {
  if (isReason(phrase)) return reasonTexts[phrase]
  switch (code) {
    case 486:
    case 600:
      return 'The number is busy.'
    case 404:
    case 484:
      return 'This number does not exist.'
    case 408:
    case 480:
      return 'Nobody answered.'
    case 487:
      return 'You hung up before the call was answered.'
    case 403:
    case 603:
      return 'The call was refused.'
    case 488:
      return 'The other phone doesn’t support this audio format.'
    default:
      return 'The number cannot be reached right now.'
  }
}

/** Records contain the text of the reason, not its code. */
export function helpFor(words: string): Help | null {
  const reason = Object.entries(reasonTexts).find(([, text]) => text === words)?.[0] ?? ''
  return isReason(reason) ? (helps[reason] ?? null) : null
}

/** `verb` is what to do again once the problem is solved. */
export function wordsOfMicrophone(error: unknown, verb: 'call' | 'answer' = 'call'): string {
  if (!isSoundPossible()) return NEEDS_HTTPS
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return `Microphone access is blocked. Allow it in the address bar, then ${verb} again.`
    case 'NotFoundError':
    case 'OverconstrainedError':
      return `No microphone found. Connect one, then ${verb} again.`
    case 'NotReadableError':
      return `Another program is using the microphone. Close it, then ${verb} again.`
    default:
      return 'The microphone could not be opened.'
  }
}

/** Why this browser can decline calls only. */
export function reasonNotToAnswer(): string | null {
  if (!('RTCPeerConnection' in globalThis)) return 'This browser does not support calls.'
  return isSoundPossible() ? null : NEEDS_HTTPS
}

export const NEEDS_HTTPS =
  'Browsers allow microphone access only on https pages. Ask your provider for the secure address of this portal.'

/** JsSIP also ends a call by itself, for example if a re-INVITE gets no reply. Only the cause `Terminated` is our own hangup. */
export function wordsOfEnd(originator: unknown, cause: string): string {
  if (cause === 'RTP Timeout') return 'The audio connection was lost.'
  if (String(originator) !== 'local') return 'The other party hung up.'
  switch (cause) {
    case 'Terminated':
      return 'You hung up.'
    // The switch no longer knows the call: its BYE is on the way.
    case 'Dialog Error':
      return 'The other party hung up.'
    default:
      return 'The call was interrupted.'
  }
}

export function wordsOfFailure(cause: string): string {
  switch (cause) {
    case 'Connection Error':
    case 'Request Timeout':
      return 'The server did not respond. Please try again.'
    case 'Bad Media Description':
    case 'WebRTC Error':
      return 'The audio connection could not be set up.'
    default:
      return 'The call failed.'
  }
}
