import type { AllUsers } from '@trunkline/domain/access'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { countLocked, NEXT_VERSION } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { GuardValues } from './store.ts'

export type TemplateValues = Omit<GuardValues, 'are_calls_stopped'>
export type TemplateRow = Selectable<Tables['limit_templates']>
export type CountedTemplate = TemplateRow & { users: number }

/** Unique index on names; see db/0041_customers.sql. */
export const TEMPLATE_NAME_INDEX = 'limit_templates_name'

export const listTemplates = (db: Database, _scope: AllUsers): Promise<CountedTemplate[]> =>
  db
    .selectFrom('limit_templates')
    .selectAll()
    .select(
      sql<number>`(select count(*)::integer from applied_templates where template_id = limit_templates.id)`.as(
        'users',
      ),
    )
    .orderBy(sql`lower(name)`)
    .execute()

export const lockTemplate = (db: Database, id: number): Promise<TemplateRow | undefined> =>
  db.selectFrom('limit_templates').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The template cannot change until the end of the transaction. */
export const holdTemplate = (db: Database, id: number): Promise<TemplateRow | undefined> =>
  db.selectFrom('limit_templates').selectAll().where('id', '=', id).forShare().executeTakeFirst()

export const countForAddition = (db: Database): Promise<number> => countLocked(db, 'limit_templates')

type NamedValues = TemplateValues & { name: string }

export const insertTemplate = (db: Database, template: NamedValues, now: Date): Promise<TemplateRow> =>
  db
    .insertInto('limit_templates')
    .values({ ...template, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()

export async function updateTemplate(
  db: Database,
  id: number,
  template: NamedValues,
  now: Date,
): Promise<void> {
  await db
    .updateTable('limit_templates')
    .set({ ...template, version: NEXT_VERSION, updated_at: now })
    .where('id', '=', id)
    .execute()
}

export async function deleteTemplate(db: Database, id: number): Promise<void> {
  await db.deleteFrom('limit_templates').where('id', '=', id).execute()
}

type Applied = { template: TemplateRow; limits: object; by: number }

const COLUMNS = [
  ...['max_concurrent_calls', 'max_calls_per_second', 'daily_spend_micros', 'max_price_micros'],
  ...['allowed_countries', 'blocked_countries', 'is_high_risk_allowed'],
]
const columns = sql.join(COLUMNS.map((name) => sql.ref(name)))
const replaced = sql.join(COLUMNS.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))

/** Sets the limits of users to those of a template and records the template. Whether calls are stopped does not change. */
export async function applyTemplate(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
  { template, limits, by }: Applied,
  now: Date,
): Promise<void> {
  await sql`
    insert into guards (user_id, set_by, ${columns}, updated_at)
    select given.user_id, 'admin', ${columns}, ${now}
      from limit_templates cross join unnest(${[...userIds]}::integer[]) as given (user_id)
     where limit_templates.id = ${template.id}
    on conflict (user_id, set_by) do update set ${replaced}, updated_at = excluded.updated_at`.execute(db)
  await sql`
    insert into applied_templates (user_id, template_id, name, limits, applied_at, applied_by)
    select user_id, ${template.id}, ${template.name}, ${JSON.stringify(limits)}::jsonb, ${now}, ${by}
      from unnest(${[...userIds]}::integer[]) as given (user_id)
    on conflict (user_id) do update
    set template_id = excluded.template_id, name = excluded.name, limits = excluded.limits,
        applied_at = excluded.applied_at, applied_by = excluded.applied_by`.execute(db)
}

export const findAppliedTemplate = (db: Database, _scope: AllUsers, userId: number) =>
  db
    .selectFrom('applied_templates')
    .leftJoin('users', 'users.id', 'applied_templates.applied_by')
    .selectAll('applied_templates')
    .select('users.username as applied_by_name')
    .where('applied_templates.user_id', '=', userId)
    .executeTakeFirst()
