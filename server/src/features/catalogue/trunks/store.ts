import type { Owner } from '@trunkline/domain/access'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import { earlier, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { findsRow, insertedId, NEXT_VERSION, updateVersioned } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type TrunkRow = Selectable<Tables['trunks']> & {
  /** Names of its plans. */
  plans: string[]
  /** Number of current calls. */
  used: number
  /** True if it serves a plan of a premium route. */
  premium: boolean
  rate_count: number
  /** Trunk health as reported by connected switches. */
  health: { switch: string; is_up: boolean; code: number; since: string; checked_at: string }[]
  /** Whether connected switches are registered at the carrier. */
  registrations: { switch: string; is_registered: boolean; since: string }[]
}

/** Reports of a switch that was silent for this time are ignored. */
const SWITCH_GONE_MS = MINUTE

const wireTime = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Includes credentials. The views decide what customers and administrators see. */
const trunksWithUse = (db: Database, now: Date, isCountingRates = true) =>
  db
    .selectFrom('trunks')
    .selectAll('trunks')
    .select([
      sql<string[]>`array(select plans.name from trunk_plans join plans on plans.id = trunk_plans.plan_id
        where trunk_plans.trunk_id = trunks.id order by lower(plans.name))`.as('plans'),
      sql<number>`(select count(*) from live_calls where live_calls.trunk_id = trunks.id)::integer`.as(
        'used',
      ),
      sql<boolean>`exists (select 1 from trunk_plans join routes on routes.plan_id = trunk_plans.plan_id
        where trunk_plans.trunk_id = trunks.id and routes.is_premium
          and (trunks.country is null or trunks.country = routes.country))`.as('premium'),
      // Counting up to 100,000 lines is slow, so it is skipped if not needed.
      (isCountingRates
        ? sql<number>`(select count(*) from trunk_rates where trunk_rates.trunk_id = trunks.id)::integer`
        : sql<number>`0`
      ).as('rate_count'),
      sql<
        TrunkRow['health']
      >`coalesce((select jsonb_agg(jsonb_build_object('switch', h.switch_id, 'is_up', h.is_up,
            'code', h.code, 'since', ${wireTime('h.since')}, 'checked_at', ${wireTime('h.checked_at')}) order by h.switch_id)
          from trunk_health as h join switches using (switch_id)
         where h.trunk_id = trunks.id and last_seen_at > ${earlier(now, SWITCH_GONE_MS)}), '[]')`.as(
        'health',
      ),
      sql<
        TrunkRow['registrations']
      >`coalesce((select jsonb_agg(jsonb_build_object('switch', r.switch_id, 'is_registered', r.is_registered,
            'since', ${wireTime('r.since')}) order by r.switch_id)
          from trunk_registrations as r join switches using (switch_id)
         where r.trunk_id = trunks.id and last_seen_at > ${earlier(now, SWITCH_GONE_MS)}), '[]')`.as(
        'registrations',
      ),
    ])

export const listTrunks = (db: Database, owner: Owner, now: Date): Promise<TrunkRow[]> =>
  trunksWithUse(db, now, owner.userId === null)
    .orderBy('trunks.priority')
    .orderBy('trunks.id')
    .execute()

export const findTrunk = (db: Database, id: number, now: Date): Promise<TrunkRow | undefined> =>
  trunksWithUse(db, now).where('trunks.id', '=', id).executeTakeFirst()

export const lockTrunk = (db: Database, id: number, now: Date): Promise<TrunkRow | undefined> =>
  trunksWithUse(db, now).where('trunks.id', '=', id).forUpdate('trunks').executeTakeFirst()

export const insertTrunk = (db: Database, trunk: Insertable<Tables['trunks']>): Promise<number> =>
  insertedId(db.insertInto('trunks').values(trunk).returning('id'))

export const updateTrunk = (db: Database, id: number, change: Updateable<Tables['trunks']>): Promise<void> =>
  updateVersioned(db, 'trunks', id, change)

/** Completes a new trunk, whose id the digest contains. */
export async function saveIncomingDigest(
  db: Database,
  id: number,
  digest: Pick<TrunkRow, 'incoming_realm' | 'incoming_ha1'>,
): Promise<void> {
  await db.updateTable('trunks').set(digest).where('id', '=', id).execute()
}

export const carriesEmergencyCalls = (db: Database, id: number): Promise<boolean> =>
  findsRow(db.selectFrom('emergency_route').select('trunk_id').where('trunk_id', '=', id).forUpdate())

/** Waits for the worker that judges the trunk. Returns the rules. */
export async function deleteRoutingStates(db: Database, id: number): Promise<number[]> {
  const rows = await db.deleteFrom('routing_states').where('trunk_id', '=', id).returning('rule_id').execute()
  return rows.map(({ rule_id }) => rule_id)
}

export async function deleteTrunk(db: Database, id: number): Promise<void> {
  await db.deleteFrom('trunks').where('id', '=', id).execute()
}

/**
 * Serializes changes of primary trunks. Must be the first lock, because two changes that lock each other's trunk would
 * deadlock.
 */
export async function lockPrimaries(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('primary trunk'))`.execute(db)
}

/** Serializes changes of the order, then locks the rows in a fixed order to prevent deadlocks. */
export async function lockTrunkOrder(
  db: Database,
): Promise<{ id: number; name: string; priority: number; version: number }[]> {
  await sql`select pg_advisory_xact_lock(hashtext('order of trunks'))`.execute(db)
  const rows = await db
    .selectFrom('trunks')
    .select(['id', 'name', 'priority', 'version'])
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.sort((left, right) => left.priority - right.priority || left.id - right.id)
}

/** Removes the primary flag from the trunks of the country. */
export async function clearPrimary(db: Database, country: string | null, now: Date): Promise<void> {
  await db
    .updateTable('trunks')
    .set({ is_primary: false, updated_at: now, version: NEXT_VERSION })
    .where('is_primary', '=', true)
    .where(sql<boolean>`country is not distinct from ${country}`)
    .execute()
}

export async function replaceTrunkPlans(
  db: Database,
  trunkId: number,
  planIds: readonly number[],
): Promise<void> {
  await db.deleteFrom('trunk_plans').where('trunk_id', '=', trunkId).execute()
  if (planIds.length === 0) return
  await db
    .insertInto('trunk_plans')
    .values(planIds.map((planId) => ({ trunk_id: trunkId, plan_id: planId })))
    .execute()
}
