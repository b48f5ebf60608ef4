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
  /** Ledger key, which makes booking idempotent. */
  key: string
  /** The full amount of the invoice. Only this buys the upgrade or credits the reserved bonus. */
  isWhole: boolean
  by: number | null
  now: Date
}

/** Books received money for an invoice in the caller's transaction, which locks the invoice. */
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
    // Last step, because the account stays locked until the end of the transaction.
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
