import type { Readable } from 'node:stream'
import type { Address, Api } from '@trunkline/contract'
import type { Endpoint, Received } from '@trunkline/contract/endpoint'
import type { Caller } from '@trunkline/domain/access'
import type { z } from 'zod'

/** What a route handler is given: parsed input, and who is asking. It never sees the HTTP server. */
export type Client = {
  /** Grouped as attempts are counted, see address.ts. */
  address: string
  userAgent: string
}

type CallerOf<E extends Endpoint> = E['access'] extends 'anyone'
  ? { caller: null }
  : {
      caller: Caller
      token: string
      /** The password was typed in this session within the last ten minutes. */
      isProven: boolean
    }

type Handler<A extends Address> = (
  request: Received<Api[A] & Endpoint> & CallerOf<Api[A]> & { client: Client },
) => Promise<AnswerFrom<Api[A]>>

/** An endpoint that streams is answered by a stream and by nothing else. */
type AnswerFrom<E extends Endpoint> = E['streams'] extends string
  ? Streamed
  : z.input<E['answer']> | WithStatus<z.input<E['answer']>> | Shared<z.input<E['answer']>>

export type HandlersOf<A extends Address> = { [Each in A]: Handler<Each> }

/** An answer with another status than 200. */
export class WithStatus<Body> {
  readonly status: number
  readonly body: Body
  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

/** An answer that many requests share: it is checked against its schema and serialized once. It must not be changed any more. */
export class Shared<Body> {
  readonly body: Body
  /** Filled in by the HTTP server. */
  json: Buffer | null = null
  constructor(body: Body) {
    this.body = body
  }
}

/** An answer that flows: events, or a file. The source is destroyed when its reader has gone. */
export class Streamed {
  readonly source: Readable
  readonly headers: Readonly<Record<string, string>>
  constructor(source: Readable, headers: Readonly<Record<string, string>> = {}) {
    this.source = source
    this.headers = headers
  }
}
