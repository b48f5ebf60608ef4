import type { PriceCounts, PricingRule, ShownPrices, UndoOutcome } from '@trunkline/contract/bulk-pricing'
import type { AllUsers } from '@trunkline/domain/access'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import {
  type CsvFile,
  countryNames,
  dollarsOf,
  escapeFormula,
  expressionsOf,
  wordFor,
} from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { beforeId } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'
import { inBatches } from '../prefix-rates/store.ts'
import type { PlannedPrice } from './plan.ts'
import type { NewPrice } from './prices-store.ts'

export type ChangeRow = Selectable<Tables['price_changes']> & {
  actor_name: string
  undoer_name: string | null
}
export type PriceRowStored = Selectable<Tables['price_change_rows']>

type NewChange = {
  actorId: number
  rule: PricingRule
  counts: PriceCounts
  calls: number
  revenueMicros: bigint
  effectMicros: bigint
}

export async function insertChange(
  db: Database,
  _scope: AllUsers,
  change: NewChange,
  planned: readonly PlannedPrice[],
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('price_changes')
    .values({
      actor_id: change.actorId,
      rule: JSON.stringify(change.rule),
      counts: JSON.stringify(change.counts),
      calls: change.calls,
      revenue_micros: change.revenueMicros,
      effect_micros: change.effectMicros,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let before = 0
  for (const some of inBatches(planned)) {
    await insertRows(db, id, before, some)
    before += some.length
  }
  return id
}

async function insertRows(
  db: Database,
  changeId: number,
  before: number,
  planned: readonly PlannedPrice[],
): Promise<void> {
  const values = <Value>(value: (price: PlannedPrice) => Value) => planned.map(value)
  await sql`
    insert into price_change_rows (change_id, place, route_id, country, route_name, plan_name, prefix, connect_fee_micros,
           first_increment, next_increment, trunk_name, cost_micros, before_micros, after_micros, skipped, customers, calls,
           revenue_micros, effect_micros)
    select ${changeId}, ${before} + place, route_id, country, route_name, plan_name, prefix, fee, first, next, trunk, cost,
           price, after, skipped, customers, calls, revenue, effect
      from unnest(${values(({ routeId }) => routeId)}::integer[], ${values(({ country }) => country)}::text[],
           ${values(({ routeName }) => routeName)}::text[], ${values(({ planName }) => planName)}::text[],
           ${values(({ prefix }) => prefix)}::text[], ${values(({ rate }) => rate.connectFeeMicros)}::bigint[],
           ${values(({ rate }) => rate.firstIncrement)}::integer[], ${values(({ rate }) => rate.nextIncrement)}::integer[],
           ${values(({ trunkName }) => trunkName)}::text[], ${values(({ costMicros }) => costMicros)}::bigint[],
           ${values(({ rate }) => rate.priceMicros)}::bigint[], ${values(({ afterMicros }) => afterMicros)}::bigint[],
           ${values(({ skipped }) => skipped)}::text[], ${values(({ customers }) => customers)}::integer[],
           ${values(({ sums }) => sums.calls)}::integer[], ${values(({ sums }) => sums.revenueMicros)}::bigint[],
           ${values(({ effectMicros }) => effectMicros)}::bigint[])
           with ordinality as given (route_id, country, route_name, plan_name, prefix, fee, first, next, trunk, cost, price,
                                     after, skipped, customers, calls, revenue, effect, place)`.execute(db)
}

/** Deletes previews that are too old, and all but the latest of this administrator. */
export async function deletePreviews(
  db: Database,
  actorId: number,
  { before, kept }: { before: Date; kept: number },
): Promise<void> {
  await sql`
    delete from price_changes where applied_at is null and (created_at < ${before} or id in (
      select id from price_changes where applied_at is null and actor_id = ${actorId} order by id desc offset ${kept}))`.execute(
    db,
  )
}

const withNames = (db: Database) =>
  db
    .selectFrom('price_changes')
    .innerJoin('users as actor', 'actor.id', 'price_changes.actor_id')
    .leftJoin('users as undoer', 'undoer.id', 'price_changes.undone_by')
    .selectAll('price_changes')
    .select(['actor.username as actor_name', 'undoer.username as undoer_name'])

/** Administrators see their own previews, and all applied changes. */
const visible = (userId: number) =>
  sql<boolean>`(price_changes.applied_at is not null or price_changes.actor_id = ${userId})`

export const findChange = (db: Database, userId: number, id: number): Promise<ChangeRow | undefined> =>
  withNames(db).where('price_changes.id', '=', id).where(visible(userId)).executeTakeFirst()

export const lockChange = (db: Database, userId: number, id: number): Promise<ChangeRow | undefined> =>
  withNames(db)
    .where('price_changes.id', '=', id)
    .where(visible(userId))
    .forUpdate('price_changes')
    .executeTakeFirst()

export const listApplied = (
  db: Database,
  _scope: AllUsers,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<ChangeRow[]> =>
  withNames(db)
    .where('price_changes.applied_at', 'is not', null)
    .where(beforeId('price_changes.id', before))
    .orderBy('price_changes.id', 'desc')
    .limit(limit)
    .execute()

const CONDITIONS: Readonly<Record<ShownPrices, string>> = {
  changed: 'after_micros <> before_micros',
  cuts: 'after_micros < before_micros',
  rises: 'after_micros > before_micros',
  below_cost: `after_micros <> before_micros
    and cost_of_minute(before_micros, connect_fee_micros, first_increment, next_increment) < cost_micros`,
  unchanged: 'after_micros = before_micros',
  skipped: 'skipped is not null',
  left: `undo in ('changed', 'gone')`,
}
const shownAs = (show: ShownPrices): RawBuilder<boolean> => sql.raw(`(${CONDITIONS[show]})`)

export const listRows = (
  db: Database,
  changeId: number,
  { show, after, limit }: { show: ShownPrices; after: number; limit: number },
): Promise<PriceRowStored[]> =>
  db
    .selectFrom('price_change_rows')
    .selectAll()
    .where('change_id', '=', changeId)
    .where(shownAs(show))
    .where('place', '>', after)
    .orderBy('place')
    .limit(limit)
    .execute()

export const listAllRows = (db: Database, changeId: number): Promise<PriceRowStored[]> =>
  db.selectFrom('price_change_rows').selectAll().where('change_id', '=', changeId).orderBy('place').execute()

/** Parsed by the exports, with a column for everything that the screen shows. */
export function fileOfRows(db: Database, changeId: number, show: ShownPrices): CsvFile {
  const minute = (price: string) =>
    `cost_of_minute(${price}, connect_fee_micros, first_increment, next_increment)`
  const percent = (price: string) =>
    `round((${minute(price)} - cost_micros) * 100.0 / nullif(${minute(price)}, 0), 1)`
  const columns = [
    ['Country', escapeFormula(`coalesce(${wordFor('country', countryNames)}, country)`)],
    ['Route', escapeFormula('route_name')],
    ['Plan', escapeFormula('plan_name')],
    ['Prefix', `nullif(prefix, '')`],
    ['Skipped', 'skipped'],
    ['Trunk', escapeFormula('trunk_name')],
    ['Cost', dollarsOf('cost_micros')],
    ['Price before', dollarsOf('before_micros')],
    ['Price after', dollarsOf('after_micros')],
    ['Margin before', dollarsOf(`(${minute('before_micros')} - cost_micros)`)],
    ['Margin before %', percent('before_micros')],
    ['Margin after', dollarsOf(`(${minute('after_micros')} - cost_micros)`)],
    ['Margin after %', percent('after_micros')],
    ['Customers', 'customers'],
    ['Calls in 30 days', 'calls'],
    ['Revenue in 30 days', dollarsOf('revenue_micros')],
    ['Effect on revenue', dollarsOf('effect_micros')],
    ['Undo', 'undo'],
  ] as const
  const query = sql`
    select ${expressionsOf(columns)} from price_change_rows
     where change_id = ${changeId} and ${shownAs(show)} order by place`
  return { columns, query: query.compile(db) }
}

export async function markApplied(db: Database, _scope: AllUsers, id: number, now: Date): Promise<void> {
  await db.updateTable('price_changes').set({ applied_at: now }).where('id', '=', id).execute()
}

/** Notes for each changed price whether it can be restored. The routes are locked. Returns the earlier prices. */
export async function markRestored(db: Database, changeId: number): Promise<NewPrice[]> {
  // A lookup for each row: PostgreSQL expects few rows of a new change, and would join them in quadratic time.
  const present = sql`
    case when prefix = '' then (select price_micros from routes where routes.id = changed.route_id)
         else (select price_micros from route_rates
                where route_rates.route_id = changed.route_id and route_rates.prefix = changed.prefix) end`
  const { rows } = await sql<{ route_id: number; prefix: string; before_micros: bigint; undo: UndoOutcome }>`
    update price_change_rows as changed
       set undo = (select case when price is null then 'gone' when price = changed.after_micros then 'restored'
                               else 'changed' end
                     from (select ${present} as price) as found)
     where change_id = ${changeId} and after_micros <> before_micros
    returning route_id, prefix, before_micros, undo`.execute(db)
  return rows
    .filter(({ undo }) => undo === 'restored')
    .map((row) => ({ routeId: row.route_id, prefix: row.prefix, priceMicros: row.before_micros }))
}

export async function markUndone(
  db: Database,
  userId: number,
  id: number,
  { restored, now }: { restored: number; now: Date },
): Promise<void> {
  await db
    .updateTable('price_changes')
    .set({ undone_at: now, undone_by: userId, restored })
    .where('id', '=', id)
    .execute()
}
