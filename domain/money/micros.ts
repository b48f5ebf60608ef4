/**
 * Money is an integer number of micro-dollars. The branded type prevents mixing it with seconds, cents or plain
 * counts. Only `micros` turns a bigint into money.
 */

declare const microsBrand: unique symbol
export type Micros = bigint & { readonly [microsBrand]: true }

export const MICROS_PER_DOLLAR = 1_000_000n
export const MICROS_PER_CENT = 10_000n

export const micros = (count: bigint): Micros => count as Micros
export const dollars = (whole: number): Micros => micros(BigInt(whole) * MICROS_PER_DOLLAR)
export const cents = (whole: number): Micros => micros(BigInt(whole) * MICROS_PER_CENT)

export const ZERO = micros(0n)

/** Smaller amounts have at most 15 digits, which a JS number represents exactly. */
export const WIRE_LIMIT_MICROS = dollars(1_000_000_000)

export const add = (left: Micros, right: Micros): Micros => micros(left + right)
export const subtract = (left: Micros, right: Micros): Micros => micros(left - right)
export const negate = (amount: Micros): Micros => micros(-amount)
export const sum = (amounts: Iterable<Micros>): Micros => {
  let total = 0n
  for (const amount of amounts) total += amount
  return micros(total)
}
export const smaller = (left: Micros, right: Micros): Micros => (left < right ? left : right)
export const larger = (left: Micros, right: Micros): Micros => (left > right ? left : right)
