import { type Address, endpoints, methodAndPath } from '@trunkline/contract'
import type { Endpoint } from '@trunkline/contract/endpoint'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createPortal, signUp } from './portal.ts'
import { sampleOf } from './sample-input.ts'

/** Values that are valid in JSON or a URL, but not in PostgreSQL. */
const unkeepable = { 'a zero byte': 'a\0b', 'half a character': 'a\ud800', 'more than an id': 2 ** 53 - 1 }

const all = (Object.entries<Endpoint>(endpoints) as [Address, Endpoint][]).filter(
  ([, { streams, signedBy }]) => !signedBy && streams !== 'text/event-stream',
)

type Described = { properties?: object; anyOf?: Described[] }
const fieldsOf = ({ properties = {}, anyOf = [] }: Described): string[] => [
  ...new Set([...Object.keys(properties), ...anyOf.flatMap(fieldsOf)]),
]
const fieldsIn = (schema: z.ZodType | undefined): string[] =>
  schema ? fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described) : []

type OddRequest = { field: string; body?: object; query?: Record<string, string>; id?: string }

/** Puts the odd value into each field in turn; the other fields are valid. */
function* oddRequests({ body, query, params }: Endpoint, odd: string | number): Generator<OddRequest> {
  const rightBody = body && (sampleOf(body) as object)
  const rightQuery = query && (sampleOf(query) as Record<string, string>)
  for (const field of fieldsIn(body)) yield { field, body: { ...rightBody, [field]: odd } }
  for (const field of fieldsIn(query))
    yield { field, query: { ...rightQuery, [field]: String(odd).toWellFormed() } }
  if (params) yield { field: 'id', id: String(odd).toWellFormed() }
}

it.each(Object.entries(unkeepable))('%s causes no server error in any field', async (_name, odd) => {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'admin', { isAdmin: true })
  let tried = 0
  for (const [address, endpoint] of all)
    for (const { field, body, query, id = '1' } of oddRequests(endpoint, odd)) {
      const { method, path } = methodAndPath(address)
      const { statusCode } = await portal.api.inject({
        method: method as 'GET',
        url: path.replace(':id', encodeURIComponent(id)),
        query,
        headers: { authorization: `Bearer ${token}` },
        payload: body ?? (endpoint.body && (sampleOf(endpoint.body) as object)),
      })
      expect({ address, field, isOurs: statusCode >= 500 }).toEqual({ address, field, isOurs: false })
      tried += 1
    }
  expect(tried).toBeGreaterThan(300)
})
