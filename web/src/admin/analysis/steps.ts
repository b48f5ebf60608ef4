import type { Grain } from '@trunkline/contract/analysis'
import { formatDay, formatLocalHour, formatMonth, formatMonthYear } from '../../common/format/dates.ts'

/** `at` is a local day, or a local time such as `2026-11-15T14:00`. The long form names the day of an hour. */
export function stepLabel(at: string, grain: Grain, isLong = false): string {
  const [day = '', time = ''] = at.split('T')
  if (grain === 'hour')
    return isLong
      ? `${formatDay(day)}, ${formatLocalHour(at)}`
      : time === '00:00'
        ? formatDay(day)
        : formatLocalHour(at)
  if (grain === 'month') return isLong ? formatMonthYear(day.slice(0, 7)) : formatMonth(day.slice(0, 7))
  return isLong && grain === 'week' ? `Week from ${formatDay(day)}` : formatDay(day)
}
