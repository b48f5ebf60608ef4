import type { Address, AnswerOf, RequestOf } from '@trunkline/contract'
import type { ErrorCode, FieldFault } from '@trunkline/contract/errors'
import { API_TIMEOUT_MS } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { reportConnection } from './connection.ts'
import { takeEarlySession } from './early-session.ts'
import { readToken, writeToken } from './token.ts'
import { turnToStart } from './turn-to-start.ts'
import { toUrl, type UrlParts } from './url.ts'

/** A failed request. `message` is the sentence of the server, or empty. */
export class ApiError extends Error {
  readonly code: ErrorCode | undefined
  /** 0 without a response. */
  readonly status: number
  readonly fields: FieldFault[]
  readonly unreachable: boolean

  constructor(
    message: string,
    about: { code?: ErrorCode; status?: number; fields?: FieldFault[]; unreachable?: boolean } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = about.code
    this.status = about.status ?? 0
    this.fields = about.fields ?? []
    this.unreachable = about.unreachable ?? false
  }
}

/** The message of the server, or the fallback. */
export const explain = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.message ? error.message : fallback

/** The server answered that it did nothing. After any other error, the request may have been carried out. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

type Extras = {
  signal?: AbortSignal
  /** Lets the browser finish the request after the page is closed. */
  keepalive?: boolean
  /** Longer than the default for requests in which the server waits for others. */
  timeoutMs?: number
}

/** The request is optional if the endpoint needs no input. */
type Arguments<A extends Address> =
  object extends RequestOf<A> ? [request?: RequestOf<A> & Extras] : [request: RequestOf<A> & Extras]

type LooseRequest = UrlParts & Extras & { body?: unknown }

let sessionLost: () => void = () => {}

/** The session registers here to learn that the server no longer knows its token. */
export function onSessionLost(listener: () => void): void {
  sessionLost = listener
}

let adminRefused: () => void = () => {}

/** The session registers here to learn that the server no longer accepts the user as an administrator. */
export function onAdminRefused(listener: () => void): void {
  adminRefused = listener
}

let askForProof: () => Promise<boolean> = async () => false

/** The password dialog registers here. It answers true once the server has accepted the password. */
export function onProofNeeded(ask: () => Promise<boolean>): void {
  askForProof = ask
}

/** One request. If the server asks for the password, the user types it in a dialog and the request is repeated. */
export async function api<A extends Address>(address: A, ...given: Arguments<A>): Promise<AnswerOf<A>> {
  try {
    return await send(address, ...given)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'password_needed' || !(await askForProof()))
      throw error
    return send(address, ...given)
  }
}

async function send<A extends Address>(address: A, ...[request]: Arguments<A>): Promise<AnswerOf<A>> {
  const {
    params,
    query,
    body,
    signal,
    keepalive,
    timeoutMs = API_TIMEOUT_MS,
  } = (request ?? {}) as LooseRequest
  const { method, url } = toUrl(address, { params, query })
  // A page that is being closed has no further task.
  const turn = keepalive ? undefined : turnToStart()
  if (turn) await turn
  const token = readToken()
  const deadline = AbortSignal.timeout(timeoutMs)
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== null) headers.authorization = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'

  let response: Response
  let answer: unknown
  try {
    const early = address === 'GET /api/auth/verify' ? takeEarlySession(token) : null
    response = await (early ??
      fetch(url, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        keepalive,
      }))
    answer = await readJson(response)
  } catch (error) {
    // The caller aborted, which says nothing about the server.
    if (signal?.aborted) throw error
    throw unreachable()
  }
  // A proxy that answers in place of the server sends no JSON.
  if (answer === undefined && [502, 503, 504].includes(response.status)) throw unreachable()
  reportConnection('connected')
  if (response.ok) return answer as AnswerOf<A>

  const error = toError(response.status, answer)
  if (error.code === 'admin_only') adminRefused()
  // Drops only the refused token: it may have been replaced during the request.
  if (error.status === 401 && token !== null && address !== 'POST /api/auth/login' && readToken() === token) {
    writeToken(null)
    sessionLost()
  }
  throw error
}

function unreachable(): ApiError {
  reportConnection('disconnected')
  return new ApiError(messages.cannotConnect, { unreachable: true })
}

/** Undefined if the body is empty or not JSON. A broken connection still throws. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the common error response, and that of /register, in which `error` is a sentence. */
function toError(status: number, answer: unknown): ApiError {
  const { error, message } = (answer ?? {}) as { error?: unknown; message?: unknown }
  const said = typeof message === 'string' ? message : ''
  if (typeof error === 'string') return new ApiError(error || said, { status })
  const {
    code,
    message: reason,
    fields,
  } = (error ?? {}) as {
    code?: ErrorCode
    message?: string
    fields?: FieldFault[]
  }
  return new ApiError(reason || said, { status, code, fields })
}
