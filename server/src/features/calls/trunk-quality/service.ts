import { Refusal } from '@trunkline/contract/errors'
import { SIMULATED_DAYS_MAX } from '@trunkline/contract/limits'
import { type Caller, requireAdmin, system } from '@trunkline/domain/access'
import { countryName } from '@trunkline/domain/countries'
import {
  asrOf,
  judgeTrunk,
  type Quality,
  returnedTrunk,
  startOfQuarter,
  type TrunkQuality,
} from '@trunkline/domain/routing'
import type { Logger } from 'pino'
import { type Clock, DAY, earlier, later, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import { listRules, lockRules, type RuleRows, ruleOf } from '../../catalogue/routing-rules/store.ts'
import { demotionSubject } from '../../catalogue/routing-rules/view.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { Audit } from '../../identity/audit/service.ts'
import type { CallFigures } from '../figures/service.ts'
import {
  countAttempts,
  deleteState,
  forgetAttempts,
  listServing,
  lockJudgment,
  qualityOf,
  saveState,
} from './store.ts'

export const judgeTrunks = defineJob<Record<string, never>>('judge-trunks')

export type TrunkQualityService = ReturnType<typeof createTrunkQuality>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  figures: Pick<CallFigures, 'addQueued'>
  alerts: Pick<Alerts, 'raiseWithin' | 'closeWithin'>
  audit: Pick<Audit, 'write'>
}

/** Simulations read figures of this age. */
const KEPT_MS = (SIMULATED_DAYS_MAX + 1) * DAY
/** A demotion counts attempts from its quarter of an hour on, at most this long ago. */
const LONGEST_MS = 2 * DAY

/**
 * Judges the trunks of all rules with a threshold. The worker does so every minute. The states are rows, so all call controls agree on
 * them and a restart keeps them.
 */
export function createTrunkQuality({ db, clock, logger, figures, alerts, audit }: Deps) {
  const owner = system('quality of trunks')

  const count = (tx: Database, trunks: readonly { id: number }[], country: string | null) =>
    countAttempts(tx, owner, {
      trunkIds: trunks.map(({ id }) => id),
      country,
      from: new Date(startOfQuarter(earlier(clock.now(), LONGEST_MS).getTime())),
      to: later(clock.now(), MINUTE),
      withLive: true,
    })

  async function judgeRule(tx: Database, row: RuleRows): Promise<void> {
    const { id, planId, country, quality } = ruleOf(row)
    if (!quality) return
    const serving = await listServing(tx, planId, country)
    const now = clock.now()
    const counts = await count(tx, serving, country)
    const states = new Map(row.states.map((state) => [state.trunk_id, state]))
    for (const trunk of serving) {
      const state = states.get(trunk.id)
      states.delete(trunk.id)
      const before = state ? qualityOf(state) : null
      const after = judgeTrunk(quality, before, counts.get(trunk.id) ?? [], now.getTime())
      await saveState(tx, { rule_id: id, trunk_id: trunk.id }, after, now)
      await tell(tx, { row, quality, trunk, before, after })
    }
    for (const { trunk_id } of states.values()) {
      await deleteState(tx, id, trunk_id)
      await alerts.closeWithin(tx, { kind: 'trunk_demoted', subjects: [demotionSubject(trunk_id, id)] })
    }
  }

  type Change = {
    row: RuleRows
    quality: Quality
    trunk: { id: number; name: string }
    before: TrunkQuality | null
    after: TrunkQuality
  }

  /** Raises an alert for a demotion, and closes it and raises another one for the return. */
  async function tell(tx: Database, { row, quality, trunk, before, after }: Change): Promise<void> {
    const wasDemoted = (before?.demotedSince ?? null) !== null
    const isDemoted = after.demotedSince !== null
    if (wasDemoted === isDemoted) return
    const subject = demotionSubject(trunk.id, row.id)
    const rule = row.country === null ? row.plan_name : `${row.plan_name} to ${countryName(row.country)}`
    const { calls } = after.seen
    const asr = Math.round(asrOf(after.seen) * 10) / 10
    const details = { rule: row.id, trunk: trunk.id, asr, calls }
    if (isDemoted) {
      logger.warn(details, 'trunk demoted')
      const message = `${trunk.name} is tried last for ${rule}. ${asr}% of its last ${calls} attempts were answered; the rule requires ${quality.minAsr}%. It returns after ${quality.restMinutes} minutes, or earlier if trial calls succeed.`
      await alerts.raiseWithin(tx, [{ kind: 'trunk_demoted', subject, userId: null, details, message }])
    } else {
      logger.info(details, 'trunk returned')
      const trials =
        calls === 0 ? 'It had no calls since then.' : `${asr}% of ${calls} attempts since then were answered.`
      const message = `${trunk.name} is back in its place for ${rule}. ${trials}`
      await alerts.closeWithin(tx, { kind: 'trunk_demoted', subjects: [subject] })
      await alerts.raiseWithin(tx, [{ kind: 'trunk_returned', subject, userId: null, details, message }])
    }
  }

  return {
    async judge(): Promise<void> {
      await figures.addQueued()
      await db.transaction().execute(async (tx) => {
        await lockJudgment(tx)
        // A rule that changes now waits, so no state of an old threshold is written after the change.
        await lockRules(tx)
        const rules = (await listRules(tx)).filter(({ min_asr }) => min_asr !== null)
        await forgetAttempts(tx, owner, earlier(clock.now(), KEPT_MS))
        for (const rule of rules) await judgeRule(tx, rule)
      })
    },

    /** Returns a demoted trunk to its place, for example after the carrier has repaired it. */
    async returnNow(caller: Caller, ruleId: number, trunkId: number): Promise<void> {
      requireAdmin(caller)
      // Queued attempts would count against the trunk later.
      await figures.addQueued()
      await db.transaction().execute(async (tx) => {
        await lockJudgment(tx)
        await lockRules(tx)
        const [rule] = await listRules(tx, { id: ruleId })
        const state = rule?.states.find(({ trunk_id }) => trunk_id === trunkId)
        if (!rule || !state) throw new Refusal('not_found')
        if (state.demoted_since === null) return
        const now = clock.now()
        const counts = await count(tx, [{ id: trunkId }], rule.country)
        const after = returnedTrunk(counts.get(trunkId) ?? [], now.getTime())
        await saveState(tx, { rule_id: ruleId, trunk_id: trunkId }, after, now)
        await alerts.closeWithin(tx, { kind: 'trunk_demoted', subjects: [demotionSubject(trunkId, ruleId)] })
        await audit.write(tx, caller, {
          action: 'routing_rule.return',
          subject: `routing rule ${ruleId}`,
          before: { trunk: state.name, demoted_since: state.demoted_since.toISOString() },
          after: { trunk: state.name, demoted_since: null },
        })
      })
    },
  }
}
