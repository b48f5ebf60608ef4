import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './index.ts'
import { describeFault } from './input-faults.ts'

const Given = z.strictObject({
  name: z.string().min(2).max(5),
  age: z.int().min(1).max(150),
  kind: z.enum(['mobile', 'landline']),
  tags: z.array(z.strictObject({ text: z.string() })).max(1),
  flag: z.boolean(),
  either: z.union([z.string(), z.number()]),
  day: z.iso.date(),
})
const good = { name: 'abc', age: 7, kind: 'mobile', tags: [], flag: true, either: 1, day: '2026-01-01' }

const messagesFor = (given: unknown) =>
  Given.safeParse(given, { error: describeFault }).error?.issues.map(({ message }) => message)

it.each([
  [{ ...good, name: undefined }, '"name" is missing.'],
  [{ ...good, name: 7 }, '"name" must be a string.'],
  [{ ...good, name: 'x' }, '"name" must have at least 2 characters.'],
  [{ ...good, name: 'xxxxxx' }, '"name" must have at most 5 characters.'],
  [{ ...good, age: '7' }, '"age" must be a number.'],
  [{ ...good, age: 7.5 }, '"age" must be a whole number.'],
  [{ ...good, age: 0 }, '"age" must be at least 1.'],
  [{ ...good, age: 151 }, '"age" must be at most 150.'],
  [{ ...good, kind: 'other' }, '"kind" must be "mobile" or "landline".'],
  [{ ...good, tags: [{ text: 1 }] }, '"tags.0.text" must be a string.'],
  [{ ...good, tags: [{ text: 'a' }, { text: 'b' }] }, '"tags" must have at most 1 entries.'],
  [{ ...good, flag: 'maybe' }, '"flag" must be true or false.'],
  [{ ...good, either: true }, '"either" is not valid.'],
  [{ ...good, day: 'today' }, '"day" is not valid.'],
  [{ ...good, extra: 1 }, '"extra" is not a known field.'],
  [{ ...good, one: 1, two: 2 }, '"one" and "two" are not known fields.'],
  ['text', 'The request must be an object.'],
])('%j: %s', (given, message) => {
  expect(messagesFor(given)).toEqual([message])
})

it('never returns a default message of zod', () => {
  z.config({ customError: describeFault })
  const bad = [{}, [], 'x', 7, null, { unknown: 1 }]
  const wrong = (shape: object) =>
    [null, 7, 'x', '', {}, [], [{}], 'x'.repeat(10_000), -1, 1.5].map((value) =>
      Object.fromEntries(Object.keys(shape).map((name) => [name, value])),
    )
  const said = Object.entries<Endpoint>(endpoints).flatMap(([address, endpoint]) =>
    [endpoint.body, endpoint.query, endpoint.params]
      .filter((schema) => schema !== undefined)
      .flatMap((schema) => {
        const shape = 'shape' in schema ? (schema.shape as object) : {}
        return [...bad, ...wrong(shape)].flatMap((given) =>
          (schema.safeParse(given).error?.issues ?? []).map(({ message }) => `${address}: ${message}`),
        )
      }),
  )
  expect(said.length).toBeGreaterThan(500)
  const raw =
    /Invalid (input|option|key|element)|Unrecognized|Too (small|big)|expected|received|undefined|NaN/
  expect([...new Set(said.filter((message) => raw.test(message)))]).toEqual([])
})
