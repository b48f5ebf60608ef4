import { system } from '@trunkline/domain/access'
import { add, type Micros, micros, ZERO } from '@trunkline/domain/money'
import { creditKind } from '@trunkline/domain/payments'
import type { Database } from '../../../platform/database.ts'
import { type Ledger, orRefuse } from '../ledger/service.ts'
import type { PromoCodes } from '../promo-codes/service.ts'
import type { InvoiceChange, InvoiceRow } from './invoice-row.ts'
import type { PaymentAlerts } from './payment-alerts.ts'
import { addToTotals, becomePremium } from './store.ts'

export type Booking = ReturnType<typeof createBooking>

type Arrived = {
  amountMicros: Micros
  /** The ledger key: booked twice under it is booked once. */
  key: string
  /** It is the invoice's own amount, in full: it buys what was ordered and brings the promised bonus. */
  isWhole: boolean
  by: number | null
  now: Date
}

/** Books money that arrived for an invoice. The caller's transaction holds the invoice's lock and commits it all. */
export function createBooking(ledger: Ledger, promoCodes: PromoCodes, alerts: PaymentAlerts) {
  const owner = system('payments')

  return async (
    tx: Database,
    invoice: InvoiceRow,
    { amountMicros, key, isWhole, by, now }: Arrived,
  ): Promise<{ change: InvoiceChange; bonusMicros: Micros; isPremiumBought: boolean }> => {
    const { id, user_id: userId, kind, order_id: reference } = invoice
    const isUpgrade = kind === 'upgrade' && isWhole
    const posted = isUpgrade ? creditKind(kind, !(await becomePremium(tx, userId))) : 'top_up'
    await addToTotals(tx, id, { micros: amountMicros, payments: invoice.is_credited ? 0 : 1 })
    // The account is locked from here to the end of the transaction, so this comes last.
    orRefuse(await ledger.within(tx).post(owner, { kind: posted, key, userId, amountMicros, reference }, by))
    const bonusMicros = isWhole ? await promoCodes.payOut(tx, userId, id) : ZERO
    if (posted === 'top_up')
      await alerts.credited(tx, { subject: `payment:${id}`, userId, amountMicros, reference })
    const toBalance = posted === 'top_up' ? add(amountMicros, bonusMicros) : ZERO
    return {
      bonusMicros,
      isPremiumBought: posted === 'upgrade_purchase',
      change: {
        is_credited: true,
        paid_micros: add(micros(invoice.paid_micros), amountMicros),
        credited_micros: add(micros(invoice.credited_micros), toBalance),
        paid_at: invoice.paid_at ?? now,
      },
    }
  }
}
