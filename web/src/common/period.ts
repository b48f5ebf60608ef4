/** The periods of the report, in the time zone of the viewer. */
export const periods = {
  today: 'Today',
  week: 'This Week',
  month: 'This Month',
  custom: 'Custom Range',
} as const
export type Period = keyof typeof periods

/** `from` is inclusive, `to` is exclusive. */
type TimeSpan = { from?: string; to?: string }

const DAYS_OF_WEEK = 7

/**
 * Today is the calendar day. Week and month reach back seven days and one calendar month from now. Custom includes both
 * days; without days it has no limits.
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

/** From the start of the first day to the end of the last day. Both are optional. */
export const spanOfDays = (days: { from?: string | undefined; to?: string | undefined }): TimeSpan => ({
  ...(days.from !== undefined && { from: at(startOfDay(dayOf(days.from), 0)) }),
  ...(days.to !== undefined && { to: at(startOfDay(dayOf(days.to), 1)) }),
})

const at = (moment: Date): string => moment.toISOString()

/** Days with a clock change do not have 24 hours. */
const startOfDay = (day: Date, later: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + later)

/** One month before March 31 is the last day of February. */
function oneMonthBefore(now: Date): Date {
  const before = new Date(now)
  before.setMonth(now.getMonth() - 1)
  if (before.getDate() !== now.getDate()) before.setDate(0)
  return before
}

/** Accepts `2026-11-15`; null for invalid dates, and for years before 1000 that the browser reports while one is typed. */
export function readDay(written: string): string | null {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(written)) return null
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
