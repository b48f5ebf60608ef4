import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** Who may call: anyone, a signed-in user, or an administrator. The server enforces it, a generated test proves it. */
export type Access = 'anyone' | 'user' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Endpoint = {
  readonly access: Access
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** More than requests usually may have. Such a body is read only once it is known who sends it. */
  readonly maxBodyBytes?: number
  /**
   * The header that signs the body. Such a body is handed on byte for byte, with its signature, and the answer is
   * plain text: a signature is over bytes, and JSON that was read and written again has others.
   */
  readonly signedBy?: string
  /** Set where the answer flows instead of being one JSON body; `answer` then describes one event, or one line. */
  readonly streams?: 'text/event-stream' | 'text/csv'
  readonly answer: z.ZodType
  /**
   * Set where a token alone is not enough: the password must have been typed in this session within the last ten minutes,
   * otherwise the answer is `password_needed`. A list names the fields of the body that need it.
   */
  readonly needsProof?: true | readonly string[]
  /** Refusals of its own; those that any endpoint may give (400, 401, 403, 429, 500) need no mention. */
  readonly refusals?: readonly ErrorCode[]
  /** What a customer reads who calls what is for administrators; set where the specification fixes the sentence. */
  readonly forbidden?: string
  /** Set where the specification fixes another shape than the common error answer. */
  readonly failure?: z.ZodType
}

/** Keyed by `METHOD /path`, so that an address is written once and the browser needs only the types. */
export type Endpoints = Readonly<Record<`${Method} /${string}`, Endpoint>>

/** What a caller of the endpoint sends and reads, as seen from the browser. */
export type Sent<E extends Endpoint> = (E['body'] extends z.ZodType
  ? { body: z.input<E['body']> }
  : unknown) &
  (E['params'] extends z.ZodType ? { params: z.input<E['params']> } : unknown) &
  (E['query'] extends z.ZodType ? { query?: z.input<E['query']> } : unknown)

export type Answered<E extends Endpoint> = z.output<E['answer']>

/** What reaches a handler on the server: the same, parsed. */
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
