import type { CdrRecord } from '@trunkline/contract/cdr'

type Direction = CdrRecord['direction']

/** `short` is for lists. */
export const directions: Record<Direction, { name: string; short: string }> = {
  in: { name: 'Incoming', short: 'In' },
  out: { name: 'Outgoing', short: 'Out' },
}

/** An incoming call that nobody answered. */
export const isMissed = ({ direction, status }: Pick<CdrRecord, 'direction' | 'status'>): boolean =>
  direction === 'in' && status !== 'completed'

/** The number of the other side, if it can be called back. Anonymous callers have none. */
export const numberToCallBack = (caller: string): string | null =>
  /^\+?\d{5,16}$/.test(caller) ? caller : null

export const withPlus = (number: string): string => `+${number.replace(/^\+/, '')}`
