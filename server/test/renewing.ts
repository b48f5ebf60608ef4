import { pino } from 'pino'
import { createRenewals } from '../src/features/catalogue/numbers/renewals.ts'
import { createAlerts } from '../src/features/identity/alerts/service.ts'
import { createLedger } from '../src/features/money/ledger/service.ts'
import { openDatabase } from '../src/platform/database.ts'
import { openJobs } from '../src/platform/jobs.ts'

/** A process that renews numbers at the time of each message, and then says so. Its parent kills it. */

const [url = ''] = process.argv.slice(2)
let now = new Date(0)
const clock = { now: () => now }
const db = openDatabase({ url, poolSize: 2, onError: () => {} })
const jobs = await openJobs(url, () => {}, { isWorker: false })
const renewals = createRenewals({
  db,
  clock,
  logger: pino({ level: 'error' }),
  ledger: createLedger(db, clock),
  alerts: createAlerts(db, clock),
  jobs,
  mailer: { send: async () => {} },
  publicUrl: 'http://localhost',
  siteName: 'Trunkline',
})
process.on('disconnect', () => process.exit())
process.on('message', async (at: number) => {
  now = new Date(at)
  await renewals.run()
  process.send?.('renewed')
})
process.send?.('ready')
