/** Text for charts and for the tables behind them. */

export type ChartTable = { head: readonly string[]; rows: readonly (readonly string[])[] }

export const total = <T>(all: readonly T[], figure: (one: T) => number): number =>
  all.reduce((sum, one) => sum + figure(one), 0)

export const count = (figure: number): string => figure.toLocaleString('en-US')
export const calls = (figure: number): string => `${count(figure)} ${figure === 1 ? 'call' : 'calls'}`

/** In the time zone of the viewer. */
export const hourLabel = (at: string): string => new Date(at).toLocaleTimeString('en-US', { hour: 'numeric' })

export const hasCalls = (all: readonly { calls: number }[]): boolean => all.some((one) => one.calls > 0)
