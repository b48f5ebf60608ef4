import { pino } from 'pino'
import { createRenewals } from '../src/features/catalogue/numbers/renewals.ts'
import { createAlerts } from '../src/features/identity/alerts/service.ts'
import { createLedger } from '../src/features/money/ledger/service.ts'
import type { Clock } from '../src/platform/clock.ts'
import type { Database } from '../src/platform/database.ts'
import type { Jobs } from '../src/platform/jobs.ts'

/** Renewals of a worker that sends no mail. */
export const createTestRenewals = (db: Database, clock: Clock, jobs: Jobs, level: 'error' | 'silent') =>
  createRenewals({
    db,
    clock,
    logger: pino({ level }),
    ledger: createLedger(db, clock),
    alerts: createAlerts(db, clock),
    jobs,
    mailer: { send: async () => {} },
    publicUrl: 'http://localhost',
    siteName: 'Trunkline',
  })
