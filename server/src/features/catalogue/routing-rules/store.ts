import type { RoutingRule } from '@trunkline/domain/routing'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { NEXT_VERSION } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

type RuleRow = Selectable<Tables['routing_rules']>
export type RuleTrunkRow = { rule_id: number; trunk_id: number; name: string; percent: number | null }
export type StateRow = Selectable<Tables['routing_states']> & { name: string }
export type RuleRows = RuleRow & { plan_name: string; trunks: RuleTrunkRow[]; states: StateRow[] }

/** A rule for call control, with the trunks that are demoted now. */
export type RuleInForce = RoutingRule & { readonly demotions: ReadonlyMap<number, Demotion> }
export type Demotion = {
  readonly since: Date
  readonly returnsAt: Date
  readonly calls: number
  readonly answered: number
}

type Wanted = { id?: number; planId?: number }

/** All rules, or one rule, or those of a plan, with their trunks and states. Demoted trunks come first. */
export async function listRules(db: Database, { id, planId }: Wanted = {}): Promise<RuleRows[]> {
  const rows = await db
    .selectFrom('routing_rules')
    .innerJoin('plans', 'plans.id', 'routing_rules.plan_id')
    .selectAll('routing_rules')
    .select('plans.name as plan_name')
    .$if(id !== undefined, (query) => query.where('routing_rules.id', '=', id ?? 0))
    .$if(planId !== undefined, (query) => query.where('plan_id', '=', planId ?? 0))
    .orderBy(sql`lower(plans.name)`)
    .orderBy(sql`country nulls first`)
    .execute()
  const ids = rows.map((row) => row.id)
  const trunks = await db
    .selectFrom('routing_rule_trunks')
    .innerJoin('trunks', 'trunks.id', 'routing_rule_trunks.trunk_id')
    .select(['rule_id', 'trunk_id', 'name', 'percent'])
    .where(sql<boolean>`rule_id = any(${ids}::integer[])`)
    .orderBy('place')
    .execute()
  const states = await db
    .selectFrom('routing_states')
    .innerJoin('trunks', 'trunks.id', 'routing_states.trunk_id')
    .selectAll('routing_states')
    .select('trunks.name')
    .where(sql<boolean>`rule_id = any(${ids}::integer[])`)
    .orderBy(sql`demoted_since nulls last`)
    .orderBy('trunks.name')
    .execute()
  const trunksOf = Map.groupBy(trunks, ({ rule_id }) => rule_id)
  const statesOf = Map.groupBy(states, ({ rule_id }) => rule_id)
  return rows.map((row) => ({
    ...row,
    trunks: trunksOf.get(row.id) ?? [],
    states: statesOf.get(row.id) ?? [],
  }))
}

/** Rules for call control. */
export const readRules = async (db: Database, wanted: Wanted = {}): Promise<RuleInForce[]> =>
  (await listRules(db, wanted)).map(ruleOf)

export function ruleOf(row: RuleRows): RuleInForce {
  const { id, plan_id: planId, country, mode, min_asr, min_calls, window_minutes, rest_minutes } = row
  return {
    id,
    planId,
    country,
    mode,
    trunks: row.trunks.map(({ trunk_id, percent }) => ({ id: trunk_id, percent })),
    quality:
      min_asr === null
        ? null
        : {
            minAsr: min_asr,
            minCalls: min_calls ?? 0,
            windowMinutes: window_minutes ?? 0,
            restMinutes: rest_minutes ?? 0,
          },
    demotions: new Map(
      row.states.flatMap(({ trunk_id, demoted_since: since, returns_at: returnsAt, ...state }) =>
        since === null || returnsAt === null
          ? []
          : [
              [
                trunk_id,
                { since, returnsAt, calls: state.cause_calls ?? 0, answered: state.cause_answered ?? 0 },
              ] as const,
            ],
      ),
    ),
  }
}

/** Serializes changes of all rules. */
export async function lockRules(db: Database): Promise<void> {
  await sql`lock table routing_rules in share row exclusive mode`.execute(db)
}

export async function findRuleId(
  db: Database,
  planId: number,
  country: string | null,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('routing_rules')
    .select('id')
    .where('plan_id', '=', planId)
    .where(sql<boolean>`country is not distinct from ${country}`)
    .executeTakeFirst()
  return row?.id
}

type Saved = Omit<Insertable<Tables['routing_rules']>, 'id' | 'version'> & {
  trunks: readonly { id: number; percent: number | null }[]
}

/** Replaces the rule with this id, or inserts one. Without a threshold no trunk stays demoted. */
export async function saveRule(
  db: Database,
  id: number | undefined,
  { trunks, ...rule }: Saved,
): Promise<number> {
  const saved =
    id === undefined
      ? await db.insertInto('routing_rules').values(rule).returning('id').executeTakeFirstOrThrow()
      : await db
          .updateTable('routing_rules')
          .set({ ...rule, version: NEXT_VERSION })
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirstOrThrow()
  await db.deleteFrom('routing_rule_trunks').where('rule_id', '=', saved.id).execute()
  if (trunks.length > 0)
    await db
      .insertInto('routing_rule_trunks')
      .values(
        trunks.map((trunk, place) => ({
          rule_id: saved.id,
          trunk_id: trunk.id,
          percent: trunk.percent,
          place,
        })),
      )
      .execute()
  if (rule.min_asr === null) await db.deleteFrom('routing_states').where('rule_id', '=', saved.id).execute()
  return saved.id
}

export async function deleteRule(db: Database, id: number): Promise<void> {
  await db.deleteFrom('routing_rules').where('id', '=', id).execute()
}

/** The trunks of a plan. They cannot be deleted until the end of the transaction. */
export async function findPlanTrunks(db: Database, planId: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('trunks')
    .innerJoin('trunk_plans', 'trunk_plans.trunk_id', 'trunks.id')
    .select('trunks.id')
    .where('plan_id', '=', planId)
    .orderBy('trunks.id')
    .forKeyShare('trunks')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const findPlanName = async (db: Database, id: number): Promise<string | undefined> =>
  (await db.selectFrom('plans').select('name').where('id', '=', id).forKeyShare().executeTakeFirst())?.name
