import type { Owner } from '@trunkline/domain/access'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { countOfUserLocked, findsRow, insertedId, ofOwner, ownRow } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

/** The customers' libraries of sounds. */

type SoundRow = Selectable<Tables['sounds']>
export type ShownSoundRow = Omit<SoundRow, 'alaw' | 'ulaw'> & { used_by: string[] }

/** The unique constraint on the name. */
export const SOUND_NAME_INDEX = 'sounds_user_id_name_key'

/** The flows of which the draft or the published version plays a sound, by sound. Reads each flow once. */
const usesBySound = (owner: Owner) => sql<{ sound: unknown; names: string[] }>`(
  select sound, array_agg(name order by lower(name)) as names
    from (select distinct f.id, f.name, jsonb_path_query(document, '$.steps[*].* ? (@.kind == "file").soundId') as sound
            from flows as f
                 left join flow_versions as v on v.flow_id = f.id and v.number = f.published_version,
                 lateral (values (f.draft), (v.flow)) as used (document)
           where ${ofOwner(owner, 'f.user_id')}) as plays
   group by sound)`

const shown = (db: Database, owner: Owner) =>
  db
    .selectFrom('sounds')
    .leftJoin(usesBySound(owner).as('uses'), (join) =>
      join.on(sql`uses.sound`, '=', sql`to_jsonb(sounds.id)`),
    )
    .select(['id', 'user_id', 'name', 'origin', 'seconds', 'created_at'])
    .select(sql<string[]>`coalesce(uses.names, '{}')`.as('used_by'))
    .where(ofOwner(owner, 'sounds.user_id'))

export const listSounds = (db: Database, owner: Owner): Promise<ShownSoundRow[]> =>
  shown(db, owner).orderBy(sql`lower(sounds.name)`).execute()

export const findSound = (db: Database, owner: Owner, id: number): Promise<ShownSoundRow | undefined> =>
  shown(db, owner).where('sounds.id', '=', id).executeTakeFirst()

export const readSound = (
  db: Database,
  owner: Owner,
  id: number,
): Promise<Pick<SoundRow, 'name' | 'alaw'> | undefined> =>
  db.selectFrom('sounds').select(['name', 'alaw']).where(ownRow(owner, id)).executeTakeFirst()

export const lockSound = (db: Database, owner: Owner, id: number): Promise<boolean> =>
  findsRow(db.selectFrom('sounds').select('id').where(ownRow(owner, id)).forUpdate())

export const countSoundsLocked = (db: Database, userId: number): Promise<number> =>
  countOfUserLocked(db, 'sounds', userId)

export const insertSound = (db: Database, sound: Insertable<Tables['sounds']>): Promise<number> =>
  insertedId(db.insertInto('sounds').values(sound).returning('id'))

export async function renameSound(db: Database, owner: Owner, id: number, name: string): Promise<void> {
  await db.updateTable('sounds').set({ name }).where(ownRow(owner, id)).execute()
}

export async function deleteSound(db: Database, owner: Owner, id: number): Promise<void> {
  await db.deleteFrom('sounds').where(ownRow(owner, id)).execute()
}

/** The sound is the customer's voicemail greeting. */
export const isGreeting = (db: Database, owner: Owner, id: number): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('voicemail_settings')
      .innerJoin('sounds', 'sounds.id', 'voicemail_settings.greeting_sound_id')
      .select('sounds.id')
      .where('sounds.id', '=', id)
      .where(ofOwner(owner, 'sounds.user_id')),
  )

/** The ids of a user's sounds. They cannot be deleted before the transaction ends. */
export async function lockSounds(db: Database, userId: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('sounds')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}
