/** The periods of the report, by the viewer's own clock and calendar. */
export const periods = {
  today: 'Today',
  week: 'This Week',
  month: 'This Month',
  custom: 'Custom Range',
} as const
export type Period = keyof typeof periods

/** Of the two moments the first is included, the second is not. */
type TimeSpan = { from?: string; to?: string }

const DAYS_OF_WEEK = 7

/**
 * Today: the calendar day. Week: the last seven days until now. Month: from one calendar month back until now. Custom:
 * the days given, both included; with none given it asks nothing of the time. `until now` needs no second moment, no
 * call has begun later.
 */
export function spanOf(
  period: Period,
  days: { from?: string | undefined; to?: string | undefined },
  now: Date,
): TimeSpan {
  switch (period) {
    case 'today':
      return { from: at(startOfDay(now, 0)), to: at(startOfDay(now, 1)) }
    case 'week':
      return { from: at(new Date(now.getTime() - DAYS_OF_WEEK * 24 * 3600_000)) }
    case 'month':
      return { from: at(oneMonthBefore(now)) }
    case 'custom':
      return spanOfDays(days)
  }
}

/** From the beginning of the first day to the end of the last; of what is not given nothing is asked. */
export const spanOfDays = (days: { from?: string | undefined; to?: string | undefined }): TimeSpan => ({
  ...(days.from !== undefined && { from: at(startOfDay(dayOf(days.from), 0)) }),
  ...(days.to !== undefined && { to: at(startOfDay(dayOf(days.to), 1)) }),
})

const at = (moment: Date): string => moment.toISOString()

/** Not by adding hours: a day on which clocks change has another number of them. */
const startOfDay = (day: Date, later: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + later)

/** A month that has no such day ends earlier: one month before March 31 is the last of February. */
function oneMonthBefore(now: Date): Date {
  const before = new Date(now)
  before.setMonth(now.getMonth() - 1)
  if (before.getDate() !== now.getDate()) before.setDate(0)
  return before
}

/** `2026-11-15` in the viewer's zone; null for what is no day of the calendar. */
export function readDay(written: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(written)) return null
  const day = dayOf(written)
  return writeDay(day) === written ? written : null
}

export const writeDay = (day: Date): string =>
  [
    String(day.getFullYear()).padStart(4, '0'),
    String(day.getMonth() + 1).padStart(2, '0'),
    String(day.getDate()).padStart(2, '0'),
  ].join('-')

function dayOf(written: string): Date {
  const [year = 0, month = 1, day = 1] = written.split('-').map(Number)
  return new Date(year, month - 1, day)
}

/** The name of the viewer's time zone; a browser that does not tell gets universal time. */
export const viewersZone = (): string => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return /^[A-Za-z]/.test(zone ?? '') && zone !== 'Etc/Unknown' ? zone : 'UTC'
}
