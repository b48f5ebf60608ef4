import { expect, it } from 'vitest'
import { createPortal } from '../../test/portal.ts'
import { defineJob } from '../platform/jobs.ts'
import { startWorker } from './worker.ts'

const archiveMonths = defineJob<Record<string, never>>('archive-months')

it('finishes a job to archive months that was scheduled before RETENTION_MONTHS was removed', async () => {
  const { services } = await createPortal()
  const { jobs } = services
  await jobs.send(archiveMonths, {})
  const count = async () => (await jobs.waiting()).find(({ job }) => job === 'archive-months')?.count
  expect(await count()).toBe(1)
  await startWorker(services)
  await expect.poll(count).toBe(0)
})
