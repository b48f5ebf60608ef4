import type { RoutingRule } from '@trunkline/contract/routing-rules'
import { formatMinutes } from '../../common/format/durations.ts'
import { formatCount, formatShortPercent } from '../../common/format/numbers.ts'

export const modeWords: Record<RoutingRule['mode'], { label: string; hint: string }> = {
  order: { label: 'Fixed order', hint: 'Calls try the trunks in this order.' },
  cost: { label: 'Least cost', hint: 'The trunk with the cheapest minute to the dialed number comes first.' },
  share: {
    label: 'Shares',
    hint: 'Each trunk comes first for its percentage of the calls. The others follow by cost.',
  },
}

export const scopeOf = ({ country }: Pick<RoutingRule, 'country'>): string => country || 'All other countries'

/** The trunks of a rule in one line. */
export function sayTrunks({ mode, trunks }: RoutingRule): string {
  if (mode === 'cost') return 'Cheapest minute first'
  if (trunks.length === 0) return 'The usual order'
  return mode === 'share'
    ? trunks.map(({ name, percent }) => `${name} ${formatShortPercent(percent)}`).join(', ')
    : trunks.map(({ name }) => name).join(', then ')
}

/** For a list. */
export const sayThreshold = ({ quality }: RoutingRule): string =>
  quality === null ? 'No ASR threshold' : `Last if ASR below ${formatShortPercent(quality.min_asr)}`

export const sayQuality = ({ quality, country }: RoutingRule): string =>
  quality === null
    ? 'No ASR threshold'
    : `Last if the ASR ${country ? `to ${country}` : 'to all countries'} is below ${formatShortPercent(quality.min_asr)} (at least ${formatCount(quality.min_calls, 'attempt')} in ${formatMinutes(quality.window_minutes)}), for ${formatMinutes(quality.rest_minutes)}`
