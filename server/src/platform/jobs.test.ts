import { expect, it } from 'vitest'
import { ask, createTestDatabase } from '../../test/database.ts'
import { atEnd } from '../../test/lifetime.ts'
import { defineJob, openJobs } from './jobs.ts'

const long = defineJob<object>('long')

it('restarts the job of a killed worker, but not a long one beside itself, also in the queue of an earlier release', async () => {
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
