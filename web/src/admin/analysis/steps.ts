import type { Grain } from '@trunkline/contract/analysis'
import { dayLabel, monthLabel, monthName } from '../../common/charts/words.ts'

/** `at` is a local day, or a local time such as `2026-11-15T14:00`. The long form names the day of an hour. */
export function stepLabel(at: string, grain: Grain, isLong = false): string {
  const [day = '', time = ''] = at.split('T')
  if (grain === 'hour') return isLong ? `${dayLabel(day)}, ${time}` : time === '00:00' ? dayLabel(day) : time
  if (grain === 'month') return isLong ? monthName(day.slice(0, 7)) : monthLabel(day.slice(0, 7))
  return isLong && grain === 'week' ? `Week from ${dayLabel(day)}` : dayLabel(day)
}
