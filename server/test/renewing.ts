import { openDatabase } from '../src/platform/database.ts'
import { openJobs } from '../src/platform/jobs.ts'
import { createTestRenewals } from './renewals.ts'

/** A process that renews numbers at the time of each message, and then says so. Its parent kills it. */

const [url = ''] = process.argv.slice(2)
let now = new Date(0)
const clock = { now: () => now }
const db = openDatabase({ url, poolSize: 2, onError: () => {} })
const jobs = await openJobs(url, () => {}, { isWorker: false })
const renewals = createTestRenewals(db, clock, jobs, 'error')
process.on('disconnect', () => process.exit())
process.on('message', async (at: number) => {
  now = new Date(at)
  await renewals.run()
  process.send?.('renewed')
})
process.send?.('ready')
