import type { Database } from '../../../platform/database.ts'
import type { CallFacts } from './calls-store.ts'

export type RecordingRules = { isAllowed: boolean; announces: boolean; recordsFromStart: boolean }

/** `recordsFromStart`: the account records all calls, or the called number records. */
export async function readRecordingRules(
  db: Database,
  { userId, numberId }: CallFacts,
): Promise<RecordingRules> {
  const settings = await db
    .selectFrom('recording_settings')
    .select(['is_allowed', 'announces', 'records_all'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!settings?.is_allowed) return { isAllowed: false, announces: true, recordsFromStart: false }
  const rental =
    numberId === null
      ? null
      : await db
          .selectFrom('number_rentals')
          .select('records')
          .where('number_id', '=', numberId)
          .where('user_id', '=', userId)
          .where('state', '<>', 'ended')
          .executeTakeFirst()
  return {
    isAllowed: true,
    announces: settings.announces,
    recordsFromStart: settings.records_all || rental?.records === true,
  }
}
