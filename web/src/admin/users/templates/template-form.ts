import type { RequestOf } from '@trunkline/contract'
import type { GuardLayer } from '@trunkline/contract/guards'
import type { LimitTemplate } from '@trunkline/contract/limit-templates'
import { changedLimits, shownCountries, typedLimits } from '../../../common/guards/limits-form.ts'
import { limitLabels, shownFigure, type Typed as TypedGuards } from '../page/guards-form.ts'

export type Typed = Omit<TypedGuards, 'isStopped'> & { name: string }
type Fields = RequestOf<'POST /api/admin/limit-templates'>['body']

const { isStopped: _isStopped, ...labels } = limitLabels
export const templateLabels: Readonly<Record<keyof Typed, string>> = { name: 'Name', ...labels }

const noLimits: GuardLayer = {
  max_concurrent_calls: null,
  max_calls_per_second: null,
  daily_spend: null,
  max_price: null,
  allowed_countries: null,
  blocked_countries: null,
  high_risk_allowed: null,
  calls_stopped: null,
}

export const typedFrom = (template: LimitTemplate | null): Typed => ({
  name: template?.name ?? '',
  ...typedLimits({ ...noLimits, ...template }),
  highRisk:
    template === null || template.high_risk_allowed === null
      ? 'default'
      : template.high_risk_allowed
        ? 'allowed'
        : 'blocked',
})

/** Limits that differ from the template, or from a template without limits. */
export const fieldsFrom = (typed: Typed, template: LimitTemplate | null): Fields => ({
  name: typed.name.trim(),
  ...changedLimits(typed, { ...noLimits, ...template }),
  high_risk_allowed: { default: null, allowed: true, blocked: false }[typed.highRisk],
})

/** One line, such as "Daily spend $20.00 · Concurrent calls 4". */
export function sayLimits(template: Omit<GuardLayer, 'calls_stopped'>): string {
  const figure = (name: 'daily_spend' | 'max_price' | 'max_concurrent_calls' | 'max_calls_per_second') => {
    const shown = shownFigure(name, template[name])
    return shown && `${limitLabels[name]} ${shown}`
  }
  const parts = [
    figure('daily_spend'),
    figure('max_price'),
    figure('max_concurrent_calls'),
    figure('max_calls_per_second'),
    template.allowed_countries && `Allowed countries: ${shownCountries(template.allowed_countries, 'none')}`,
    template.blocked_countries && `Blocked countries: ${shownCountries(template.blocked_countries, 'none')}`,
    template.high_risk_allowed !== null &&
      `High-risk numbers ${template.high_risk_allowed ? 'allowed' : 'blocked'}`,
  ].filter((part) => typeof part === 'string')
  return parts.length === 0 ? 'Default limits' : parts.join(' · ')
}
