import type { Flow } from '@trunkline/domain/flows'

/** Objects with the same fields in another order are the same: the database does not keep the order. */
export const isSameFlow = (one: Flow, other: Flow): boolean =>
  one === other || JSON.stringify(one, sorted) === JSON.stringify(other, sorted)

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value
