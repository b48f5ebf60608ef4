import type { AnswerOf, RequestOf } from '@trunkline/contract'
import type { GuardLayer } from '@trunkline/contract/guards'
import { formatExactMoney, formatMoney } from '../../../common/format/money.ts'
import {
  changedLimits,
  type FigureName,
  figures,
  shownCountries,
  type TypedLimits,
  typedLimits,
} from '../../../common/guards/limits-form.ts'

export type GuardsOfUser = AnswerOf<'GET /api/admin/users/:id/guards'>
type Change = RequestOf<'PATCH /api/admin/users/:id/guards'>['body']

export type Row = { label: string; inForce: string; byDefault: string; admin: string; customer: string }

const NOTHING = '–'

/** Every limit by layer: in force, default, administrator, customer. */
export function layersOf({ effective, defaults, admin, customer }: GuardsOfUser): Row[] {
  const row = (label: string, show: (layer: GuardLayer) => string | null): Row => ({
    label,
    inForce: show(effective) ?? NOTHING,
    byDefault: show(defaults) ?? NOTHING,
    admin: show(admin) ?? NOTHING,
    customer: show(customer) ?? NOTHING,
  })
  const flag = (value: boolean | null, yes: string, no: string) => (value === null ? null : value ? yes : no)
  // Without a list every country is allowed; in a single layer it means the limit is not set.
  const allowed = row(
    'Countries',
    ({ allowed_countries: list }) => list && shownCountries(list, 'No countries'),
  )
  return [
    ...figures.map(({ name, label }) => row(label, (layer) => shownFigure(name, layer[name]))),
    {
      ...allowed,
      inForce: effective.allowed_countries ? allowed.inForce : 'All countries',
      byDefault: defaults.allowed_countries ? allowed.byDefault : 'All countries',
    },
    row('Blocked countries', ({ blocked_countries: list }) => list && shownCountries(list, 'None')),
    row('High-risk numbers', ({ high_risk_allowed }) => flag(high_risk_allowed, 'Allowed', 'Blocked')),
    row('Outgoing calls', ({ calls_stopped }) => flag(calls_stopped, 'Stopped', 'Allowed')),
  ]
}

export function shownFigure(name: FigureName, figure: number | null): string | null {
  if (figure === null) return null
  if (name === 'daily_spend') return formatMoney(figure)
  return name === 'max_price' ? formatExactMoney(figure) : String(figure)
}

/** An empty figure or list, and 'default', mean the default. */
export type Typed = TypedLimits & { highRisk: 'default' | 'allowed' | 'blocked'; isStopped: boolean }

export const typedFrom = ({ admin }: GuardsOfUser): Typed => ({
  ...typedLimits(admin),
  highRisk: admin.high_risk_allowed === null ? 'default' : admin.high_risk_allowed ? 'allowed' : 'blocked',
  isStopped: admin.calls_stopped === true,
})

export const limitLabels: Readonly<Record<keyof Typed, string>> = {
  ...(Object.fromEntries(figures.map(({ name, label }) => [name, label])) as Record<FigureName, string>),
  allowed: 'Allowed countries',
  blocked: 'Blocked countries',
  highRisk: 'High-risk numbers',
  isStopped: 'Stop all calls',
}

/** Only changed limits. */
export function changeFrom(typed: Typed, { admin }: GuardsOfUser): Change {
  const change: Change = changedLimits(typed, admin)
  const highRisk = { default: null, allowed: true, blocked: false }[typed.highRisk]
  if (highRisk !== admin.high_risk_allowed) change.high_risk_allowed = highRisk
  const isStopped = typed.isStopped ? true : null
  if (isStopped !== (admin.calls_stopped || null)) change.calls_stopped = isStopped
  return change
}
