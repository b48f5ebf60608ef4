import { createHmac, randomUUID } from 'node:crypto'
import { createGate } from '../shared/gate.ts'
import type { ProviderClock } from './clock.ts'
import type { CallbackFaults, Faults } from './faults.ts'
import type { Invoice, Status } from './invoice.ts'
import { callbackBody } from './wire.ts'

export interface Callback {
  id: string
  track_id: string
  order_id: string
  status: Status
  url: string
  body: string
  attempts: number
  dueAt: number
  state: 'pending' | 'delivered' | 'given_up'
}

/** An entry of the log at `/sandbox/callbacks`. */
export interface CallbackLogEntry {
  id: string
  track_id: string
  order_id: string
  status: Status
  url: string
  attempt: number
  at: string
  outcome: 'delivered' | 'refused' | 'failed' | 'dropped'
  body: string
  signature: string | null
  answer_status: number | null
  answer_body: string | null
  error: string | null
}

interface CallbackOptions {
  clock: ProviderClock
  faults: Faults
  merchantKey: string
  /** Seconds to wait after each failed attempt; there is one attempt more than entries. */
  retrySeconds: number[]
  timeoutMs: number
  save: (callback: Callback) => void
}

const LOG_KEPT = 50_000
/** Concurrency limit: 20,000 connections at once failed with EMFILE. */
const AT_A_TIME = 100

/** Sends signed callbacks in order, until the merchant responds `ok` or five attempts have failed. */
export class Callbacks {
  readonly #options: CallbackOptions
  readonly #inFlight = new Set<Promise<void>>()
  /** The last callback of each invoice; the next one waits for it, because real callbacks are ordered. */
  readonly #chains = new Map<string, Promise<void>>()
  readonly #gate = createGate(AT_A_TIME)
  #log: CallbackLogEntry[] = []
  #isStopped = false

  constructor(options: CallbackOptions) {
    this.#options = options
  }

  /** Queues the callbacks of one event; the faults decide which are sent, how often and when. */
  announce(events: { invoice: Invoice; status: Status }[]): void {
    const { clock, faults, save } = this.#options
    const { copies, order, delay_seconds, drop, at_once } = faults.state.callbacks
    const callbacks = events
      .filter(({ invoice }) => invoice.request.callback_url !== '')
      .flatMap(({ invoice, status }) =>
        Array.from({ length: copies }, () =>
          newCallback(invoice, status, clock.now() + delay_seconds * 1000),
        ),
      )
    for (const callback of inOrder(callbacks, order)) {
      if (drop === true || (Array.isArray(drop) && drop.includes(callback.status))) {
        this.#note(callback, { outcome: 'dropped' })
        continue
      }
      save(callback)
      this.#schedule(callback, at_once)
    }
  }

  /** Resumes undelivered callbacks after a restart. */
  resume(callbacks: Callback[]): void {
    for (const callback of callbacks) this.#schedule(callback, false)
  }

  get log(): readonly CallbackLogEntry[] {
    return this.#log
  }

  clearLog(): void {
    this.#log = []
  }

  /** Resolves when no callback is in progress; scheduled retries do not count. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight)
  }

  stop(): void {
    this.#isStopped = true
  }

  #schedule(callback: Callback, isFree: boolean): void {
    this.#options.clock.at(callback.dueAt, () => {
      const before = isFree ? undefined : this.#chains.get(callback.track_id)
      const sending = (before ?? Promise.resolve())
        .then(() => this.#gate(() => this.#attempt(callback)))
        .catch((error: unknown) => console.error('sandbox payment provider: a callback was lost', error))
      this.#inFlight.add(sending)
      if (!isFree) this.#chains.set(callback.track_id, sending)
      void sending.finally(() => {
        this.#inFlight.delete(sending)
        if (this.#chains.get(callback.track_id) === sending) this.#chains.delete(callback.track_id)
      })
    })
  }

  async #attempt(callback: Callback): Promise<void> {
    const { clock, retrySeconds, save } = this.#options
    if (this.#isStopped) return
    const attempts = callback.attempts + 1
    const isDelivered = await this.#send({ ...callback, attempts })
    // Stopped during the request: the record stays pending and is retried after the restart.
    if (this.#isStopped) return
    const wait = retrySeconds[callback.attempts]
    if (isDelivered) return save({ ...callback, attempts, state: 'delivered' })
    if (wait === undefined) return save({ ...callback, attempts, state: 'given_up' })
    const next = { ...callback, attempts, dueAt: clock.now() + wait * 1000 }
    save(next)
    this.#schedule(next, false)
  }

  async #send(callback: Callback): Promise<boolean> {
    const { faults, merchantKey, timeoutMs } = this.#options
    const { body, signature } = sign(callback.body, merchantKey, faults.state.callbacks.signature)
    const sent = { body, signature }
    try {
      const answer = await fetch(callback.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(signature === null ? {} : { HMAC: signature }) },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await answer.text()
      const isDelivered = answer.status === 200 && text.trim() === 'ok'
      const outcome = isDelivered ? 'delivered' : 'refused'
      this.#note(callback, {
        ...sent,
        outcome,
        answer_status: answer.status,
        answer_body: text.slice(0, 500),
      })
      return isDelivered
    } catch (error) {
      this.#note(callback, { ...sent, outcome: 'failed', error: reasonOf(error) })
      return false
    }
  }

  #note(callback: Callback, what: Pick<CallbackLogEntry, 'outcome'> & Partial<CallbackLogEntry>): void {
    const { id, track_id, order_id, status, url, body } = callback
    this.#log.push({
      id,
      track_id,
      order_id,
      status,
      url,
      body,
      attempt: callback.attempts,
      at: new Date(this.#options.clock.now()).toISOString(),
      signature: null,
      answer_status: null,
      answer_body: null,
      error: null,
      ...what,
    })
    if (this.#log.length > LOG_KEPT) this.#log = this.#log.slice(-LOG_KEPT / 2)
  }
}

function newCallback(invoice: Invoice, status: Status, dueAt: number): Callback {
  const { track_id, request } = invoice
  return {
    id: randomUUID(),
    track_id,
    order_id: request.order_id,
    status,
    url: request.callback_url,
    body: callbackBody(invoice, status),
    attempts: 0,
    dueAt,
    state: 'pending',
  }
}

function inOrder<T>(list: T[], order: CallbackFaults['order']): T[] {
  if (order === 'kept') return list
  if (order === 'reversed') return list.toReversed()
  return list
    .map((one) => ({ one, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)
}

function sign(body: string, key: string, how: CallbackFaults['signature']) {
  const hmac = (secret: string) => createHmac('sha512', secret).update(body).digest('hex')
  if (how === 'missing') return { body, signature: null }
  if (how === 'wrong') return { body, signature: hmac(`${key}-but-not-quite`) }
  // Simulates tampering: a higher amount with the signature of the original body.
  if (how === 'altered_body') return { body: body.replace(/"amount":/, '"amount":9'), signature: hmac(key) }
  return { body, signature: hmac(key) }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}
