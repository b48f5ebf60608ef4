import { system } from '@trunkline/domain/access'
import { type Database, isTimeout } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import { addQueued } from './store.ts'

export const addCallFigures = defineJob<Record<string, never>>('add-call-figures')

/** Records per transaction. On a very busy machine a batch can take minutes. */
const BATCH = 20_000

export type CallFigures = {
  /** Adds all queued records, if no other process is doing so. */
  addQueued(): Promise<void>
  /** Adds one batch, unless that takes too long. */
  addSomeQueued(): Promise<void>
}

/** Keeps the figures of the analysis up to date: the worker every minute, and every reader before it reads. */
export function createCallFigures(db: Database): CallFigures {
  const addBatch = (isPatient: boolean) =>
    addQueued(db, system('figures of all calls'), { most: BATCH, isPatient })
  return {
    async addQueued() {
      while ((await addBatch(true)) === BATCH);
    },
    async addSomeQueued() {
      try {
        await addBatch(false)
      } catch (error) {
        if (!isTimeout(error)) throw error
      }
    },
  }
}
