import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { countRows, insertedId, ofOwner, ownRow, ROW_COUNT, updatesRow } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type Abandoned, isAbandoned } from '../stored-sounds/abandoned-store.ts'

/** Messages. Customers see them once they are finished. */

export const DEFAULT_DAYS_KEPT = 30

export type VoicemailRow = Selectable<Tables['voicemails']>
export type ShownVoicemail = VoicemailRow & { expires_at: Date }

const daysKept = sql<number>`coalesce(voicemail_settings.days_kept, ${DEFAULT_DAYS_KEPT}::integer)`
const expiry = sql<Date>`voicemails.started_at + make_interval(days => ${daysKept})`

const withSettings = (db: Database) =>
  db
    .selectFrom('voicemails')
    .leftJoin('voicemail_settings', 'voicemail_settings.user_id', 'voicemails.user_id')

const finished = (db: Database, owner: Owner) =>
  withSettings(db)
    .selectAll('voicemails')
    .select(expiry.as('expires_at'))
    .where('voicemails.state', '<>', 'recording')
    .where(ofOwner(owner, 'voicemails.user_id'))

export const insertVoicemail = (db: Database, row: Insertable<Tables['voicemails']>): Promise<number> =>
  insertedId(db.insertInto('voicemails').values(row).returning('id'))

/** All messages that use space, also those that are being recorded. */
export const countStored = (db: Database, userId: number): Promise<number> =>
  countRows(db.selectFrom('voicemails').where('user_id', '=', userId))

/** False if it has been finished or deleted already. */
export const finishVoicemail = (
  db: Database,
  userId: number,
  id: number,
  seconds: number,
): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('voicemails')
      .set({ state: 'new', seconds })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('state', '=', 'recording'),
  )

export const findAbandoned = (
  db: Database,
  _scope: AllUsers,
  abandoned: Abandoned,
): Promise<VoicemailRow[]> =>
  db
    .selectFrom('voicemails')
    .selectAll()
    .where(isAbandoned('voicemails', abandoned))
    .orderBy('id')
    .limit(100)
    .execute()

export const listVoicemails = (
  db: Database,
  owner: Owner,
  { state, after, limit }: { state?: 'new' | 'read' | undefined; after?: number | undefined; limit: number },
): Promise<ShownVoicemail[]> =>
  finished(db, owner)
    .$if(state !== undefined, (query) => query.where('voicemails.state', '=', state ?? 'new'))
    .$if(after !== undefined, (query) => query.where('voicemails.id', '<', after ?? 0))
    .orderBy('voicemails.id', 'desc')
    .limit(limit)
    .execute()

export const listVoicemailsOfCalls = (
  db: Database,
  owner: Owner,
  callIds: readonly string[],
): Promise<ShownVoicemail[]> =>
  finished(db, owner)
    .where('voicemails.call_id', 'in', [...callIds])
    .orderBy('voicemails.id')
    .execute()

export async function countVoicemails(db: Database, owner: Owner): Promise<{ new: number; read: number }> {
  const rows = await db
    .selectFrom('voicemails')
    .select(['state', ROW_COUNT.as('count')])
    .where('state', '<>', 'recording')
    .where(ofOwner(owner, 'voicemails.user_id'))
    .groupBy('state')
    .execute()
  const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
  return { new: of('new'), read: of('read') }
}

export async function markVoicemails(
  db: Database,
  owner: Owner,
  ids: readonly number[],
  state: 'new' | 'read',
): Promise<void> {
  await db
    .updateTable('voicemails')
    .set({ state })
    .where('id', 'in', [...ids])
    .where('state', '<>', 'recording')
    .where('state', '<>', state)
    .where(ofOwner(owner, 'voicemails.user_id'))
    .execute()
}

export const findVoicemail = (db: Database, owner: Owner, id: number): Promise<ShownVoicemail | undefined> =>
  finished(db, owner).where('voicemails.id', '=', id).executeTakeFirst()

/** Locked in the order of their ids. */
export const lockVoicemails = (db: Database, owner: Owner, ids: readonly number[]): Promise<VoicemailRow[]> =>
  db
    .selectFrom('voicemails')
    .selectAll()
    .where('id', 'in', [...ids])
    .where(ofOwner(owner, 'voicemails.user_id'))
    .orderBy('id')
    .forUpdate()
    .execute()

export async function deleteVoicemail(db: Database, owner: Owner, id: number): Promise<void> {
  await db.deleteFrom('voicemails').where(ownRow(owner, id)).execute()
}

/** Also messages that were never finished, because their file was lost. */
export const findExpired = (
  db: Database,
  _scope: AllUsers,
  now: Date,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number }[]> =>
  withSettings(db)
    .select('voicemails.id')
    .where(expiry, '<=', now)
    .where('voicemails.id', '>', after)
    .orderBy('voicemails.id')
    .limit(limit)
    .execute()

const unmailed = (db: Database) =>
  db.selectFrom('voicemails').selectAll().where('mail_done_at', 'is', null).where('state', '<>', 'recording')

/** The next message whose mail is not decided. */
export const findUnmailed = (
  db: Database,
  _scope: AllUsers,
  after: number,
): Promise<VoicemailRow | undefined> =>
  unmailed(db).where('id', '>', after).orderBy('id').limit(1).executeTakeFirst()

/** Nobody else gets the message until the transaction ends. Its row is not locked: the customer may mark and delete it. */
export async function takeUnmailed(
  tx: Database,
  _scope: AllUsers,
  id: number,
): Promise<VoicemailRow | undefined> {
  const { rows } = await sql<{ is_free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`voicemail mail ${id}`}, 0)) as is_free`.execute(tx)
  // Another statement, which sees what the one before has committed.
  return rows[0]?.is_free ? unmailed(tx).where('id', '=', id).executeTakeFirst() : undefined
}

export async function setMailDone(db: Database, userId: number, id: number, now: Date): Promise<void> {
  await db
    .updateTable('voicemails')
    .set({ mail_done_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute()
}
