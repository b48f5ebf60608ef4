import type { DashboardCharts, Usage } from '@trunkline/contract/dashboard'
import { type ChartTable, calls, total } from '../../../common/charts/words.ts'
import { formatDay, formatHour, formatMonth, formatMonthYear } from '../../../common/format/dates.ts'
import { formatMinutes } from '../../../common/format/durations.ts'
import { formatCost } from '../../../common/format/money.ts'
import { formatNumber, formatPercent } from '../../../common/format/numbers.ts'

/** Text for the line above each chart and for the table behind it. */

export type Hour = DashboardCharts['call_volume'][number]
export type RouteShare = DashboardCharts['trunk_usage'][number]
export type Month = DashboardCharts['monthly_usage'][number]

export function volumeReadout(hours: readonly Hour[], pointed: number | null): string {
  const hour = pointed === null ? undefined : hours[pointed]
  if (hour) return `${formatHour(hour.at)}: ${calls(hour.calls)}, ${formatNumber(hour.completed)} completed`
  const completed = total(hours, (one) => one.completed)
  return `${calls(total(hours, (one) => one.calls))}, ${formatNumber(completed)} completed`
}

export function usageReadout(routes: readonly RouteShare[], pointed: number | null): string {
  const route = pointed === null ? undefined : routes[pointed]
  if (route) return `${route.name}: ${calls(route.calls)}, ${formatPercent(route.share)}`
  return `${calls(total(routes, (one) => one.calls))} in the last 30 days`
}

export function monthlyReadout(months: readonly Month[], pointed: number | null): string {
  const month = pointed === null ? months.at(-1) : months[pointed]
  if (!month) return ''
  return `${formatMonthYear(month.month)}: ${formatMinutes(month.minutes)}, ${calls(month.calls)}, ${formatCost(month.cost)}`
}

export const volumeTable = (hours: readonly Hour[]): ChartTable => ({
  head: ['Hour', 'Calls', 'Completed'],
  rows: hours.map((hour) => [formatHour(hour.at), formatNumber(hour.calls), formatNumber(hour.completed)]),
})

export const usageTable = (routes: readonly RouteShare[]): ChartTable => ({
  head: ['Route', 'Calls', 'Share'],
  rows: routes.map((route) => [route.name, formatNumber(route.calls), formatPercent(route.share)]),
})

export const monthlyTable = (months: readonly Month[]): ChartTable => ({
  head: ['Month', 'Minutes', 'Calls', 'Cost'],
  rows: months.map((month) => [
    formatMonthYear(month.month),
    formatNumber(Math.round(month.minutes)),
    formatNumber(month.calls),
    formatCost(month.cost),
  ]),
})

export const monthBars = (months: readonly Month[]) =>
  months.map(({ month, minutes: figure }) => ({ key: month, label: formatMonth(month), figure }))

export const dayBars = (days: Usage['days']) =>
  days.map(({ day, cost }) => ({ key: day, label: formatDay(day), figure: cost }))

export function costReadout(usage: Usage, pointed: number | null): string {
  const day = pointed === null ? undefined : usage.days[pointed]
  if (day)
    return `${formatDay(day.day)}: ${formatCost(day.cost)}, ${calls(day.calls)}, ${formatMinutes(day.minutes)}`
  const spent = `${formatCost(usage.month_cost)} this month`
  return usage.month_forecast > usage.month_cost
    ? `${spent}, about ${formatCost(usage.month_forecast)} by its end`
    : spent
}

export const costTable = (days: Usage['days']): ChartTable => ({
  head: ['Day', 'Cost', 'Calls', 'Minutes'],
  rows: days.map((day) => [
    formatDay(day.day),
    formatCost(day.cost),
    formatNumber(day.calls),
    formatNumber(Math.round(day.minutes)),
  ]),
})

/** How long the balance lasts at the average cost of a day. Null without usage. */
export function enoughFor(balance: number, { day_cost }: Pick<Usage, 'day_cost'>): string | null {
  if (day_cost <= 0 || balance <= 0) return null
  const days = Math.floor(balance / day_cost)
  if (days > 365) return 'Enough for more than a year at your recent usage.'
  if (days < 1) return 'Enough for less than a day at your recent usage.'
  return `Enough for about ${days === 1 ? 'one day' : `${days} days`} at your recent usage.`
}
