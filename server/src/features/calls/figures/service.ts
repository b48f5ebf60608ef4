import { system } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import { addQueued } from './store.ts'

export const addCallFigures = defineJob<Record<string, never>>('add-call-figures')

/** Records per transaction. */
const BATCH = 20_000

export type CallFigures = {
  /** Adds all queued records, if no other process is doing so. */
  addQueued(): Promise<void>
  /** Adds one batch, so that a reader does not wait long. */
  addSomeQueued(): Promise<void>
}

/** Keeps the figures of the analysis up to date: the worker every minute, and every reader before it reads. */
export function createCallFigures(db: Database): CallFigures {
  const addBatch = () => addQueued(db, system('figures of all calls'), BATCH)
  return {
    async addQueued() {
      while ((await addBatch()) === BATCH);
    },
    async addSomeQueued() {
      await addBatch()
    },
  }
}
