import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'

export type ImportProgress = { done: number; total: number }

export async function saveImportProgress(
  db: Database,
  _scope: AllUsers,
  requestKey: string,
  progress: ImportProgress,
  now: Date,
): Promise<void> {
  const row = { ...progress, updated_at: now }
  await db
    .insertInto('number_import_progress')
    .values({ request_key: requestKey, ...row })
    .onConflict((conflict) => conflict.column('request_key').doUpdateSet(row))
    .execute()
}

export const findImportProgress = (
  db: Database,
  _scope: AllUsers,
  requestKey: string,
): Promise<ImportProgress | undefined> =>
  db
    .selectFrom('number_import_progress')
    .select(['done', 'total'])
    .where('request_key', '=', requestKey)
    .executeTakeFirst()

/** Also those of killed processes. */
export async function forgetImportProgress(
  db: Database,
  _scope: AllUsers,
  requestKey: string,
  lostBefore: Date,
): Promise<void> {
  await db
    .deleteFrom('number_import_progress')
    .where((where) => where.or([where('request_key', '=', requestKey), where('updated_at', '<', lostBefore)]))
    .execute()
}
