import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { openJsonLines } from '../shared/json-lines.ts'
import { type Callback, Callbacks } from './callbacks.ts'
import { ProviderClock } from './clock.ts'
import { Faults } from './faults.ts'
import type { HandAction, Invoice, InvoiceRequest, Status, Step } from './invoice.ts'
import * as steps from './invoice.ts'

interface ProviderOptions {
  folder: string
  merchantKey: string
  retrySeconds: number[]
  callbackTimeoutMs: number
}

/** The file holds complete states: the last line about an invoice or callback is the current one. */
type JournalRecord =
  | { kind: 'invoice'; invoice: Invoice }
  | { kind: 'callback'; callback: Callback }
  | { kind: 'clock'; offsetMs: number }

/** Invoices, their payments and pending callbacks. */
export class Provider {
  readonly faults = new Faults()
  readonly clock: ProviderClock
  readonly callbacks: Callbacks
  readonly #invoices = new Map<string, Invoice>()
  readonly #append: (record: JournalRecord) => void

  constructor({ folder, merchantKey, retrySeconds, callbackTimeoutMs }: ProviderOptions) {
    const { file, records } = openJsonLines<JournalRecord>(join(folder, 'provider.jsonl'))
    const pending = new Map<string, Callback>()
    let offsetMs = 0
    for (const record of records) {
      if (record.kind === 'invoice') this.#invoices.set(record.invoice.track_id, record.invoice)
      if (record.kind === 'callback') pending.set(record.callback.id, record.callback)
      if (record.kind === 'clock') offsetMs = record.offsetMs
    }
    const unsent = [...pending.values()].filter((callback) => callback.state === 'pending')
    file.rewrite([
      { kind: 'clock', offsetMs },
      ...[...this.#invoices.values()].map((invoice) => ({ kind: 'invoice' as const, invoice })),
      ...unsent.map((callback) => ({ kind: 'callback' as const, callback })),
    ])

    this.#append = (record) => file.append(record)
    this.clock = new ProviderClock(offsetMs)
    this.callbacks = new Callbacks({
      clock: this.clock,
      faults: this.faults,
      merchantKey,
      retrySeconds,
      timeoutMs: callbackTimeoutMs,
      save: (callback) => this.#append({ kind: 'callback', callback }),
    })
    // Pending callbacks first, then the tasks that became due during the downtime.
    this.callbacks.resume(unsent)
    for (const invoice of [...this.#invoices.values()]) this.#watch(invoice)
  }

  /** Newest first. */
  list(): Invoice[] {
    return [...this.#invoices.values()].toReversed()
  }

  get(trackId: string): Invoice | undefined {
    return this.#invoices.get(trackId)
  }

  create(request: InvoiceRequest): Invoice {
    const now = this.clock.now()
    const invoice: Invoice = {
      track_id: this.#newTrackId(),
      createdAt: now,
      expiresAt: now + request.lifetime * 60_000,
      status: 'new',
      request,
      payments: [],
    }
    this.#keep(invoice)
    this.#watch(invoice)
    return invoice
  }

  openPage(invoice: Invoice): Invoice {
    return this.#carryOut([steps.openPage(invoice)])
  }

  /** Default amount: the remaining amount, plus the fee if the payer pays it. */
  pay(invoice: Invoice, amount?: number): Invoice {
    const { confirmation_seconds, payer_fee_percent } = this.faults.state
    const fee = invoice.request.fee_paid_by_payer === 1 ? payer_fee_percent / 100 : 0
    const valueMicros =
      amount === undefined ? Math.round(steps.remainingMicros(invoice) * (1 + fee)) : steps.toMicros(amount)
    const now = this.clock.now()
    const tx_hash = `sandbox-${randomBytes(24).toString('hex')}`
    const confirmsAt = now + confirmation_seconds * 1000
    const received = steps.receive(invoice, { tx_hash, valueMicros, at: now, confirmsAt, isConfirmed: false })
    if (confirmation_seconds === 0)
      return this.#carryOut([received, steps.confirm(received.invoice, tx_hash)])
    const paying = this.#carryOut([received])
    this.#watch(paying)
    return paying
  }

  expire(invoice: Invoice): Invoice {
    return this.#carryOut([steps.expire(invoice, this.clock.now())])
  }

  act(invoice: Invoice, action: HandAction): Invoice {
    return this.#carryOut([steps.act(invoice, action)])
  }

  /** Sends a validly signed callback with any status, to simulate a late or repeated one. */
  tell(invoice: Invoice, status: Status): void {
    this.callbacks.announce([{ invoice, status }])
  }

  async advance(seconds: number): Promise<void> {
    await this.clock.advance(seconds, () => this.callbacks.settled())
    this.#append({ kind: 'clock', offsetMs: this.clock.offsetMs })
  }

  stop(): void {
    this.clock.stop()
    this.callbacks.stop()
  }

  #carryOut(taken: Step[]): Invoice {
    const last = taken.at(-1)
    if (!last) throw new Error('no outcome to apply')
    const before = this.#invoices.get(last.invoice.track_id)
    if (JSON.stringify(before) !== JSON.stringify(last.invoice)) this.#keep(last.invoice)
    this.callbacks.announce(
      taken.flatMap(({ invoice, announce }) => (announce ? [{ invoice, status: announce }] : [])),
    )
    return last.invoice
  }

  #keep(invoice: Invoice): void {
    this.#append({ kind: 'invoice', invoice })
    this.#invoices.set(invoice.track_id, invoice)
  }

  /** Schedules the expiry of an invoice and the confirmation of its payments. */
  #watch(invoice: Invoice): void {
    const current = (step: (invoice: Invoice) => Step) => () => {
      const now = this.#invoices.get(invoice.track_id)
      if (now) this.#carryOut([step(now)])
    }
    if (invoice.status === 'new' || invoice.status === 'waiting') {
      this.clock.at(
        invoice.expiresAt,
        current((now) => steps.expire(now, this.clock.now())),
      )
    }
    for (const { isConfirmed, confirmsAt, tx_hash } of invoice.payments) {
      if (!isConfirmed)
        this.clock.at(
          confirmsAt,
          current((now) => steps.confirm(now, tx_hash)),
        )
    }
  }

  #newTrackId(): string {
    for (;;) {
      const trackId = String(randomInt(100_000_000, 1_000_000_000))
      if (!this.#invoices.has(trackId)) return trackId
    }
  }
}
