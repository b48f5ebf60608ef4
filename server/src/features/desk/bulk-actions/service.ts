import type { AnswerOf } from '@trunkline/contract'
import type { UserFilter } from '@trunkline/contract/admin-users'
import type { BulkAction, BulkRow, BulkUsers, SkipReason } from '@trunkline/contract/bulk-actions'
import { Refusal } from '@trunkline/contract/errors'
import { BULK_USERS_MAX } from '@trunkline/contract/limits'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import { findAdminLayers } from '../../catalogue/guards/store.ts'
import { applyTemplate, holdTemplate } from '../../catalogue/guards/templates-store.ts'
import { plainLimits } from '../../catalogue/guards/view.ts'
import { findRouteForUse } from '../../catalogue/routes/store.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { countUsers, findUserIds } from '../admin-users/list-store.ts'
import { lockUsers } from '../admin-users/store.ts'
import { type Means, type PlannedRow, planBulkAction } from './plan.ts'
import {
  addTagToAll,
  type BulkRowOfUser,
  deleteBulkActions,
  findBulkAction,
  insertBulkAction,
  listBulkRows,
  lockBulkAction,
  markApplied,
  readTargets,
  removeTagFromAll,
  selectRouteForAll,
  setDisabledOfAll,
  setPremiumOfAll,
} from './store.ts'

export type BulkActions = ReturnType<typeof createBulkActions>

/** Rows in the answer to a preview. */
const FIRST_ROWS = 50
/** How long a preview can be applied or its answer repeated. */
const KEPT_FOR = DAY
/** Users that a conflict names. */
const NAMED = 3

type Preview = AnswerOf<'POST /api/admin/bulk-actions'>
type Applied = AnswerOf<'POST /api/admin/bulk-actions/:id/apply'>

/** Actions on many users: a stored preview, then exactly its changes in one transaction. */
export function createBulkActions(db: Database, clock: Clock, audit: Audit) {
  async function meansOf(handle: Database, action: BulkAction): Promise<Means> {
    const template =
      action.kind === 'apply_template' ? await holdTemplate(handle, action.template_id) : undefined
    const route = action.kind === 'select_route' ? await findRouteForUse(handle, action.route_id) : undefined
    if (action.kind === 'apply_template' && !template) throw new Refusal('not_found')
    if (action.kind === 'select_route' && !route) throw new Refusal('not_found')
    return { template: template ?? null, route: route ?? null }
  }

  async function plan(
    handle: Database,
    caller: Caller,
    action: BulkAction,
    userIds: readonly number[],
  ): Promise<{ means: Means; rows: PlannedRow[] }> {
    const scope = everyonesData(caller)
    const means = await meansOf(handle, action)
    const found = await readTargets(handle, scope, userIds, means.route?.country ?? null)
    const layers =
      action.kind === 'apply_template' && userIds.length > 0
        ? await findAdminLayers(handle, scope, userIds)
        : new Map()
    const targets = found.map((target) => ({ ...target, admin: layers.get(target.id) ?? null }))
    return { means, rows: planBulkAction(action, means, targets, caller.userId) }
  }

  async function idsOf(handle: Database, caller: Caller, users: BulkUsers): Promise<number[]> {
    if ('ids' in users) return [...new Set(users.ids)]
    const ids = await findUserIds(
      handle,
      everyonesData(caller),
      { ...users.filter, now: clock.now() },
      BULK_USERS_MAX + 1,
    )
    if (ids.length > BULK_USERS_MAX) throw new Refusal('too_many_users')
    return ids
  }

  async function execute(
    tx: Database,
    caller: Caller,
    action: BulkAction,
    { template, route }: Means,
    ids: readonly number[],
  ): Promise<void> {
    const scope = everyonesData(caller)
    const now = clock.now()
    switch (action.kind) {
      case 'add_tag':
        return addTagToAll(tx, scope, ids, action.tag)
      case 'remove_tag':
        return removeTagFromAll(tx, scope, ids, action.tag)
      case 'enable':
        return setDisabledOfAll(tx, scope, ids, null)
      case 'disable':
        return setDisabledOfAll(tx, scope, ids, now)
      case 'make_premium':
      case 'end_premium':
        return setPremiumOfAll(tx, scope, ids, action.kind === 'make_premium')
      case 'apply_template':
        if (template)
          await applyTemplate(
            tx,
            scope,
            ids,
            { template, limits: plainLimits(template), by: caller.userId },
            now,
          )
        return
      case 'select_route':
        if (route) await selectRouteForAll(tx, scope, ids, route, now)
    }
  }

  return {
    async count(caller: Caller, filter: UserFilter): Promise<{ users: number }> {
      return { users: await countUsers(db, everyonesData(caller), { ...filter, now: clock.now() }) }
    },

    preview: (caller: Caller, action: BulkAction, users: BulkUsers): Promise<Preview> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        await deleteBulkActions(tx, scope, earlier(clock.now(), KEPT_FOR))
        const { rows } = await plan(tx, caller, action, await idsOf(tx, caller, users))
        const id = await insertBulkAction(tx, scope, { actorId: caller.userId, action }, rows, clock.now())
        const changing = rows.filter(({ skipped }) => skipped === null).length
        const first = await listBulkRows(tx, scope, id, { after: 0, limit: FIRST_ROWS + 1 })
        return { id, changing, skipped: rows.length - changing, ...pageOfRows(first, FIRST_ROWS) }
      }),

    async rows(
      caller: Caller,
      id: number,
      { after, limit }: { after: number; limit: number },
    ): Promise<AnswerOf<'GET /api/admin/bulk-actions/:id/rows'>> {
      requireFound(await findBulkAction(db, caller.userId, id))
      return pageOfRows(await listBulkRows(db, everyonesData(caller), id, { after, limit: limit + 1 }), limit)
    },

    /** Plans again under the locks of the users, and refuses if the plan differs from the preview. */
    apply: (caller: Caller, id: number, isProven: boolean): Promise<Applied> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        const bulk = requireFound(await lockBulkAction(tx, caller.userId, id))
        const previewed = await listBulkRows(tx, scope, id, { after: 0 })
        const changing = previewed.filter(({ skipped }) => skipped === null)
        const answer = { changed: changing.length, skipped: previewed.length - changing.length }
        if (bulk.applied_at !== null) return answer

        const userIds = previewed.map(({ user_id }) => user_id)
        const self = (await lockUsers(tx, scope, [caller.userId, ...userIds])).get(caller.userId)
        if (!self?.is_admin || self.disabled_at !== null) throw new Refusal('admin_only')
        const action = bulk.action as BulkAction
        const { means, rows } = await plan(tx, caller, action, userIds)
        const changed = differing(previewed, rows)
        if (changed.length > 0) throw new Refusal('changed_meanwhile', sayChanged(changed))
        if (!isProven && rows.some(({ skipped, isLoosened }) => skipped === null && isLoosened))
          throw new Refusal('password_needed')
        if (changing.length > 0)
          await execute(
            tx,
            caller,
            action,
            means,
            changing.map(({ user_id }) => user_id),
          )
        await audit.writeAll(
          tx,
          caller,
          changing.map((row) => auditEntry(action, means, id, row)),
        )
        await markApplied(tx, scope, id, clock.now())
        return answer
      }),
  }
}

function pageOfRows(rows: readonly BulkRowOfUser[], limit: number): { rows: BulkRow[]; next: number | null } {
  const { shown, next } = pageOf(rows, limit, ({ place }) => place)
  return {
    rows: shown.map(({ user_id, username, skipped, before, after }) => ({
      user: { id: user_id, username },
      skipped: skipped as SkipReason | null,
      before,
      after,
    })),
    next,
  }
}

/** Users whose plan is not the one of the preview. */
function differing(previewed: readonly BulkRowOfUser[], rows: readonly PlannedRow[]): string[] {
  const planned = new Map(rows.map((row) => [row.userId, row]))
  return previewed
    .filter((was) => {
      const now = planned.get(was.user_id)
      return (
        !now ||
        now.skipped !== was.skipped ||
        !isSame(now.before, was.before) ||
        !isSame(now.after, was.after)
      )
    })
    .map(({ username }) => username)
}

/** Compares by field: the database does not keep the order of fields. */
const isSame = (left: Record<string, unknown>, right: Record<string, unknown>): boolean =>
  Object.keys({ ...left, ...right }).every(
    (name) => JSON.stringify(left[name]) === JSON.stringify(right[name]),
  )

function sayChanged(usernames: readonly string[]): string {
  const others = usernames.length - NAMED
  const named = usernames.slice(0, NAMED).join(', ')
  return `Nothing was applied. Changed since the preview: ${named}${others > 0 ? ` and ${others} more` : ''}.`
}

const auditActions = {
  add_tag: 'user.tags',
  remove_tag: 'user.tags',
  apply_template: 'guards.template',
  select_route: 'selected_route.update',
  enable: 'user.enable',
  disable: 'user.disable',
  make_premium: 'user.update',
  end_premium: 'user.update',
} as const satisfies Record<BulkAction['kind'], string>

function auditEntry({ kind }: BulkAction, { template }: Means, bulkId: number, row: BulkRowOfUser) {
  const { user_id: userId, before, after } = row
  const subjects: Partial<Record<BulkAction['kind'], string>> = {
    apply_template: `guards of user ${userId}`,
    select_route: `selected route of user ${userId}`,
  }
  return {
    action: auditActions[kind],
    subject: subjects[kind] ?? `user ${userId}`,
    userId,
    reason: `Bulk action ${bulkId}`,
    before,
    after: template ? { template: template.name, ...after } : after,
  }
}
