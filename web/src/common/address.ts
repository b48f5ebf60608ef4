import { toMicros } from './dollars.ts'

/** Parsers for URL parameters. They return undefined for invalid values. */

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

export const oneOf = <Choice extends string>(
  choices: readonly Choice[],
  value: unknown,
): Choice | undefined => choices.find((choice) => choice === value)

const ID_MAX = 2_147_483_647

export function idIn(value: unknown): number | undefined {
  const id = numberIn(value)
  return id !== undefined && Number.isInteger(id) && id > 0 && id <= ID_MAX ? id : undefined
}

const MAX_DOLLARS = 1_000_000

export function dollarsIn(value: unknown): number | undefined {
  const amount = signedDollarsIn(value)
  return amount !== undefined && amount >= 0 ? amount : undefined
}

export function signedDollarsIn(value: unknown): number | undefined {
  const amount = numberIn(value)
  return amount !== undefined && Math.abs(amount) <= MAX_DOLLARS && toMicros(amount) !== null
    ? amount
    : undefined
}

export function numberIn(value: unknown): number | undefined {
  const written = textIn(value)?.trim()
  return written ? Number(written) : undefined
}

/** Removes undefined values, so that equal URLs compare equal. */
export function withoutGaps<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
