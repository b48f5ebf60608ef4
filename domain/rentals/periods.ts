/** Periods of a rental: months counted from its start in UTC. The first period is 1. */

/**
 * The end of a period. It has the day and time of the start, or the last day of a shorter month: a rental that starts on January 31
 * renews on February 28, March 31, April 30.
 */
export function periodEnd(startedAt: Date, period: number): Date {
  const end = new Date(startedAt)
  end.setUTCDate(1)
  end.setUTCMonth(startedAt.getUTCMonth() + period)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(startedAt.getUTCDate(), lastDay))
  return end
}

export const periodOf = (startedAt: Date, period: number): { from: Date; to: Date } => ({
  from: periodEnd(startedAt, period - 1),
  to: periodEnd(startedAt, period),
})

/** The period at a time after the start. */
export function periodContaining(startedAt: Date, at: Date): number {
  const months =
    (at.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 + at.getUTCMonth() - startedAt.getUTCMonth()
  const period = Math.max(1, months)
  return periodEnd(startedAt, period) > at ? period : period + 1
}
