import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createPortal } from '../../test/portal.ts'
import { defineJob } from '../platform/jobs.ts'
import { startWorker } from './worker.ts'

const archiveMonths = defineJob<Record<string, never>>('archive-months')

it('leaves the job to archive months to workers that have RETENTION_MONTHS, and lets no other one wait', async () => {
  const { services } = await createPortal()
  const { jobs } = services
  await jobs.send(archiveMonths, {})
  const count = async () => (await jobs.waiting()).find(({ job }) => job === 'archive-months')?.count
  expect(await count()).toBe(1)
  await startWorker(services)
  const rows = async () =>
    (await sql`select state::text from pgboss.job where name = 'archive-months'`.execute(services.db)).rows
  await expect.poll(rows).toEqual([{ state: 'retry' }])
  expect(await count()).toBe(0)
})
