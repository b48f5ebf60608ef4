import { formatCount } from '../format/numbers.ts'

/** Text for charts and for the tables behind them. */

export type ChartTable = { head: readonly string[]; rows: readonly (readonly string[])[] }

export const total = <T>(all: readonly T[], figure: (one: T) => number): number =>
  all.reduce((sum, one) => sum + figure(one), 0)

export const calls = (figure: number): string => formatCount(figure, 'call')

export const hasCalls = (all: readonly { calls: number }[]): boolean => all.some((one) => one.calls > 0)
