import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { CallReason } from '@trunkline/domain/callcontrol'

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

export function wordsOfMicrophone(error: unknown): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return 'Microphone access is blocked. Allow it in the address bar, then call again.'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'No microphone found. Connect one, then call again.'
    case 'NotReadableError':
      return 'Another program is using the microphone. Close it, then call again.'
    default:
      return 'The microphone could not be opened.'
  }
}

export const NEEDS_HTTPS =
  'Browsers allow microphone access only on https pages. Ask your provider for the secure address of this portal.'
