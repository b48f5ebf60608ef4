import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** Required role. The server enforces it, and a generated test covers every endpoint. */
export type Access = 'anyone' | 'user' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Endpoint = {
  readonly access: Access
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Overrides the default limit. The server reads such a body only after authentication. */
  readonly maxBodyBytes?: number
  /**
   * The header with the signature of the body. The handler gets the raw bytes, because parsed and re-serialized JSON
   * would not match the signature. The answer is plain text.
   */
  readonly signedBy?: string
  /** Set for streamed answers. `answer` then describes one event or line. */
  readonly streams?: 'text/event-stream' | 'text/csv'
  /** Set if the answer is a file of this type. The handler returns its bytes, and a part of it can be requested (Range). */
  readonly file?: 'audio/wav'
  readonly answer: z.ZodType
  /**
   * Requires that the user entered the password in this session within the last ten minutes. Otherwise the answer is
   * `password_needed`. A list restricts this to requests with one of these body fields.
   */
  readonly needsProof?: true | readonly string[]
  /** Errors of this endpoint, in addition to the common ones (400, 401, 403, 429, 500). */
  readonly refusals?: readonly ErrorCode[]
  /** Error message for customers on an administrators' endpoint, if the specification fixes it. */
  readonly forbidden?: string
  /** Schema of error answers, if the specification fixes another one. */
  readonly failure?: z.ZodType
}

/** Keyed by `METHOD /path`. The browser imports only the types. */
export type Endpoints = Readonly<Record<`${Method} /${string}`, Endpoint>>

/** Input of a request before parsing, as the browser sends it. */
export type Sent<E extends Endpoint> = (E['body'] extends z.ZodType
  ? { body: z.input<E['body']> }
  : unknown) &
  (E['params'] extends z.ZodType ? { params: z.input<E['params']> } : unknown) &
  (E['query'] extends z.ZodType ? { query?: z.input<E['query']> } : unknown)

export type Answered<E extends Endpoint> = z.output<E['answer']>

/** Input of a request after parsing, as the handler receives it. */
export type Received<E extends Endpoint> = {
  body: E['signedBy'] extends string
    ? SignedBody
    : E['body'] extends z.ZodType
      ? z.output<E['body']>
      : undefined
  params: E['params'] extends z.ZodType ? z.output<E['params']> : undefined
  query: E['query'] extends z.ZodType ? z.output<E['query']> : undefined
}

export type SignedBody = { raw: Uint8Array; signature: string | undefined }
