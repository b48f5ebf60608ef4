import { system } from '@trunkline/domain/access'
import type { FlowLogEntry } from '@trunkline/domain/flows'
import { SECOND } from '../../../platform/clock.ts'
import { type Database, isDatabaseUnavailable } from '../../../platform/database.ts'
import { every } from '../../../platform/every.ts'
import { insertSteps, type StepRow } from './calls-store.ts'

export type StepLog = ReturnType<typeof createStepLog>

/** Keeps at most this many entries while the database is away. */
const MAX_WAITING = 50_000

/** Writes the replay of all calls of this process, in batches. */
export function createStepLog(db: Database, onError: (error: unknown) => void) {
  let waiting: StepRow[] = []
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const rows = waiting
    if (rows.length === 0) return
    waiting = []
    try {
      await insertSteps(db, system('steps of flows'), rows)
    } catch (error) {
      if (isDatabaseUnavailable(error)) keep(rows, error)
      else await writeEachCall(rows)
    }
  }

  /** A rejected entry costs only the log of its own call. */
  async function writeEachCall(rows: readonly StepRow[]): Promise<void> {
    for (const ofCall of Map.groupBy(rows, ({ callId }) => callId).values())
      try {
        await insertSteps(db, system('steps of flows'), ofCall)
      } catch (error) {
        if (isDatabaseUnavailable(error)) keep(ofCall, error)
        else onError(error)
      }
  }

  function keep(rows: readonly StepRow[], error: unknown): void {
    waiting = [...rows, ...waiting].slice(0, MAX_WAITING)
    onError(error)
  }

  /** Resolves when everything that was added before is written. */
  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }
  const writer = every(SECOND / 2, flush, onError)

  return {
    /** Returns the function that adds the entries of one call. */
    open(callId: string): (entries: readonly FlowLogEntry[]) => void {
      let position = 0
      return (entries) => {
        for (const entry of entries) waiting.push({ callId, position: position++, entry })
      }
    },
    flush,
    async close(): Promise<void> {
      writer.stop()
      await flush()
    },
  }
}
