import type { Language } from '@trunkline/domain/flows'
import type { PromptName } from '@trunkline/domain/prompts'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Recordings that replace prompts of the system. They belong to no user. */

type Row = Selectable<Tables['system_prompts']>
export type ReplacedPrompt = Omit<Row, 'alaw' | 'ulaw'>

const shown = (db: Database) =>
  db.selectFrom('system_prompts').select(['id', 'language', 'name', 'seconds', 'replaced_at'])

export const listReplacedPrompts = (db: Database): Promise<ReplacedPrompt[]> => shown(db).execute()

export const lockReplacedPrompt = (
  db: Database,
  language: Language,
  name: PromptName,
): Promise<ReplacedPrompt | undefined> =>
  shown(db).where('language', '=', language).where('name', '=', name).forUpdate().executeTakeFirst()

export const readReplacedPrompt = (
  db: Database,
  language: Language,
  name: PromptName,
): Promise<Pick<Row, 'alaw'> | undefined> =>
  db
    .selectFrom('system_prompts')
    .select('alaw')
    .where('language', '=', language)
    .where('name', '=', name)
    .executeTakeFirst()

/** Undefined if another recording has replaced it. */
export const readPromptSound = (db: Database, id: number): Promise<Pick<Row, 'alaw' | 'ulaw'> | undefined> =>
  db.selectFrom('system_prompts').select(['alaw', 'ulaw']).where('id', '=', id).executeTakeFirst()

export async function saveReplacedPrompt(
  db: Database,
  prompt: Insertable<Tables['system_prompts']>,
): Promise<void> {
  const { seconds, alaw, ulaw, replaced_at } = prompt
  await db
    .insertInto('system_prompts')
    .values(prompt)
    .onConflict((conflict) =>
      conflict
        .columns(['language', 'name'])
        .doUpdateSet({ id: sql<number>`default`, seconds, alaw, ulaw, replaced_at }),
    )
    .execute()
}

export async function deleteReplacedPrompt(db: Database, id: number): Promise<void> {
  await db.deleteFrom('system_prompts').where('id', '=', id).execute()
}
