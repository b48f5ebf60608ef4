import { Refusal } from '@trunkline/contract/errors'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { isInvalidParameter } from './database.ts'

/** Converts values for API answers. */

export const dollars = (amount: bigint): number => toWireNumber(micros(amount))

/** Rounded to one decimal. Null if the total is zero. */
export const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1_000) / 10

export const inMinutes = (seconds: number): number => Math.round((seconds / 60) * 100) / 100

/** Seconds, rounded to one decimal. */
export const average = (seconds: number, calls: number): number | null =>
  calls === 0 ? null : Math.round((seconds / calls) * 10) / 10

/** Refuses a time zone that browsers know but PostgreSQL does not. */
export async function inZone<Value>(figures: Promise<Value>): Promise<Value> {
  try {
    return await figures
  } catch (error) {
    throw isInvalidParameter(error) ? new Refusal('invalid_input') : error
  }
}
