import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ROW_COUNT } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type PlanRow = Selectable<Tables['plans']>
type PlanWithUses = PlanRow & { routes: number; trunks: number; trunk_ids: number[] }

/** Unique index on names; see db/0004_routing.sql. */
export const PLAN_NAME_INDEX = 'plans_name'

/** Plans are visible to everyone. */
const plansWithUses = (db: Database) =>
  db
    .selectFrom('plans')
    .selectAll('plans')
    .select([
      sql<number>`(select ${ROW_COUNT} from routes where plan_id = plans.id)`.as('routes'),
      sql<number>`(select ${ROW_COUNT} from trunk_plans where plan_id = plans.id)`.as('trunks'),
      sql<number[]>`array(select trunk_id from trunk_plans where plan_id = plans.id order by trunk_id)`.as(
        'trunk_ids',
      ),
    ])

export const listPlanNames = async (db: Database): Promise<string[]> =>
  (await db.selectFrom('plans').select('name').orderBy(sql`lower(name)`).execute()).map(({ name }) => name)

export const listPlans = (db: Database): Promise<PlanWithUses[]> =>
  plansWithUses(db).orderBy(sql`lower(name)`).execute()

export const findPlan = (db: Database, id: number): Promise<PlanWithUses | undefined> =>
  plansWithUses(db).where('plans.id', '=', id).executeTakeFirst()

/** Prevents deletion until the end of the transaction. */
export const findPlansForUse = (db: Database, names: readonly string[]): Promise<PlanRow[]> =>
  db
    .selectFrom('plans')
    .selectAll()
    .where(sql<boolean>`lower(name) = any(${names.map((name) => name.toLowerCase())}::text[])`)
    .forKeyShare()
    .execute()

/** Locks a plan for renaming or deletion, which blocks new uses. */
export const lockPlan = (db: Database, id: number): Promise<PlanRow | undefined> =>
  db.selectFrom('plans').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertPlan = (db: Database, name: string, now: Date): Promise<PlanRow> =>
  db.insertInto('plans').values({ name, created_at: now }).returningAll().executeTakeFirstOrThrow()

export async function renamePlan(db: Database, id: number, name: string): Promise<void> {
  await db.updateTable('plans').set({ name }).where('id', '=', id).execute()
}

export async function deletePlan(db: Database, id: number): Promise<void> {
  await db.deleteFrom('plans').where('id', '=', id).execute()
}

export async function listTrunkNames(db: Database, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('trunk_plans')
    .innerJoin('trunks', 'trunks.id', 'trunk_plans.trunk_id')
    .select('trunks.name')
    .where('plan_id', '=', id)
    .orderBy('trunks.priority')
    .orderBy('trunks.id')
    .execute()
  return rows.map(({ name }) => name)
}

/** Locks the existing trunks among these, in a fixed order to prevent deadlocks. */
export async function lockTrunks(db: Database, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('trunks')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Also increases the version of the trunks. */
export async function changePlanTrunks(
  db: Database,
  id: number,
  { add, remove, now }: { add: readonly number[]; remove: readonly number[]; now: Date },
): Promise<void> {
  await sql`
    with gone as (delete from trunk_plans where plan_id = ${id} and trunk_id = any(${remove}::integer[]) returning trunk_id),
    come as (insert into trunk_plans (trunk_id, plan_id) select trunk_id, ${id} from unnest(${add}::integer[]) as trunk_id
             on conflict do nothing returning trunk_id)
    update trunks set version = version + 1, updated_at = ${now}
     where id in (select trunk_id from gone union select trunk_id from come)`.execute(db)
}
