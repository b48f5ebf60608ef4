import type { BulkAction, SkipReason } from '@trunkline/contract/bulk-actions'
import { USER_TAGS_MAX } from '@trunkline/contract/limits'
import { type GuardRow, noGuards } from '../../catalogue/guards/store.ts'
import { loosens } from '../../catalogue/guards/templates.ts'
import type { TemplateRow } from '../../catalogue/guards/templates-store.ts'
import { plainLimits } from '../../catalogue/guards/view.ts'

type RouteOfPlan = { id: number; name: string; plan_name: string }

/** A user with everything that an action can change. */
export type Target = {
  id: number
  username: string
  is_admin: boolean
  is_premium: boolean
  disabled_at: Date | null
  merged_into: number | null
  tags: string[]
  /** The selected route in the country of the action. */
  route: RouteOfPlan | null
  admin: GuardRow | null
}

/** The resources of an action. */
export type Means = {
  template: TemplateRow | null
  route: (RouteOfPlan & { country: string; is_premium: boolean }) | null
}

type Values = Record<string, unknown>

export type PlannedRow = {
  userId: number
  username: string
  skipped: SkipReason | null
  before: Values
  after: Values
  /** True if the user may do more than before, which requires a confirmed password. */
  isLoosened: boolean
}

type Change = { before: Values; after: Values; skipped?: SkipReason | null; isLoosened?: boolean }

/** Decides what an action does to each user. Users who change come first. */
export function planBulkAction(
  action: BulkAction,
  means: Means,
  targets: readonly Target[],
  selfId: number,
): PlannedRow[] {
  const rows = targets.map((target): PlannedRow => {
    const { before, after, skipped = null, isLoosened = false } = changeOf(action, means, target)
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    return {
      userId: target.id,
      username: target.username,
      skipped: isProtected(action, target, selfId) ?? skipped ?? (isSame ? 'unchanged' : null),
      before,
      after,
      isLoosened,
    }
  })
  return rows.toSorted(
    (left, right) => Number(left.skipped !== null) - Number(right.skipped !== null) || byName(left, right),
  )
}

const byName = (left: PlannedRow, right: PlannedRow) =>
  left.username.localeCompare(right.username, 'en') || left.userId - right.userId

/** Only tags of administrators change in bulk. */
function isProtected({ kind }: BulkAction, { id, is_admin }: Target, selfId: number): SkipReason | null {
  if (!is_admin || kind === 'add_tag' || kind === 'remove_tag') return null
  return id === selfId ? 'own_account' : 'administrator'
}

function changeOf(action: BulkAction, means: Means, target: Target): Change {
  switch (action.kind) {
    case 'add_tag':
      return addTag(target, action.tag)
    case 'remove_tag':
      return {
        before: { tags: target.tags },
        after: { tags: target.tags.filter((tag) => tag !== action.tag) },
      }
    case 'enable':
    case 'disable':
      return {
        skipped: target.merged_into === null ? null : 'merged',
        before: { is_disabled: target.disabled_at !== null },
        after: { is_disabled: action.kind === 'disable' },
      }
    case 'make_premium':
    case 'end_premium':
      return {
        before: { is_premium: target.is_premium },
        after: { is_premium: action.kind === 'make_premium' },
      }
    case 'apply_template':
      return applyTemplate(target, means)
    case 'select_route':
      return selectRoute(target, means)
  }
}

function addTag({ tags }: Target, tag: string): Change {
  const before = { tags }
  if (tags.includes(tag)) return { before, after: before }
  if (tags.length >= USER_TAGS_MAX) return { before, after: before, skipped: 'too_many_tags' }
  return { before, after: { tags: [...tags, tag].toSorted() } }
}

function applyTemplate({ admin }: Target, { template }: Means): Change {
  if (!template) throw new Error('an action with a template needs the template')
  return {
    before: plainLimits(admin ?? noGuards),
    after: plainLimits(template),
    isLoosened: loosens(admin, template),
  }
}

function selectRoute({ route: selected, is_premium }: Target, { route }: Means): Change {
  if (!route) throw new Error('an action with a route needs the route')
  const { country } = route
  const before = { country, ...routeValues(selected) }
  if (route.is_premium && !is_premium) return { before, after: before, skipped: 'premium_only' }
  return { before, after: { country, ...routeValues(route) } }
}

/** Routes of one country can have the same name, even on the same plan, so the values include the id. */
const routeValues = (route: RouteOfPlan | null): Values => ({
  route: route?.name ?? null,
  plan: route?.plan_name ?? null,
  route_id: route?.id ?? null,
})
