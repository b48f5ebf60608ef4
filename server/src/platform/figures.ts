import { micros, toWireNumber } from '@trunkline/domain/money'

/** Converts values for API answers. */

export const dollars = (amount: bigint): number => toWireNumber(micros(amount))

/** Rounded to one decimal. Null if the total is zero. */
export const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1_000) / 10

export const inMinutes = (seconds: number): number => Math.round((seconds / 60) * 100) / 100

/** Seconds, rounded to one decimal. */
export const average = (seconds: number, calls: number): number | null =>
  calls === 0 ? null : Math.round((seconds / calls) * 10) / 10
