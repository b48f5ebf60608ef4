import { formatNumber } from '../common/format/numbers.ts'

export type Change = { direction: 'up' | 'down' | 'same'; text: string }

/** Percentages change by points, other figures by percent. Null if there is nothing to compare with. */
export function changeBetween(now: number | null, then: number | null, isPercentage: boolean): Change | null {
  if (now === null || then === null || (!isPercentage && then === 0)) return null
  const difference = isPercentage ? now - then : ((now - then) / Math.abs(then)) * 100
  const size = Math.abs(difference)
  const shown = formatNumber(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))
  if (shown === '0') return { direction: 'same', text: 'no change' }
  return {
    direction: difference > 0 ? 'up' : 'down',
    text: isPercentage ? `${shown} pts` : `${shown}%`,
  }
}
