import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { type Address, endpoints, methodAndPath } from '@trunkline/contract'
import type { Endpoint, SignedBody } from '@trunkline/contract/endpoint'
import { type ErrorAnswer, Refusal } from '@trunkline/contract/errors'
import { describeFault } from '@trunkline/contract/input-faults'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, hasAccess } from '@trunkline/domain/access'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { countedAddress } from '../platform/address.ts'
import { isDatabaseUnavailable } from '../platform/database.ts'
import { FileAnswer, type HandlersOf, Shared, Streamed, WithStatus } from '../platform/handler.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createTurns, type InTurn } from '../platform/turns.ts'
import { sendFile } from './file-answer.ts'
import { countRequests } from './http-metrics.ts'
import { createTransfers, type Transfers } from './transfers.ts'

// For schemas without their own message.
z.config({ customError: describeFault })

/** One handler for every endpoint of the contract. A missing handler does not compile. */
export type Handlers = HandlersOf<Address>

type Identify = (token: string) => Promise<{ caller: Caller; isProven: boolean } | null>

const BODY_LIMIT = 256 * 1024
/** Endpoints with a higher limit take turns, see transfers.ts. */
const LARGE_BODY = 1024 * 1024
/** Time without progress after which a client no longer reads its answer. */
const UNREAD_MS = 30_000

/**
 * Concurrent reads per user. The database pool has ten connections, and without this limit one user could occupy all of them with slow
 * searches. A page of the portal sends at most eight requests, so a browser never waits long.
 */
const READS_AT_ONCE = 4
const READS_WAITING = 60

type HttpOptions = { logger: Logger; trustProxy: string[] | false; metrics: Metrics }

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: options.logger,
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    // Closes connections with incomplete requests.
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance
  // Accepts a DELETE with a JSON content type and an empty body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      done(null, JSON.parse(String(body)))
    } catch {
      done(new Refusal('invalid_input', 'The request body is not valid JSON.'))
    }
  })
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('x-request-id', request.id)
    // Streams hold little memory, and wait for events and rows.
    if (!(payload instanceof Readable))
      reply.raw.setTimeout(UNREAD_MS, () => void request.raw.socket.destroy())
  })
  countRequests(app, options.metrics)
  app.setErrorHandler<Error>((error, request, reply) => answerError(error, request, reply))
  dropUnusedConnections(app)
  return app
}

/** Closes connections that browsers opened in advance. They would delay the shutdown. */
function dropUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}

/** Registers every endpoint of the contract. */
export function serveEndpoints(app: FastifyInstance, handlers: Handlers, identify: Identify): void {
  const eventStreams = new Set<Readable>()
  const readInTurn = createTurns({ atOnce: READS_AT_ONCE, waiting: READS_WAITING })
  const transfers = createTransfers()
  // Streams never end by themselves. Clients reconnect, to this server or another.
  app.addHook('preClose', async () => {
    for (const source of eventStreams) source.destroy()
  })
  for (const address of Object.keys(endpoints) as Address[]) {
    const endpoint: Endpoint = endpoints[address]
    const handle = handlers[address] as Handle
    const shared = { identify, eventStreams, readInTurn, transfers }
    const route = { ...methodAndPath(address), endpoint, handle, ...shared }
    if (endpoint.signedBy) app.register(async (scope) => serve(takingRawBodies(scope), route))
    else serve(app, route)
  }
}

type Handle = (request: object) => Promise<unknown>
type Route = {
  method: string
  path: string
  endpoint: Endpoint
  identify: Identify
  handle: Handle
  eventStreams: Set<Readable>
  readInTurn: InTurn
  transfers: Transfers
}

function serve(app: FastifyInstance, route: Route): void {
  const { method, path, endpoint, identify, handle, readInTurn, transfers } = route
  const { maxBodyBytes } = endpoint
  app.route({
    method,
    url: path,
    ...(maxBodyBytes !== undefined && {
      bodyLimit: maxBodyBytes,
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        const { caller } = await admit(endpoint, request, identify)
        if (caller && maxBodyBytes > LARGE_BODY) await transfers.beginUpload(caller.userId, reply)
      },
    }),
    handler: async (request, reply) => {
      try {
        const who = await admit(endpoint, request, identify)
        const asked = {
          body: endpoint.signedBy
            ? signedBodyOf(request, endpoint.signedBy)
            : parse(endpoint.body, request.body),
          query: parse(endpoint.query, queryOf(endpoint, request)),
          params: parse(endpoint.params, request.params),
          client: { address: countedAddress(request.ip), userAgent: userAgentOf(request) },
          ...who,
        }
        if (!who.isProven && needsProof(endpoint, asked.body)) throw new Refusal('password_needed')
        if (endpoint.file && who.caller) await transfers.beginDownload(who.caller.userId, reply)
        const answer =
          method === 'GET' && who.caller
            ? await readInTurn(who.caller.userId, () => handle(asked))
            : await handle(asked)
        if (answer instanceof Streamed) return stream(answer, route, reply)
        if (answer instanceof FileAnswer && endpoint.file)
          return sendFile(answer, endpoint.file, request, reply)
        reply.header('cache-control', 'no-store')
        if (answer instanceof Shared) return reply.type(JSON_TYPE).send(serialized(answer, endpoint))
        const { status, body } = answer instanceof WithStatus ? answer : { status: 200, body: answer }
        const shown = endpoint.answer.parse(body)
        reply.status(status)
        return endpoint.signedBy
          ? reply.type('text/plain; charset=utf-8').send(shown)
          : reply.type(JSON_TYPE).send(JSON.stringify(shown))
      } catch (error) {
        if (!endpoint.failure) throw error
        return answerSpecialFailure(endpoint.failure, error, request, reply)
      }
    },
  })
}

const JSON_TYPE = 'application/json; charset=utf-8'

function serialized(answer: Shared<unknown>, endpoint: Endpoint): Buffer {
  answer.json ??= Buffer.from(JSON.stringify(endpoint.answer.parse(answer.body)))
  return answer.json
}

function stream({ source, headers }: Streamed, { endpoint, eventStreams }: Route, reply: FastifyReply) {
  if (endpoint.streams === 'text/event-stream') {
    eventStreams.add(source)
    source.once('close', () => eventStreams.delete(source))
    // Prevents proxies from buffering events.
    reply.header('x-accel-buffering', 'no')
  }
  return reply
    .headers({ 'cache-control': 'no-store', ...headers })
    .type(`${endpoint.streams}; charset=utf-8`)
    .send(source)
}

/** Browsers send the id of the last event in a header. It becomes `after`. */
function queryOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  const lastEventId = request.headers['last-event-id']
  return endpoint.streams === 'text/event-stream' && lastEventId !== undefined
    ? { after: lastEventId, ...(request.query as object) }
    : request.query
}

/** Keeps bodies as raw bytes for any content type. */
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
  if (endpoint.access === 'anyone') return { caller: null, isProven: false }
  const token = /^Bearer (\S{1,200})$/.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw new Refusal('sign_in_first')
  const identified = await identify(token)
  if (!identified) throw new Refusal('session_expired')
  if (!hasAccess(endpoint.access, identified.caller)) throw new Refusal('admin_only', endpoint.forbidden)
  return { ...identified, token }
}

/** Only fields that are present require a confirmed password. */
function needsProof({ needsProof: declared }: Endpoint, body: unknown): boolean {
  if (declared === undefined || declared === true) return declared === true
  return declared.some((field) => (body as Record<string, unknown> | undefined)?.[field] !== undefined)
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success && isKeepable(parsed.data)) return parsed.data
  if (parsed.success) throw new Refusal('invalid_input', ownMessages.textUnkeepable)
  const fields = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  throw new Refusal('invalid_input', fields[0]?.message, fields)
}

/** PostgreSQL cannot store NUL characters, and JSON columns cannot store lone surrogates. */
function isKeepable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  return typeof value !== 'object' || value === null || Object.values(value).every(isKeepable)
}

const userAgentOf = (request: FastifyRequest): string => (request.headers['user-agent'] ?? '').slice(0, 300)

/** Maps exceptions to API errors. Unexpected ones are logged, and the client gets a general message. */
function refusalFor(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  const { statusCode = 500, code = '' } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('body_too_large')
  if (statusCode >= 400 && statusCode < 500) return new Refusal('invalid_input')
  if (isDatabaseUnavailable(error)) {
    request.log.warn({ err: error }, 'database unavailable')
    return new Refusal('unavailable')
  }
  request.log.error({ err: error }, 'unexpected error')
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
