import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import type { GuardChange } from '@trunkline/contract/guards'
import type { LimitTemplate } from '@trunkline/contract/limit-templates'
import { LIMIT_TEMPLATES_MAX } from '@trunkline/contract/limits'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import { effectiveGuards, isLoosened } from '@trunkline/domain/guards'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, refuseDuplicate } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { lockUser } from '../../identity/users/store.ts'
import { readGuardsOfUser } from './of-user.ts'
import { findGuardLayers, type GuardValues } from './store.ts'
import {
  applyTemplate,
  type CountedTemplate,
  countForAddition,
  deleteTemplate,
  holdTemplate,
  insertTemplate,
  listTemplates,
  lockTemplate,
  TEMPLATE_NAME_INDEX,
  type TemplateRow,
  type TemplateValues,
  updateTemplate,
} from './templates-store.ts'
import { changed, layerOf, plainLimits, viewLayer } from './view.ts'

export type LimitTemplates = ReturnType<typeof createLimitTemplates>

type Limits = Omit<GuardChange, 'calls_stopped'>
type Change = Limits & { name?: string | undefined; version?: number | undefined }
type GuardsOfUser = AnswerOf<'GET /api/admin/users/:id/guards'>

/** Named limits that administrators apply to customers. */
export function createLimitTemplates(db: Database, clock: Clock, audit: Audit) {
  async function take(tx: Database, caller: Caller, id: number): Promise<TemplateRow> {
    requireAdmin(caller)
    return requireFound(await lockTemplate(tx, id))
  }

  async function show(handle: Database, caller: Caller, id: number): Promise<LimitTemplate> {
    const rows = await listTemplates(handle, everyonesData(caller))
    return view(requireFound(rows.find((row) => row.id === id)))
  }

  return {
    list: async (caller: Caller): Promise<LimitTemplate[]> =>
      (await listTemplates(db, everyonesData(caller))).map(view),

    create: (caller: Caller, { name, ...limits }: Limits & { name: string }): Promise<LimitTemplate> =>
      db
        .transaction()
        .execute(async (tx) => {
          requireAdmin(caller)
          if ((await countForAddition(tx)) >= LIMIT_TEMPLATES_MAX) throw new Refusal('too_many_templates')
          const row = await insertTemplate(tx, { name, ...valuesOf(null, limits) }, clock.now())
          const after = summary(row)
          await audit.write(tx, caller, { ...auditEntry('limit_template.create', row), before: null, after })
          return show(tx, caller, row.id)
        })
        .catch(orTaken),

    change: (caller: Caller, id: number, { version, name, ...limits }: Change): Promise<LimitTemplate> =>
      db
        .transaction()
        .execute(async (tx) => {
          const row = await take(tx, caller, id)
          requireUnchanged(row.version, version)
          const wanted = { name: name ?? row.name, ...valuesOf(row, limits) }
          const [before, after] = [summary(row), summary(wanted)]
          if (JSON.stringify(before) !== JSON.stringify(after)) {
            await updateTemplate(tx, id, wanted, clock.now())
            await audit.write(tx, caller, { ...auditEntry('limit_template.update', row), before, after })
          }
          return show(tx, caller, id)
        })
        .catch(orTaken),

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        await deleteTemplate(tx, id)
        const before = summary(row)
        await audit.write(tx, caller, { ...auditEntry('limit_template.delete', row), before, after: null })
      }),

    /** Like a change of limits by hand: loosening one requires a confirmed password. */
    apply: (
      caller: Caller,
      userId: number,
      { template_id, updated_at }: { template_id: number; updated_at?: string | null | undefined },
      isProven: boolean,
    ): Promise<GuardsOfUser> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        const template = requireFound(await holdTemplate(tx, template_id))
        await lockUser(tx, scope, userId)
        const before = await readGuardsOfUser(tx, scope, userId)
        requireUnchanged(before.updated_at, updated_at)
        const { admin } = await findGuardLayers(tx, scope, userId)
        if (!isProven && loosens(admin, template)) throw new Refusal('password_needed')
        const applied = { template, limits: plainLimits(template), by: caller.userId }
        await applyTemplate(tx, scope, [userId], applied, clock.now())
        const after = await readGuardsOfUser(tx, scope, userId)
        await audit.write(tx, caller, {
          action: 'guards.template',
          subject: `guards of user ${userId}`,
          userId,
          before: before.admin,
          after: { template: template.name, ...after.admin },
        })
        return after
      }),
  }
}

/** True if a template allows something that the limits of the administrator refuse. */
export const loosens = (admin: GuardValues | null, template: TemplateRow): boolean =>
  isLoosened(
    effectiveGuards(layerOf(admin), null),
    effectiveGuards(layerOf({ ...template, are_calls_stopped: admin?.are_calls_stopped ?? null }), null),
  )

function valuesOf(row: TemplateRow | null, limits: Limits): TemplateValues {
  const { are_calls_stopped: _stopped, ...values } = changed(
    row && { ...row, are_calls_stopped: null },
    limits,
  )
  return values
}

function view({ id, name, users, version, ...row }: CountedTemplate): LimitTemplate {
  const { calls_stopped: _stopped, ...limits } = viewLayer(layerOf({ ...row, are_calls_stopped: null }))
  return { id, name, ...limits, users, version }
}

const summary = (row: TemplateValues & { name: string }) => ({ name: row.name, ...plainLimits(row) })

const auditEntry = (action: string, row: TemplateRow) => ({ action, subject: `limit template ${row.id}` })

const orTaken = refuseDuplicate(TEMPLATE_NAME_INDEX, 'template_taken')
