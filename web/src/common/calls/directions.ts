import type { CdrRecord } from '@trunkline/contract/cdr'
import { TEST_CALL_NAME } from '@trunkline/contract/phone-names'

type Direction = CdrRecord['direction']

/** `short` is for lists. */
export const directions: Record<Direction, { name: string; short: string }> = {
  in: { name: 'Incoming', short: 'In' },
  out: { name: 'Outgoing', short: 'Out' },
}

/** An incoming call that nobody answered. */
export const isMissed = ({ direction, status }: Pick<CdrRecord, 'direction' | 'status'>): boolean =>
  direction === 'in' && status !== 'completed'

/** The customer has tested the number. */
export const isTestCall = ({
  caller,
  caller_name,
  destination,
}: Pick<CdrRecord, 'caller' | 'caller_name' | 'destination'>): boolean =>
  caller_name === TEST_CALL_NAME && withPlus(caller) === withPlus(destination)

/** The number of the other side, if it can be called back. Anonymous callers have none. */
export const numberToCallBack = (caller: string): string | null =>
  /^\+?\d{5,16}$/.test(caller) ? caller : null

export const withPlus = (number: string): string => `+${number.replace(/^\+/, '')}`
