import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import {
  add,
  formatDollars,
  larger,
  type Micros,
  micros,
  smaller,
  subtract,
  toWireNumber,
  ZERO,
} from '@trunkline/domain/money'
import { decideRefund, refundLimit } from '@trunkline/domain/payments'
import { microsOf } from '../../../platform/amounts.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, isDuplicate } from '../../../platform/database.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { type Ledger, orRefuse } from '../ledger/service.ts'
import { insertEvent } from './history-store.ts'
import type { InvoiceRow } from './invoice-row.ts'
import { findRefundByRequest, insertRefund, REFUND_REQUEST_INDEX, type RefundRow } from './refunds-store.ts'
import { findPayment, lockInvoice, updateInvoice } from './store.ts'
import { viewAdminPayment, viewRefund } from './view.ts'

export type Refunds = ReturnType<typeof createRefunds>

type Deps = { db: Database; clock: Clock; ledger: Ledger; audit: Audit }

type RefundRequest = {
  amount?: number | undefined
  to: 'balance' | 'paid_out'
  reference?: string | undefined
  reason: string
  request_key: string
}

/**
 * Full and partial refunds. The lock of the invoice and a database constraint limit them to the paid amount. External refunds are also
 * limited to the received amount.
 */
export function createRefunds({ db, clock, ledger, audit }: Deps) {
  return {
    async refund(
      caller: Caller,
      invoiceId: number,
      request: RefundRequest,
    ): Promise<AnswerOf<'POST /api/admin/payments/:id/refunds'>> {
      try {
        return await db.transaction().execute((tx) => refund(tx, caller, invoiceId, request))
      } catch (error) {
        // A concurrent refund of another payment used the same key.
        if (isDuplicate(error, REFUND_REQUEST_INDEX)) throw new Refusal('key_conflict')
        throw error
      }
    },
  }

  async function refund(tx: Database, caller: Caller, invoiceId: number, request: RefundRequest) {
    const owner = everyonesData(caller)
    const invoice = await lockInvoice(tx, owner, invoiceId)
    if (!invoice) throw new Refusal('not_found', ownMessages.paymentNotFound)
    const before = await findRefundByRequest(tx, owner, request.request_key)
    if (!before) await carryOut(tx, caller, invoice, request)
    else if (!isSame(before, invoiceId, request)) throw new Refusal('key_conflict')
    const done = before ?? (await findRefundByRequest(tx, owner, request.request_key))
    const payment = await findPayment(tx, owner, invoiceId)
    if (!done || !payment) throw new Error(`refund of payment ${invoiceId} not found after insert`)
    return { refund: viewRefund(done), payment: viewAdminPayment(payment, clock.now()) }
  }

  async function carryOut(tx: Database, caller: Caller, invoice: InvoiceRow, request: RefundRequest) {
    const owner = everyonesData(caller)
    const now = clock.now()
    const { id, user_id: userId } = invoice
    const refunded = micros(invoice.refunded_micros)
    const amountMicros = amountOf(invoice, request)
    const after = add(refunded, amountMicros)
    await updateInvoice(tx, owner, id, { refunded_micros: after })
    await insertRefund(tx, {
      invoice_id: id,
      user_id: userId,
      amount_micros: amountMicros,
      destination: request.to,
      reference: request.reference ?? null,
      reason: request.reason,
      was_whole: request.amount === undefined,
      request_key: request.request_key,
      created_by: caller.userId,
      created_at: now,
    })
    const where = request.to === 'balance' ? 'to the balance' : `paid out, ${request.reference}`
    const outcome = [`refunded ${formatDollars(amountMicros)} ${where}`]
    const event = { invoiceId: id, source: 'admin' as const, outcome, actorId: caller.userId }
    await insertEvent(tx, { ...event, note: request.reason }, now)
    await audit.write(tx, caller, {
      action: 'payment.refund',
      subject: `payment ${id}`,
      userId,
      before: { refunded: toWireNumber(refunded) },
      after: {
        refunded: toWireNumber(after),
        amount: toWireNumber(amountMicros),
        to: request.to,
        reference: request.reference ?? null,
      },
      reason: request.reason,
    })
    await post(tx, caller, invoice, request, amountMicros)
  }

  async function post(
    tx: Database,
    caller: Caller,
    invoice: InvoiceRow,
    request: RefundRequest,
    amountMicros: Micros,
  ): Promise<void> {
    const move = ledger.within(tx)
    const key = refundKey(request.request_key)
    const common = { userId: invoice.user_id, reference: invoice.order_id }
    if (request.to === 'balance') {
      const command = { kind: 'refund_to_balance', key, amountMicros, ...common } as const
      orRefuse(await move.post(everyonesData(caller), command, caller.userId))
      return
    }
    const parts = [
      { takenFrom: 'house', key: ofHouse(key), amountMicros: partOfHouse(invoice, amountMicros) },
      {
        takenFrom: 'balance',
        key,
        amountMicros: subtract(amountMicros, partOfHouse(invoice, amountMicros)),
      },
    ] as const
    for (const part of parts.filter((one) => one.amountMicros > ZERO)) {
      const command = { kind: 'refund_paid_out', ...part, ...common } as const
      orRefuse(await move.post(everyonesData(caller), command, caller.userId))
    }
  }
}

const refundKey = (requestKey: string): string => `refund:${requestKey}`
const ofHouse = (key: string): string => `${key}:house`

/** All possible ledger keys of a refund. */
export const refundKeys = ({ request_key }: RefundRow): string[] => {
  const key = refundKey(request_key)
  return [key, ofHouse(key)]
}

/** The part that was never credited to the balance, such as the price of an upgrade. The rest is debited from the balance. */
function partOfHouse(invoice: InvoiceRow, amountMicros: Micros): Micros {
  const kept = invoice.paid_micros - invoice.credited_micros - invoice.refunded_micros
  return smaller(amountMicros, larger(micros(kept), ZERO))
}

function amountOf(invoice: InvoiceRow, { amount, to }: Pick<RefundRequest, 'amount' | 'to'>): Micros {
  const paid = micros(invoice.paid_micros)
  const received = invoice.received_micros === null ? null : micros(invoice.received_micros)
  const refunded = micros(invoice.refunded_micros)
  if (paid === ZERO) throw new Refusal('nothing_paid')
  const limit = refundLimit(paid, received, to)
  const amountMicros = amount === undefined ? subtract(limit, refunded) : microsOf(amount)
  const decision = decideRefund(limit, refunded, amountMicros)
  if (!decision.ok) {
    const left = `At most ${formatDollars(decision.leftMicros)} is left.`
    throw new Refusal('more_than_was_paid', `${ownMessages.moreThanWasPaid} ${left}`)
  }
  return amountMicros
}

const isSame = (before: RefundRow, invoiceId: number, request: RefundRequest): boolean =>
  before.invoice_id === invoiceId &&
  before.destination === request.to &&
  before.reference === (request.reference ?? null) &&
  before.reason === request.reason &&
  (request.amount === undefined
    ? before.was_whole
    : !before.was_whole && before.amount_micros === microsOf(request.amount))
