import type { Readable } from 'node:stream'
import type { Address, Api } from '@trunkline/contract'
import type { Endpoint, Received } from '@trunkline/contract/endpoint'
import type { Caller } from '@trunkline/domain/access'
import type { z } from 'zod'

/** Input of a handler: the parsed request and the client. Handlers do not depend on the HTTP server. */
export type Client = {
  /** The key for rate limits, see address.ts. */
  address: string
  userAgent: string
}

type CallerOf<E extends Endpoint> = E['access'] extends 'anyone'
  ? { caller: null }
  : {
      caller: Caller
      token: string
      /** The user entered the password in this session within the last ten minutes. */
      isProven: boolean
    }

type Handler<A extends Address> = (
  request: Received<Api[A] & Endpoint> & CallerOf<Api[A]> & { client: Client },
) => Promise<AnswerFrom<Api[A]>>

/** Endpoints with `streams` must return a stream, those with `file` a file. */
type AnswerFrom<E extends Endpoint> = E['streams'] extends string
  ? Streamed
  : E['file'] extends string
    ? FileAnswer
    : z.input<E['answer']> | WithStatus<z.input<E['answer']>> | Shared<z.input<E['answer']>>

export type HandlersOf<A extends Address> = { [Each in A]: Handler<Each> }

/** The address of each handler gives its types. */
export const defineHandlers = <A extends Address>(handlers: HandlersOf<A>): HandlersOf<A> => handlers

export class WithStatus<Body> {
  readonly status: number
  readonly body: Body
  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

/** An answer shared by many requests. It is validated and serialized once, so it must not be modified. */
export class Shared<Body> {
  readonly body: Body
  /** Set by the HTTP server. */
  json: Buffer | null = null
  constructor(body: Body) {
    this.body = body
  }
}

/** A streamed answer: events or a file. The source is destroyed when the client disconnects. */
export class Streamed {
  readonly source: Readable
  readonly headers: Readonly<Record<string, string>>
  constructor(source: Readable, headers: Readonly<Record<string, string>> = {}) {
    this.source = source
    this.headers = headers
  }
}

/** A file that fits into memory. The HTTP server sends it whole or in parts. */
export class FileAnswer {
  readonly bytes: Uint8Array
  readonly name: string
  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes
    this.name = name
  }
}
