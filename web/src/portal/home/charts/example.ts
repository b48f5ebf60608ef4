import type { DashboardCharts, Usage } from '@trunkline/contract/dashboard'

/** Figures that show a new customer how the charts look. They keep the periods of the empty answer of the server. */

/** Calls of an office by hour of the day, and minutes by weekday from Sunday. */
const HOURS = [0, 0, 0, 0, 0, 0, 1, 3, 9, 14, 17, 15, 8, 12, 16, 18, 13, 7, 3, 2, 1, 1, 0, 0]
const WEEKDAYS = [6, 52, 61, 58, 64, 47, 11]
const PRICE = 0.014
const MINUTES_PER_CALL = 3

export function exampleCharts({ call_volume, monthly_usage }: DashboardCharts): DashboardCharts {
  return {
    call_volume: call_volume.map(({ at }) => {
      const calls = HOURS[new Date(at).getHours()] ?? 0
      return { at, calls, completed: Math.round(calls * 0.7) }
    }),
    trunk_usage: [
      { name: 'USA Gold CLI', calls: 214, share: 53.5 },
      { name: 'UK Gold CLI', calls: 122, share: 30.5 },
      { name: 'Germany Silver', calls: 64, share: 16 },
    ],
    monthly_usage: monthly_usage.map(({ month }, at) => {
      const minutes = 420 + at * 65
      return { month, minutes, calls: Math.round(minutes / MINUTES_PER_CALL), cost: minutes * PRICE }
    }),
  }
}

export function exampleUsage({ days }: Usage): Usage {
  const example = days.map(({ day }) => {
    const minutes = WEEKDAYS[new Date(`${day}T00:00Z`).getUTCDay()] ?? 0
    return { day, minutes, calls: Math.round(minutes / MINUTES_PER_CALL), cost: minutes * PRICE }
  })
  return {
    days: example,
    countries: [
      { country: 'United States', calls: 214, minutes: 655, cost: 9.17, answer_rate: 68.2 },
      { country: 'United Kingdom', calls: 122, minutes: 348, cost: 4.87, answer_rate: 72.1 },
      { country: 'Germany', calls: 64, minutes: 201, cost: 2.81, answer_rate: 64.1 },
    ],
    month_cost: 0,
    day_cost: 0,
    month_forecast: 0,
  }
}
