import { readDay, writeDay } from '../../common/period.ts'

export const exportPeriods = {
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  month: 'This month',
  custom: 'Custom range',
  all: 'All time',
} as const
export type ExportPeriod = keyof typeof exportPeriods

type Days = { from?: string | undefined; to?: string | undefined }

/** First and last day of a period in the viewer's calendar; empty for all time. */
export function exportDays(period: ExportPeriod, typed: { from: string; to: string }, now: Date): Days {
  if (period === 'all') return {}
  if (period === 'custom')
    return { from: readDay(typed.from) ?? undefined, to: readDay(typed.to) ?? undefined }
  if (period === 'month') return { from: writeDay(new Date(now.getFullYear(), now.getMonth(), 1)) }
  return { from: writeDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - Number(period) + 1)) }
}
