/** A seeded random source. */
export type Chance = () => number

/** Mulberry32: small, fast and good enough for generated calls. */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const between = (chance: Chance, least: number, most: number): number =>
  Math.round(least + chance() * (most - least))

export const oneOf = <T>(chance: Chance, choices: readonly T[]): T =>
  choices[Math.floor(chance() * choices.length)] as T

export function weighted<K extends string>(chance: Chance, weights: Readonly<Partial<Record<K, number>>>): K {
  const entries = Object.entries(weights) as [K, number][]
  let left = chance() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [choice, weight] of entries) {
    left -= weight
    if (left < 0) return choice
  }
  return (entries.at(-1) as [K, number])[0]
}

/** Log-normal: many short calls, few long ones. */
export function logNormal(chance: Chance, median: number, sigma: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
  return median * Math.exp(sigma * normal)
}

/** Poisson-distributed count. */
export function poisson(chance: Chance, mean: number): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = chance(); product > limit; product *= chance()) count += 1
  return count
}
