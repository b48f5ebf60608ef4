import { randomUUID } from 'node:crypto'
import { type Address, endpoints, methodAndPath } from '@trunkline/contract'
import type { Endpoint, SignedBody } from '@trunkline/contract/endpoint'
import { type ErrorAnswer, Refusal } from '@trunkline/contract/errors'
import { type Caller, mayEnter } from '@trunkline/domain/access'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { countedAddress } from '../platform/address.ts'
import { isDatabaseAway } from '../platform/database.ts'
import { type HandlersOf, WithStatus } from '../platform/handler.ts'

/** One handler for every address of the contract: a missing one does not compile. */
export type Handlers = HandlersOf<Address>

type Identify = (token: string) => Promise<Caller | null>

const BODY_LIMIT = 256 * 1024

export function createHttpServer(options: { logger: Logger; trustProxy: boolean }): FastifyInstance {
  const app = Fastify({
    loggerInstance: options.logger,
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    // Half-sent requests must not hold a connection for ever.
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance
  // A DELETE with a JSON content type and no body is not a fault worth telling anyone about.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      done(null, JSON.parse(String(body)))
    } catch {
      done(new Refusal('invalid_input', 'The request body is not valid JSON.'))
    }
  })
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.setErrorHandler<Error>((error, request, reply) => answerError(error, request, reply))
  return app
}

/** Puts every endpoint of the contract on the air. */
export function serveEndpoints(app: FastifyInstance, handlers: Handlers, identify: Identify): void {
  for (const address of Object.keys(endpoints) as Address[]) {
    const endpoint: Endpoint = endpoints[address]
    const route = { ...methodAndPath(address), endpoint, identify, handle: handlers[address] as Handle }
    if (endpoint.signedBy) app.register(async (scope) => serve(takingRawBodies(scope), route))
    else serve(app, route)
  }
}

type Handle = (request: object) => Promise<unknown>
type Route = { method: string; path: string; endpoint: Endpoint; identify: Identify; handle: Handle }

function serve(app: FastifyInstance, { method, path, endpoint, identify, handle }: Route): void {
  app.route({
    method,
    url: path,
    handler: async (request, reply) => {
      try {
        const who = await admit(endpoint, request, identify)
        const answer = await handle({
          body: endpoint.signedBy
            ? signedBodyOf(request, endpoint.signedBy)
            : parse(endpoint.body, request.body),
          query: parse(endpoint.query, request.query),
          params: parse(endpoint.params, request.params),
          client: { address: countedAddress(request.ip), userAgent: userAgentOf(request) },
          ...who,
        })
        const { status, body } = answer instanceof WithStatus ? answer : { status: 200, body: answer }
        const shown = endpoint.answer.parse(body)
        reply.header('cache-control', 'no-store').status(status)
        return endpoint.signedBy
          ? reply.type('text/plain; charset=utf-8').send(shown)
          : reply.type('application/json; charset=utf-8').send(JSON.stringify(shown))
      } catch (error) {
        if (!endpoint.failure) throw error
        return answerSpecialFailure(endpoint.failure, error, request, reply)
      }
    },
  })
}

/** Bodies stay the bytes they came as, whatever they say they are. */
function takingRawBodies(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  return scope
}

function signedBodyOf(request: FastifyRequest, header: string): SignedBody {
  const signature = request.headers[header]
  return {
    raw: request.body instanceof Uint8Array ? request.body : new Uint8Array(),
    signature: typeof signature === 'string' ? signature : undefined,
  }
}

async function admit(endpoint: Endpoint, request: FastifyRequest, identify: Identify) {
  if (endpoint.access === 'anyone') return { caller: null }
  const token = /^Bearer (\S{1,200})$/.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw new Refusal('sign_in_first')
  const caller = await identify(token)
  if (!caller) throw new Refusal('session_expired')
  if (!mayEnter(endpoint.access, caller)) throw new Refusal('admin_only')
  return { caller, token }
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  throw new Refusal('invalid_input', fields[0]?.message, fields)
}

const userAgentOf = (request: FastifyRequest): string => (request.headers['user-agent'] ?? '').slice(0, 300)

/** Anything thrown becomes one of the closed list; what we did not foresee is logged whole and told in general words. */
function refusalFor(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  const { statusCode = 500, code = '' } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('body_too_large')
  if (statusCode >= 400 && statusCode < 500) return new Refusal('invalid_input')
  if (isDatabaseAway(error)) {
    request.log.warn({ err: error }, 'the database is away')
    return new Refusal('unavailable')
  }
  request.log.error({ err: error }, 'unforeseen failure')
  return new Refusal('server_error')
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message, status, fields } = refusalFor(error, request)
  const body: ErrorAnswer = {
    error: { code, message, ...(fields.length > 0 && { fields }) },
    message,
    request_id: request.id,
  }
  return reply.header('cache-control', 'no-store').status(status).send(body)
}

function answerSpecialFailure(
  shape: z.ZodType,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { message, status } = refusalFor(error, request)
  return reply
    .header('cache-control', 'no-store')
    .status(status)
    .send(shape.parse({ success: false, message, error: message }))
}
