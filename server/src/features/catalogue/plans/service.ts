import { Refusal } from '@trunkline/contract/errors'
import type { Plan } from '@trunkline/contract/plans'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, isDuplicate } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import {
  changePlanTrunks,
  deletePlan,
  findPlan,
  insertPlan,
  listPlanNames,
  listPlans,
  listTrunkNames,
  lockPlan,
  lockTrunks,
  PLAN_NAME_INDEX,
  type PlanRow,
  renamePlan,
} from './store.ts'

export type Plans = ReturnType<typeof createPlans>

export function createPlans(db: Database, clock: Clock, audit: Audit) {
  /** Locks a plan and returns it with its number of routes and trunks. */
  async function take(tx: Database, caller: Caller, id: number) {
    requireAdmin(caller)
    await lockPlan(tx, id)
    return requireFound(await findPlan(tx, id))
  }

  return {
    names: (): Promise<string[]> => listPlanNames(db),

    async list(caller: Caller): Promise<Plan[]> {
      requireAdmin(caller)
      return (await listPlans(db)).map(view)
    },

    create: (caller: Caller, name: string): Promise<Plan> =>
      orTaken(() =>
        db.transaction().execute(async (tx) => {
          requireAdmin(caller)
          const plan = await insertPlan(tx, name, clock.now())
          await audit.write(tx, caller, { ...auditEntry('plan.create', plan), before: null, after: { name } })
          return view({ ...plan, routes: 0, trunks: 0, trunk_ids: [] })
        }),
      ),

    rename: (
      caller: Caller,
      id: number,
      { name, was }: { name: string; was?: string | undefined },
    ): Promise<Plan> =>
      orTaken(() =>
        db.transaction().execute(async (tx) => {
          const plan = await take(tx, caller, id)
          requireUnchanged(plan.name, was)
          await renamePlan(tx, id, name)
          const before = { name: plan.name }
          await audit.write(tx, caller, { ...auditEntry('plan.update', plan), before, after: { name } })
          return view({ ...plan, name })
        }),
      ),

    /** Adds and removes the given trunks and keeps concurrent changes of others. */
    changeTrunks: (
      caller: Caller,
      id: number,
      { add, remove }: { add: readonly number[]; remove: readonly number[] },
    ): Promise<Plan> =>
      db.transaction().execute(async (tx) => {
        const plan = await take(tx, caller, id)
        const before = await listTrunkNames(tx, id)
        const known = await lockTrunks(tx, [...add, ...remove])
        if ([...add, ...remove].some((trunk) => !known.has(trunk))) throw new Refusal('not_found')
        await changePlanTrunks(tx, id, { add, remove, now: clock.now() })
        const after = await listTrunkNames(tx, id)
        const entry = {
          ...auditEntry('plan.trunks', plan),
          before: { trunks: before },
          after: { trunks: after },
        }
        await audit.write(tx, caller, entry)
        return view((await findPlan(tx, id)) ?? plan)
      }),

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const plan = await take(tx, caller, id)
        if (plan.routes + plan.trunks > 0) throw new Refusal('plan_in_use')
        await deletePlan(tx, id)
        const before = { name: plan.name }
        await audit.write(tx, caller, { ...auditEntry('plan.delete', plan), before, after: null })
      }),
  }
}

async function orTaken<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    if (isDuplicate(error, PLAN_NAME_INDEX)) throw new Refusal('plan_taken')
    throw error
  }
}

const auditEntry = (action: string, { id }: PlanRow) => ({ action, subject: `plan ${id}` })

const view = ({ id, name, routes, trunks, trunk_ids }: Plan): Plan => ({
  id,
  name,
  routes,
  trunks,
  trunk_ids,
})
