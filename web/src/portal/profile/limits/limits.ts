import type { RequestOf } from '@trunkline/contract'
import type { Guards } from '@trunkline/contract/guards'
import { ownMessages } from '@trunkline/contract/messages'
import { formatExactMoney, formatMoney } from '../../../common/format/money.ts'
import {
  changedLimits,
  type Faults,
  type Figure,
  figures,
  shownCountries,
  type TypedLimits,
  typedLimits,
  validateLimits,
} from '../../../common/guards/limits-form.ts'
import type { OwnGuards } from '../queries.ts'

/** Customers see limits of an administrator and defaults as one: `account`. */
export type SetBy = 'you' | 'account'
type LimitRow = { name: string; value: string; setBy: SetBy }

type Change = RequestOf<'PATCH /api/user/guards'>['body']

export function shownFigure({ name, unit }: Figure, guards: Guards): string {
  const value = guards[name]
  if (name === 'max_price') return value === 0 ? 'Free calls only' : `${formatExactMoney(value)} / min`
  return unit === 'dollars' ? formatMoney(value) : String(value)
}

/** The limits in force and who set them. */
export function limitRows({ effective, ceiling }: OwnGuards): LimitRow[] {
  const row = (name: string, show: (guards: Guards) => string): LimitRow => ({
    name,
    value: show(effective),
    setBy: show(effective) === show(ceiling) ? 'account' : 'you',
  })
  return [
    ...figures.map((figure) => row(figure.label, (guards) => shownFigure(figure, guards))),
    row('Countries', ({ allowed_countries }) =>
      allowed_countries === null ? 'All countries' : shownCountries(allowed_countries, 'No countries'),
    ),
    row('Blocked countries', ({ blocked_countries }) => shownCountries(blocked_countries, 'None')),
    row('High-risk numbers', ({ high_risk_allowed }) => (high_risk_allowed ? 'Allowed' : 'Blocked')),
  ]
}

/** Form values. An empty figure or an empty list of allowed countries means no own limit. */
export type Typed = TypedLimits & { blocksHighRisk: boolean }

export const typedFrom = ({ own }: OwnGuards): Typed => ({
  ...typedLimits(own),
  blocksHighRisk: own.high_risk_allowed === false,
})

export const validateOwnLimits = (typed: Typed, ceiling: Guards): Faults =>
  validateLimits(typed, (name, figure) => (figure > ceiling[name] ? ownMessages.guardTooLoose : null))

/** Only the changed limits. */
export function changeFrom(typed: Typed, { own }: OwnGuards): Change {
  const change: Change = changedLimits(typed, own)
  const highRisk = typed.blocksHighRisk ? false : null
  if (highRisk !== own.high_risk_allowed) change.high_risk_allowed = highRisk
  return change
}
