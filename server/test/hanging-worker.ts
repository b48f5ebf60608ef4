import { defineJob, openJobs } from '../src/platform/jobs.ts'

/** A worker that begins a job, says so and never ends it. Its parent kills it. */

const [url = ''] = process.argv.slice(2)
const jobs = await openJobs(url, () => {})
process.on('disconnect', () => process.exit())
await jobs.work(defineJob('long'), () => {
  process.send?.('begun')
  return new Promise<void>(() => {})
})
