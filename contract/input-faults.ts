import type { z } from 'zod'

/**
 * Default error messages of schemas. They include the field name, because API clients often show only the message. The
 * messages of zod ("Invalid input: expected string, received undefined") are not suitable for users.
 */
export function describeFault(issue: z.core.$ZodRawIssue): string {
  const field = fieldOf(issue.path ?? [])
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${field} is missing.`
        : `${field} must be ${kinds[issue.expected as string] ?? 'another type'}.`
    case 'unrecognized_keys':
      return `${list((issue.keys as string[]).map(quoted), 'and')} ${issue.keys?.length === 1 ? 'is not a known field' : 'are not known fields'}.`
    case 'invalid_value':
      return `${field} must be ${list(
        (issue.values as unknown[]).map((value) => quoted(String(value))),
        'or',
      )}.`
    case 'too_small':
      return `${field} must ${amountOf(issue.origin as string, 'at least', issue.minimum)}.`
    case 'too_big':
      return `${field} must ${amountOf(issue.origin as string, 'at most', issue.maximum)}.`
    default:
      return `${field} is not valid.`
  }
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  date: 'a date',
}

/** Units of types with a length. */
const units: Record<string, string> = { string: 'characters', array: 'entries' }

function amountOf(origin: string, bound: string, amount: unknown): string {
  const unit = units[origin]
  return unit ? `have ${bound} ${amount} ${unit}` : `be ${bound} ${amount}`
}

const quoted = (text: string): string => `"${text}"`

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? 'The request' : quoted(path.map(String).join('.'))

const list = (items: readonly string[], word: 'and' | 'or'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
