import { Refusal } from '@trunkline/contract/errors'
import { UPGRADE_PRICE_DOLLARS } from '@trunkline/contract/limits'
import { messages, ownMessages, paymentError } from '@trunkline/contract/messages'
import type { Payment } from '@trunkline/contract/payments'
import { type Caller, type Owner, ownDataOf, system } from '@trunkline/domain/access'
import { formatDollars, type Micros } from '@trunkline/domain/money'
import { microsOf } from '../../../platform/amounts.ts'
import { type Clock, HOUR, later } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import type { Creation, PaymentProvider } from '../../../platform/payment-provider.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { AttemptLimits } from '../../identity/attempts/service.ts'
import { mailboxOf } from '../../identity/users/mailbox.ts'
import { findUserById } from '../../identity/users/store.ts'
import type { PromoCodes } from '../promo-codes/service.ts'
import { insertEvent } from './history-store.ts'
import type { InvoiceChange } from './invoice-row.ts'
import { FIRST_POLL_AFTER, nextPollAt } from './polling.ts'
import type { Reports } from './reports.ts'
import { findPayment, insertInvoice, isMerged, listPayments, lockInvoice, updateInvoice } from './store.ts'
import { viewPayment } from './view.ts'

export type Payments = ReturnType<typeof createPayments>

type Deps = {
  db: Database
  clock: Clock
  provider: PaymentProvider
  promoCodes: PromoCodes
  reports: Reports
  attempts: AttemptLimits
  publicUrl: string
  siteName: string
  /** Uses the provider's test mode for upgrades; see OXAPAY_TRIAL_UPGRADES. */
  isUpgradeTrial: boolean
}

/** Rate limit per user. Each payment creates an invoice at the provider. */
const BEGUN_PER_HOUR = 60

type Begin = { kind: 'topup' | 'upgrade'; amountMicros: Micros; promoCode?: string | undefined }
type Begun = { payment_url: string; invoice: Payment }

export function createPayments(deps: Deps) {
  const { db, clock, provider, promoCodes, reports, attempts } = deps
  const { publicUrl, siteName, isUpgradeTrial } = deps
  const systemOwner = system('payments')

  /** Stores the invoice first, then sends one request. The reconciler handles crashes and timeouts in between. */
  async function begin(caller: Caller, wanted: Begin): Promise<Begun> {
    const owner = ownDataOf(caller)
    const limit = { key: `pay ${caller.userId}`, max: BEGUN_PER_HOUR, windowMs: HOUR }
    await attempts.require([limit], ownMessages.paymentUnderWay)
    const user = requireFound(await findUserById(db, owner, caller.userId))
    if (wanted.kind === 'upgrade' && user.is_premium) throw new Refusal('already_premium')
    const { id, orderId } = await db.transaction().execute((tx) => write(tx, caller.userId, wanted))
    const creation = await provider.createInvoice({
      orderId,
      amountMicros: wanted.amountMicros,
      email: mailboxOf(user) ?? '',
      returnUrl: `${publicUrl}/dashboard/${wanted.kind}?success=1&invoice=${id}`,
      ...wordsFor(wanted, siteName),
      isSandbox: wanted.kind === 'upgrade' && isUpgradeTrial,
    })
    await db.transaction().execute((tx) => noteCreation(tx, owner, id, creation))
    if (creation.outcome !== 'made') throw refusalFor(creation)
    return { payment_url: creation.paymentUrl, invoice: await get(owner, id) }
  }

  async function write(tx: Database, userId: number, wanted: Begin) {
    const { kind, amountMicros, promoCode } = wanted
    if (await isMerged(tx, userId)) throw new Refusal('merged_account')
    const now = clock.now()
    const firstPollAt = later(now, FIRST_POLL_AFTER)
    for (let moment = now.getTime(); ; moment++) {
      const orderId = kind === 'topup' ? `ORD-${userId}-${moment}` : `UPGRADE-${moment}`
      const row = await insertInvoice(tx, { userId, kind, orderId, amountMicros, firstPollAt }, now)
      if (!row) continue
      if (promoCode) await promoCodes.reserve(tx, { userId, invoiceId: row.id, amountMicros }, promoCode)
      await insertEvent(tx, { invoiceId: row.id, source: 'us', outcome: ['begun'] }, now)
      return { id: row.id, orderId }
    }
  }

  /** A callback can arrive before the answer. Its data takes precedence. */
  async function noteCreation(tx: Database, owner: Owner, id: number, creation: Creation): Promise<void> {
    const now = clock.now()
    const row = await lockInvoice(tx, owner, id)
    if (!row) throw new Error(`invoice ${id} not found`)
    const { learnt, state, outcome, note } = judge(creation)
    const isFirst = row.state === 'creating' || row.state === 'unknown'
    const next = isFirst ? state : row.state
    await updateInvoice(tx, owner, id, {
      ...learnt,
      state: next,
      next_poll_at: next === 'unknown' ? now : nextPollAt(next, row.created_at, now),
    })
    if (next === 'failed') await promoCodes.release(tx, id)
    await insertEvent(tx, { invoiceId: id, source: 'us', outcome: [outcome], note }, now)
  }

  async function get(owner: Owner, id: number): Promise<Payment> {
    const row = await findPayment(db, owner, id)
    if (!row) throw new Refusal('not_found', ownMessages.paymentNotFound)
    return viewPayment(row, clock.now())
  }

  return {
    topUp: (caller: Caller, amount: number, promoCode: string | undefined): Promise<Begun> =>
      begin(caller, { kind: 'topup', amountMicros: microsOf(amount), promoCode }),

    upgrade: (caller: Caller): Promise<Begun> =>
      begin(caller, { kind: 'upgrade', amountMicros: microsOf(UPGRADE_PRICE_DOLLARS) }),

    get: (caller: Caller, id: number): Promise<Payment> => get(ownDataOf(caller), id),

    async list(caller: Caller, { before, limit }: { before?: number | undefined; limit: number }) {
      const rows = await listPayments(db, ownDataOf(caller), {}, { before, limit: limit + 1 })
      const { shown, next } = pageOf(rows, limit, ({ id }) => id)
      return { payments: shown.map((row) => viewPayment(row, clock.now())), next }
    },

    /** Resolves after the commit, so `ok` confirms it. */
    async handleCallback(raw: Uint8Array, signature: string | undefined): Promise<void> {
      const read = provider.readCallback(raw, signature)
      if (read.outcome === 'forged') throw new Refusal('signature_invalid')
      if (read.outcome === 'unreadable') throw new Refusal('invalid_input')
      await reports.take(read.report, 'callback')
    },

    /** Marks an invoice that the provider does not know as failed. */
    giveUp: (id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const row = await lockInvoice(tx, systemOwner, id)
        if (!row || row.track_id !== null || !['creating', 'unknown'].includes(row.state)) return
        await updateInvoice(tx, systemOwner, id, { state: 'failed', next_poll_at: null })
        await promoCodes.release(tx, id)
        const note = 'the provider does not know it'
        await insertEvent(tx, { invoiceId: id, source: 'us', outcome: ['now failed'], note }, clock.now())
      }),
  }
}

/** Maps the provider's answer to a change of the invoice. */
function judge(creation: Creation): {
  learnt: InvoiceChange
  state: 'waiting' | 'unknown' | 'failed'
  outcome: string
  note: string | null
} {
  switch (creation.outcome) {
    case 'made': {
      const { trackId, paymentUrl, expiresAt } = creation
      const learnt = { track_id: trackId, payment_url: paymentUrl, expires_at: expiresAt }
      return { learnt, state: 'waiting', outcome: 'now waiting', note: null }
    }
    case 'no_url':
      return creation.trackId === null
        ? { learnt: {}, state: 'unknown', outcome: 'now unknown', note: creation.message }
        : {
            learnt: { track_id: creation.trackId },
            state: 'waiting',
            outcome: 'now waiting, without a payment page',
            note: creation.message,
          }
    case 'refused':
      return creation.isFinal
        ? { learnt: {}, state: 'failed', outcome: 'now failed', note: creation.error }
        : { learnt: {}, state: 'unknown', outcome: 'now unknown', note: creation.error }
    case 'unknown':
      return { learnt: {}, state: 'unknown', outcome: 'now unknown', note: creation.why }
  }
}

/** The three messages of the specification. */
function refusalFor(creation: Exclude<Creation, { outcome: 'made' }>): Refusal {
  switch (creation.outcome) {
    case 'refused':
      return new Refusal('payment_refused', paymentError(creation.error))
    case 'no_url':
      return new Refusal('payment_refused', creation.message ?? messages.invoiceFailed)
    case 'unknown':
      return new Refusal('payment_not_begun')
  }
}

const wordsFor = ({ kind, amountMicros }: Begin, siteName: string) =>
  kind === 'topup'
    ? {
        description: `${siteName}: top-up of ${formatDollars(amountMicros)}`,
        thanksMessage: 'Thank you. Your balance is topped up as soon as the payment is confirmed.',
      }
    : {
        description: `${siteName}: upgrade to premium`,
        thanksMessage: 'Thank you. Your account becomes premium as soon as the payment is confirmed.',
      }
