import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { type ErrorCode, errors } from './errors.ts'
import { endpoints, methodAndPath } from './index.ts'

const ErrorBody = z.object({
  error: z.object({
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  }),
  message: z.string(),
  request_id: z.string(),
})

/** `GET /api/routes/:id/rates.csv` becomes `getRoutesByIdRatesCsv`. Generated clients use these names, so paths must not change. */
export function operationId(address: string): string {
  const { method, path } = methodAndPath(address)
  const words = path
    .replace(/^\/api\//, '/')
    .replace(/:(\w+)/g, 'by-$1')
    .split(/\W|_/)
    .filter(Boolean)
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const as = (type: string, schema: object) => ({ content: { [type]: { schema } } })
const json = (schema: object) => as('application/json', schema)

export function openApiDocument(title: string, version: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const [address, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const { method, path } = methodAndPath(address)
    const openPath = path.replace(/:(\w+)/g, '{$1}')
    paths[openPath] = { ...paths[openPath], [method.toLowerCase()]: operation(address, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description:
        'Sign in with `POST /api/auth/login` and send the token as `Authorization: Bearer {token}`.',
      license: { name: 'No license has been chosen yet', identifier: 'NOASSERTION' },
    },
    servers: [{ url: '/', description: 'The portal that serves this document' }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(ErrorBody, 'output') },
    },
  }
}

const tagOf = (path: string): string => (path.split('/')[2] ?? path.slice(1)).replace(/\.\w+$/, '')

function operation(address: string, endpoint: Endpoint) {
  const [summary = '', ...details] = endpoint.summary.split(/(?<=\.) /)
  return {
    operationId: operationId(address),
    tags: [tagOf(methodAndPath(address).path)],
    summary: summary.replace(/\.$/, ''),
    ...(details.length > 0 && { description: `${details.join(' ')}.` }),
    ...(endpoint.access === 'anyone' ? { security: [] } : { security: [{ token: [] }] }),
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(endpoint.body && { requestBody: { required: true, ...json(schemaOf(endpoint.body, 'input')) } }),
    responses: responses(endpoint),
  }
}

function responses(endpoint: Endpoint) {
  const failure = endpoint.failure
    ? schemaOf(endpoint.failure, 'output')
    : { $ref: '#/components/schemas/Error' }
  const codes = new Set<ErrorCode>(endpoint.refusals)
  if (endpoint.body || endpoint.query || endpoint.params) codes.add('invalid_input')
  if (endpoint.access !== 'anyone') codes.add('session_expired')
  if (endpoint.access === 'admin') codes.add('admin_only')
  if (endpoint.file) codes.add('range_invalid')
  if (endpoint.needsProof) codes.add('password_needed')
  const byStatus: Record<string, { description: string }> = {
    200: {
      description: 'Success',
      ...as(typeOf(endpoint), schemaOf(endpoint.answer, 'output')),
    },
    ...(endpoint.file && {
      206: { description: 'The requested part (Range)', ...as(endpoint.file, {}) },
    }),
  }
  for (const code of codes) {
    const { status, message } = errors[code]
    const others = byStatus[status] ? `${byStatus[status].description}\n\n` : ''
    byStatus[status] = { description: `${others}${code}: ${message}`, ...json(failure) }
  }
  return { ...byStatus, '4XX': { description: 'Any other refusal', ...json(failure) } }
}

const typeOf = ({ signedBy, streams, file }: Endpoint): string =>
  streams ?? file ?? (signedBy ? 'text/plain' : 'application/json')

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined) {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: each,
  }))
}
