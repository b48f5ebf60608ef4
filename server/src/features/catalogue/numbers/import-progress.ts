import type { AllUsers } from '@trunkline/domain/access'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { forgetImportProgress, type ImportProgress, saveImportProgress } from './import-progress-store.ts'

/**
 * Stores how far an import is, on a connection of its own. The import never waits for it: all connections may be held by imports that wait
 * for each other.
 */
export function createImportProgress(db: Database, clock: Clock, scope: AllUsers, requestKey: string) {
  let latest: ImportProgress | null = null
  let saving: Promise<void> | null = null

  async function save(): Promise<void> {
    for (let next = latest; next; next = latest) {
      latest = null
      await saveImportProgress(db, scope, requestKey, next, clock.now()).catch(() => {})
    }
    saving = null
  }

  return {
    report(done: number, total: number): void {
      latest = { done, total }
      saving ??= save()
    },
    async forget(): Promise<void> {
      await saving
      await forgetImportProgress(db, scope, requestKey, earlier(clock.now(), DAY)).catch(() => {})
    },
  }
}
