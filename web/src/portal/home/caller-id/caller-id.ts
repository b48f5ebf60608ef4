import type { CallerId } from '@trunkline/contract/caller-ids'
import { CALLER_ID_PATTERN } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { explain } from '../../../app/api.ts'

const MAX_DIGITS = 16

/** Removes everything but digits and cuts to 16. */
export const onlyDigits = (typed: string): string => typed.replace(/\D/g, '').slice(0, MAX_DIGITS)

export const validateCallerId = ({ callerid }: { callerid: string }): { callerid?: string } =>
  CALLER_ID_PATTERN.test(callerid) ? {} : { callerid: messages.callerIdInvalid }

/** The specified error with the reason on a new line. */
export const saveFailure = (error: unknown): string =>
  `${messages.callerIdNotSaved}\n${explain(error, messages.callerIdFailed)}`

export const shownCallerId = (callerid: string | null): string =>
  callerid === null || callerid === '' ? 'Not Set' : `+${callerid}`

type Shown = Pick<CallerId, 'callerid' | 'approval'>

/** Describes whether the caller ID can be used. `approval` is null when the provider requires none. */
export function wordsOfState({ callerid, approval }: Shown): string {
  if (!callerid) return 'Required before you can call'
  switch (approval?.state) {
    case 'pending':
      return 'Waiting for approval. Calls are refused until then.'
    case 'rejected':
      return 'Not approved. Calls are refused. Set another number or contact support.'
    default:
      return 'Shown to the people you call'
  }
}

export function lampOf({ callerid, approval }: Shown): 'signal' | 'pending' | 'danger' {
  if (approval?.state === 'rejected') return 'danger'
  return callerid && approval?.state !== 'pending' ? 'signal' : 'pending'
}
