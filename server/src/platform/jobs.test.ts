import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { expect, it } from 'vitest'
import { ask, createTestDatabase } from '../../test/database.ts'
import { atEnd } from '../../test/lifetime.ts'
import { defineJob, openJobs } from './jobs.ts'

const long = defineJob<object>('long')

it('limits the time of a job, and of the silence of its worker, also in the queue of an earlier release', async () => {
  const { url } = await createTestDatabase()
  const open = async () => {
    const jobs = await openJobs(url, () => {})
    atEnd(() => jobs.close())
    await jobs.send(long, {})
  }
  const limits = () =>
    ask(url, "select expire_seconds, heartbeat_seconds from pgboss.queue where name = 'long'")
  await open()
  expect(await limits()).toEqual([{ expire_seconds: 82_800, heartbeat_seconds: 300 }])
  await ask(url, "update pgboss.queue set expire_seconds = 900, heartbeat_seconds = null where name = 'long'")
  await open()
  expect(await limits()).toEqual([{ expire_seconds: 82_800, heartbeat_seconds: 300 }])
})

it('restarts the job of a killed worker, but not a long one beside itself', async () => {
  const { url } = await createTestDatabase()
  const child = fork(join(import.meta.dirname, '../../test/hanging-worker.ts'), [url])
  atEnd(async () => void child.kill('SIGKILL'))
  const begun = once(child, 'message')
  const jobs = await openJobs(url, () => {}, { isWorker: false })
  atEnd(() => jobs.close())
  await jobs.send(long, {})
  await begun
  /** Runs the maintenance of a worker as if this much time had passed. */
  const maintainAfter = async (interval: string) => {
    await ask(
      url,
      `update pgboss.job set started_on = started_on - interval '${interval}', heartbeat_on = heartbeat_on - interval '${interval}'
        where name = 'long'`,
    )
    await ask(url, 'update pgboss.queue set monitor_claim_on = null')
    await boss.supervise()
  }
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false })
  await boss.start()
  atEnd(() => boss.stop())
  const stateOf = () => ask(url, "select state::text, retry_count from pgboss.job where name = 'long'")

  await maintainAfter('4 minutes')
  expect(await stateOf()).toEqual([{ state: 'active', retry_count: 0 }])
  child.kill('SIGKILL')
  await once(child, 'exit')
  await maintainAfter('2 minutes')
  expect(await stateOf()).toEqual([{ state: 'retry', retry_count: 0 }])
})
