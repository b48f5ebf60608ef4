import { micros, toWireNumber } from '@trunkline/domain/money'

/** Figures as the API shows them. */

export const dollars = (amount: bigint): number => toWireNumber(micros(amount))

/** To one decimal; null without a total. */
export const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1_000) / 10

export const inMinutes = (seconds: number): number => Math.round((seconds / 60) * 100) / 100

/** Seconds, to one decimal. */
export const average = (seconds: number, calls: number): number | null =>
  calls === 0 ? null : Math.round((seconds / calls) * 10) / 10
