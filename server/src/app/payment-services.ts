import type { Logger } from 'pino'
import { createOxapay } from '../adapters/oxapay.ts'
import type { Alerts } from '../features/identity/alerts/service.ts'
import type { AttemptLimits } from '../features/identity/attempts/service.ts'
import { createAudit } from '../features/identity/audit/service.ts'
import { createBalances, type FindChargedCalls } from '../features/money/balances/service.ts'
import type { Ledger } from '../features/money/ledger/service.ts'
import { createPaymentAdministration } from '../features/money/payments/administration.ts'
import { createBooking } from '../features/money/payments/booking.ts'
import { createPaymentAlerts } from '../features/money/payments/payment-alerts.ts'
import { createReconciler } from '../features/money/payments/reconciler.ts'
import { createRefunds } from '../features/money/payments/refunds.ts'
import { createReports } from '../features/money/payments/reports.ts'
import { createReviews } from '../features/money/payments/reviews.ts'
import { createPayments } from '../features/money/payments/service.ts'
import { createPromoCodeAdministration } from '../features/money/promo-codes/administration.ts'
import { createPromoCodes } from '../features/money/promo-codes/service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Exports } from '../platform/csv.ts'
import type { Database } from '../platform/database.ts'
import type { PaymentProvider } from '../platform/payment-provider.ts'
import type { Config } from './config.ts'

type Shared = {
  db: Database
  clock: Clock
  logger: Logger
  ledger: Ledger
  attempts: AttemptLimits
  exports: Exports
  alerts: Alerts
  findChargedCalls: FindChargedCalls
}

type PaymentConfig = Pick<Config, 'publicUrl' | 'site' | 'oxapay' | 'promoRedemptionsPerAddress'>

function oxapayOf({ publicUrl, oxapay: { isUpgradeTrial: _, ...settings } }: PaymentConfig): PaymentProvider {
  return createOxapay({ ...settings, callbackUrl: `${publicUrl}/api/payments/callback` })
}

/** Wires payments, refunds, adjustments and promo codes. */
export function createPaymentServices(
  config: PaymentConfig,
  shared: Shared,
  provider: PaymentProvider = oxapayOf(config),
) {
  const { db, clock, logger, ledger, attempts, exports } = shared
  const alerts = createPaymentAlerts(shared.alerts)
  const { isUpgradeTrial } = config.oxapay
  const audit = createAudit(db, clock, exports)
  const promoCodes = createPromoCodes({
    db,
    clock,
    ledger,
    attempts,
    alerts: shared.alerts,
    redemptionsPerAddress: config.promoRedemptionsPerAddress,
  })
  const book = createBooking(ledger, promoCodes, alerts)
  const reports = createReports({ db, clock, book, promoCodes, alerts })
  const payments = createPayments({
    db,
    clock,
    provider,
    promoCodes,
    reports,
    attempts,
    isUpgradeTrial,
    publicUrl: config.publicUrl,
    siteName: config.site.name,
  })
  return {
    audit,
    promoCodes,
    promoCodeAdministration: createPromoCodeAdministration(db, clock, audit),
    payments,
    reconciler: createReconciler({ db, clock, provider, reports, payments, logger }),
    paymentAdministration: createPaymentAdministration({ db, clock, ledger, exports }),
    refunds: createRefunds({ db, clock, ledger, audit }),
    reviews: createReviews({ db, clock, ledger, book, promoCodes, audit, alerts }),
    balances: createBalances({ db, ledger, audit, exports, findChargedCalls: shared.findChargedCalls }),
  }
}
