import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { RoutingRule } from '@trunkline/contract/routing-rules'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import { countryName } from '@trunkline/domain/countries'
import type { RoutingMode } from '@trunkline/domain/routing'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { Audit } from '../../identity/audit/service.ts'
import {
  deleteRule,
  findPlanName,
  findPlanTrunks,
  findRuleId,
  listRules,
  lockRules,
  saveRule,
} from './store.ts'
import { demotionSubject, viewRule } from './view.ts'

export type RoutingRules = ReturnType<typeof createRoutingRules>

export type RuleDraft = {
  plan_id: number
  country: string | null
  mode: RoutingMode
  trunks: readonly { id: number; percent: number | null }[]
  quality: RoutingRule['quality']
}

/** Rules for the order of trunks. Call control gets changes by notification. */
export function createRoutingRules(
  db: Database,
  clock: Clock,
  audit: Audit,
  alerts: Pick<Alerts, 'closeWithin'>,
) {
  async function show(handle: Database, id: number): Promise<RoutingRule | null> {
    const [row] = await listRules(handle, { id })
    return row ? viewRule(row) : null
  }

  /** Alerts of demotions that a change has ended. */
  async function closeAlerts(
    tx: Database,
    before: RoutingRule | null,
    after: RoutingRule | null,
  ): Promise<void> {
    const subjectsOf = (rule: RoutingRule | null) =>
      (rule?.states ?? [])
        .filter(({ demoted_since }) => demoted_since !== null)
        .map(({ trunk_id }) => demotionSubject(trunk_id, rule?.id ?? 0))
    const still = new Set(subjectsOf(after))
    const subjects = subjectsOf(before).filter((subject) => !still.has(subject))
    if (subjects.length > 0) await alerts.closeWithin(tx, { kind: 'trunk_demoted', subjects })
  }

  return {
    async list(caller: Caller): Promise<RoutingRule[]> {
      requireAdmin(caller)
      return (await listRules(db)).map(viewRule)
    },

    /** Refuses trunks that do not serve the plan. */
    async check(handle: Database, caller: Caller, { plan_id, trunks }: RuleDraft): Promise<void> {
      requireAdmin(caller)
      requireFound(await findPlanName(handle, plan_id))
      const serving = await findPlanTrunks(handle, plan_id)
      const faults = trunks.flatMap(({ id }, at) =>
        serving.has(id) ? [] : [{ field: `trunks.${at}.id`, message: ownMessages.ruleTrunkUnknown }],
      )
      if (faults.length > 0) throw new Refusal('invalid_input', ownMessages.ruleTrunkUnknown, faults)
    },

    set(
      caller: Caller,
      { version, quality, ...draft }: RuleDraft & { version: number | null },
    ): Promise<RoutingRule> {
      return db.transaction().execute(async (tx) => {
        requireAdmin(caller)
        // First the plan, then the rules: deleting a plan locks them in the same order.
        await this.check(tx, caller, { ...draft, quality })
        await lockRules(tx)
        const { plan_id, country, mode, trunks } = draft
        const id = await findRuleId(tx, plan_id, country)
        const before = id === undefined ? null : await show(tx, id)
        requireUnchanged(before?.version ?? null, version)
        const saved = await saveRule(tx, id, {
          plan_id,
          country,
          mode,
          trunks,
          min_asr: quality?.min_asr ?? null,
          min_calls: quality?.min_calls ?? null,
          window_minutes: quality?.window_minutes ?? null,
          rest_minutes: quality?.rest_minutes ?? null,
          updated_at: clock.now(),
        })
        const after = await show(tx, saved)
        if (!after) throw new Error('the saved rule is missing')
        await closeAlerts(tx, before, after)
        await audit.write(tx, caller, {
          ...auditEntry(before ? 'routing_rule.update' : 'routing_rule.create', saved),
          before: before && auditValuesOf(before),
          after: auditValuesOf(after),
        })
        return after
      })
    },

    remove: (caller: Caller, id: number, version?: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        requireAdmin(caller)
        await lockRules(tx)
        const before = requireFound(await show(tx, id))
        requireUnchanged(before.version, version)
        await deleteRule(tx, id)
        await closeAlerts(tx, before, null)
        await audit.write(tx, caller, {
          ...auditEntry('routing_rule.delete', id),
          before: auditValuesOf(before),
          after: null,
        })
      }),
  }
}

const auditEntry = (action: string, id: number) => ({ action, subject: `routing rule ${id}` })

const auditValuesOf = ({ planname, country_code, mode, trunks, quality }: RoutingRule) => ({
  plan: planname,
  country: country_code === null ? 'all' : countryName(country_code),
  mode,
  trunks: trunks.map(({ name, percent }) => (percent === null ? name : `${name} ${percent} %`)),
  ...quality,
})
