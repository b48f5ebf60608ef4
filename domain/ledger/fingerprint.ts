/**
 * The content of a command as canonical JSON: equal content gives an equal string whatever the order of the
 * fields, and different content a different one. Kept beside the key, it tells a repeat from a conflict.
 */
export const fingerprint = (command: object): string => canonical(command)

export type Recognition = 'new' | 'repeat' | 'conflict'

/** `kept` is the fingerprint stored under the command's key, null when the key was never used. */
export function recognise(kept: string | null, command: object): Recognition {
  if (kept === null) return 'new'
  return kept === fingerprint(command) ? 'repeat' : 'conflict'
}

function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `{"$bigint":"${value}"}`
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} has no canonical form`)
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && isPlain(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    // By code unit, not by locale: the same string on every machine.
    fields.sort(([left], [right]) => (left < right ? -1 : 1))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
  }
  throw new TypeError(`a ${typeof value} has no canonical form`)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
