/** Text for charts and for the tables behind them. */

export type ChartTable = { head: readonly string[]; rows: readonly (readonly string[])[] }

export const total = <T>(all: readonly T[], figure: (one: T) => number): number =>
  all.reduce((sum, one) => sum + figure(one), 0)

export const count = (figure: number): string => figure.toLocaleString('en-US')
export const calls = (figure: number): string => `${count(figure)} ${figure === 1 ? 'call' : 'calls'}`

/** In the time zone of the viewer. */
export const hourLabel = (at: string): string => new Date(at).toLocaleTimeString('en-US', { hour: 'numeric' })

/** `2026-11-15` is already a day of the viewer's calendar, so it is formatted without a time zone. */
export const dayLabel = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })

/** `2026-11` is already in the time zone of the viewer, so it is formatted in UTC. */
const inMonth = (month: string, options: Intl.DateTimeFormatOptions): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' })
export const monthLabel = (month: string): string => inMonth(month, { month: 'short' })
export const monthName = (month: string): string => inMonth(month, { month: 'short', year: 'numeric' })

export const hasCalls = (all: readonly { calls: number }[]): boolean => all.some((one) => one.calls > 0)

/** `$1.2k`, for an axis. */
export function shortDollars(figure: number): string {
  const [size, unit] = Math.abs(figure) >= 1_000 ? [figure / 1_000, 'k'] : [figure, '']
  const digits = Number.isInteger(size) ? 0 : Math.abs(size) < 1 ? 2 : 1
  return `${size < 0 ? '−' : ''}$${Math.abs(size).toFixed(digits)}${unit}`
}
