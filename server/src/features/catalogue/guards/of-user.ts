import type { AnswerOf } from '@trunkline/contract'
import { templateLimits } from '@trunkline/contract/guards'
import type { AllUsers } from '@trunkline/domain/access'
import { defaultGuards, effectiveGuards } from '@trunkline/domain/guards'
import type { Database } from '../../../platform/database.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import { findUserById } from '../../identity/users/store.ts'
import { findGuardLayers, type GuardRow, noGuards } from './store.ts'
import { findAppliedTemplate } from './templates-store.ts'
import { layerOf, plainLimits, viewGuards, viewLayer } from './view.ts'

type GuardsOfUser = AnswerOf<'GET /api/admin/users/:id/guards'>

/** The limits of an account by layer, with the template that it got last. */
export async function readGuardsOfUser(
  handle: Database,
  scope: AllUsers,
  userId: number,
): Promise<GuardsOfUser> {
  const user = requireFound(await findUserById(handle, scope, userId))
  const rows = await findGuardLayers(handle, scope, userId)
  const [admin, customer] = [layerOf(rows.admin), layerOf(rows.customer)]
  return {
    user: { id: user.id, username: user.username },
    effective: viewGuards(effectiveGuards(admin, customer)),
    defaults: viewGuards(defaultGuards),
    admin: viewLayer(admin),
    customer: viewLayer(customer),
    template: await readTemplate(handle, scope, userId, rows.admin),
    updated_at: rows.admin?.updated_at.toISOString() ?? null,
  }
}

async function readTemplate(
  handle: Database,
  scope: AllUsers,
  userId: number,
  admin: GuardRow | null,
): Promise<GuardsOfUser['template']> {
  const applied = await findAppliedTemplate(handle, scope, userId)
  if (!applied) return null
  const now = plainLimits(admin ?? noGuards)
  return {
    id: applied.template_id,
    name: applied.name,
    applied_at: applied.applied_at.toISOString(),
    applied_by: applied.applied_by_name,
    changed: templateLimits.filter(
      (name) => JSON.stringify(now[name]) !== JSON.stringify(applied.limits[name]),
    ),
  }
}
