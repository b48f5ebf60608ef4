import { expect, it } from 'vitest'
import { ask, createTestDatabase } from '../../test/database.ts'
import { atEnd } from '../../test/lifetime.ts'
import { defineJob, openJobs } from './jobs.ts'

const long = defineJob<object>('long')

it('does not start a long job again beside itself, also in the queue of an earlier release', async () => {
  const { url } = await createTestDatabase()
  const open = async () => {
    const jobs = await openJobs(url, () => {})
    atEnd(() => jobs.close())
    await jobs.send(long, {})
  }
  const expiry = () => ask(url, "select expire_seconds from pgboss.queue where name = 'long'")
  await open()
  expect(await expiry()).toEqual([{ expire_seconds: 82_800 }])
  await ask(url, "update pgboss.queue set expire_seconds = 900 where name = 'long'")
  await open()
  expect(await expiry()).toEqual([{ expire_seconds: 82_800 }])
})
