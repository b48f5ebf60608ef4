/**
 * A command as canonical JSON: equal content gives an equal string, regardless of field order. Stored with the
 * key, it distinguishes a repeat from a conflict.
 */
export const fingerprint = (command: object): string => canonical(command)

export type Recognition = 'new' | 'repeat' | 'conflict'

/** `stored` is the fingerprint under the command's key, or null if the key is unused. */
export function recognize(stored: string | null, command: object): Recognition {
  if (stored === null) return 'new'
  return stored === fingerprint(command) ? 'repeat' : 'conflict'
}

function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `{"$bigint":"${value}"}`
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} has no canonical form`)
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && isPlain(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    // By code unit, not by locale, so every machine gives the same string.
    fields.sort(([left], [right]) => (left < right ? -1 : 1))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
  }
  throw new TypeError(`a ${typeof value} has no canonical form`)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
