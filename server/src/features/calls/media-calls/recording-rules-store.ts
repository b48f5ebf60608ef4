import {
  isRingDestination,
  type RingDestination,
  singleDestinations,
  targetsAt,
} from '@trunkline/domain/ringing'
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
  const rental = await findRental(db, userId, numberId)
  return {
    isAllowed: true,
    announces: settings.announces,
    recordsFromStart: settings.records_all || rental?.records === true,
  }
}

/** Whether the owner records dialed calls, with the consent of the operator. */
export async function readDialedRules(
  db: Database,
  userId: number,
): Promise<{ records: boolean; announces: boolean }> {
  const settings = await db
    .selectFrom('recording_settings')
    .select(['is_allowed', 'announces', 'records_dialed'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return {
    records: settings?.is_allowed === true && settings.records_dialed,
    announces: settings?.announces ?? true,
  }
}

/**
 * The destination of the called number's ring plan that call control has sent to be recorded. Null if the plan has changed in the
 * meantime.
 */
export async function findRecordedDestination(
  db: Database,
  { userId, numberId, startedAt }: CallFacts,
  position: number,
): Promise<RingDestination | null> {
  const rental = await findRental(db, userId, numberId)
  if (!rental) return null
  const { destinations } = targetsAt(rental.ring_plan, startedAt.getTime())
  const destination = singleDestinations(destinations)[position]
  return destination && isRingDestination(destination) ? destination : null
}

/** The rental of the called number. A customer's own call has no number. */
const findRental = (db: Database, userId: number, numberId: number | null) =>
  db
    .selectFrom('number_rentals')
    .select(['records', 'ring_plan'])
    .where('number_id', '=', numberId)
    .where('user_id', '=', userId)
    .where('state', '<>', 'ended')
    .executeTakeFirst()
