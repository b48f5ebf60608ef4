import type { DashboardCharts, Usage } from '@trunkline/contract/dashboard'
import {
  type ChartTable,
  calls,
  count,
  dayLabel,
  hourLabel,
  monthLabel,
  monthName,
  total,
} from '../../../common/charts/words.ts'
import { costInDollars } from '../../../common/prices.ts'

/** Text for the line above each chart and for the table behind it. */

export type Hour = DashboardCharts['call_volume'][number]
export type RouteShare = DashboardCharts['trunk_usage'][number]
export type Month = DashboardCharts['monthly_usage'][number]

const minutes = (figure: number): string => `${count(Math.round(figure))} min`

export function volumeReadout(hours: readonly Hour[], pointed: number | null): string {
  const hour = pointed === null ? undefined : hours[pointed]
  if (hour) return `${hourLabel(hour.at)}: ${calls(hour.calls)}, ${count(hour.completed)} completed`
  const completed = total(hours, (one) => one.completed)
  return `${calls(total(hours, (one) => one.calls))}, ${count(completed)} completed`
}

export function usageReadout(routes: readonly RouteShare[], pointed: number | null): string {
  const route = pointed === null ? undefined : routes[pointed]
  if (route) return `${route.name}: ${calls(route.calls)}, ${route.share.toFixed(1)}%`
  return `${calls(total(routes, (one) => one.calls))} in the last 30 days`
}

export function monthlyReadout(months: readonly Month[], pointed: number | null): string {
  const month = pointed === null ? months.at(-1) : months[pointed]
  if (!month) return ''
  return `${monthName(month.month)}: ${minutes(month.minutes)}, ${calls(month.calls)}, ${costInDollars(month.cost)}`
}

export const volumeTable = (hours: readonly Hour[]): ChartTable => ({
  head: ['Hour', 'Calls', 'Completed'],
  rows: hours.map((hour) => [hourLabel(hour.at), count(hour.calls), count(hour.completed)]),
})

export const usageTable = (routes: readonly RouteShare[]): ChartTable => ({
  head: ['Route', 'Calls', 'Share'],
  rows: routes.map((route) => [route.name, count(route.calls), `${route.share.toFixed(1)}%`]),
})

export const monthlyTable = (months: readonly Month[]): ChartTable => ({
  head: ['Month', 'Minutes', 'Calls', 'Cost'],
  rows: months.map((month) => [
    monthName(month.month),
    count(Math.round(month.minutes)),
    count(month.calls),
    costInDollars(month.cost),
  ]),
})

export const monthBars = (months: readonly Month[]) =>
  months.map(({ month, minutes: figure }) => ({ key: month, label: monthLabel(month), figure }))

export const dayBars = (days: Usage['days']) =>
  days.map(({ day, cost }) => ({ key: day, label: dayLabel(day), figure: cost }))

export function costReadout(usage: Usage, pointed: number | null): string {
  const day = pointed === null ? undefined : usage.days[pointed]
  if (day)
    return `${dayLabel(day.day)}: ${costInDollars(day.cost)}, ${calls(day.calls)}, ${minutes(day.minutes)}`
  const spent = `${costInDollars(usage.month_cost)} this month`
  return usage.month_forecast > usage.month_cost
    ? `${spent}, about ${costInDollars(usage.month_forecast)} by its end`
    : spent
}

export const costTable = (days: Usage['days']): ChartTable => ({
  head: ['Day', 'Cost', 'Calls', 'Minutes'],
  rows: days.map((day) => [
    dayLabel(day.day),
    costInDollars(day.cost),
    count(day.calls),
    count(Math.round(day.minutes)),
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
