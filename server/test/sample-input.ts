import { z } from 'zod'

/** Generates valid input from a schema. */
export function sampleOf(schema: z.ZodType): unknown {
  const description = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Description
  for (const words of candidates) {
    const sample = made(description, words)
    if (schema.safeParse(sample).success) return sample
  }
  throw new Error(`nothing was found that fits ${JSON.stringify(description)}`)
}

type Description = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Description[]
  oneOf?: Description[]
  format?: string
  pattern?: string
  default?: unknown
  minimum?: number
  minItems?: number
  items?: Description
  properties?: Record<string, Description>
  required?: string[]
}

/** Sample texts for constraints that JSON Schema cannot express: numbers, hosts, countries, codes. */
const candidates = [
  'Example',
  'somebody@example.com',
  '12025550100',
  '192.0.2.1',
  'US',
  'EXAMPLE-1',
  '2026-01-01T00:00:00.000Z',
]

/** Objects with all properties if that is valid; cross-field rules may require leaving some out. */
function made(description: Description, text: string): unknown {
  const { type, anyOf = description.oneOf, properties = {} } = description
  if (description.const !== undefined) return description.const
  if (description.enum) return description.enum[0]
  if (anyOf) return made(anyOf[0] as Description, text)
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => description.required?.includes(name))
        .map(([name, property]) => [name, made(property, text)]),
    )
  if (type === 'array')
    return Array.from({ length: description.minItems ?? 0 }, () => made(description.items ?? {}, text))
  if (type === 'integer' || type === 'number') return Math.max(1, Math.ceil(description.minimum ?? 1))
  if (type === 'boolean') return true
  return writtenAs(description, text)
}

function writtenAs({ format, pattern }: Description, text: string): string {
  if (format === 'email') return 'somebody@example.com'
  if (format === 'date') return '2026-01-01'
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z'
  // The pattern of time zones.
  if (pattern === '^[A-Za-z]') return 'UTC'
  const fitting =
    pattern === undefined ? undefined : candidates.find((each) => new RegExp(pattern, 'u').test(each))
  return fitting ?? text
}
