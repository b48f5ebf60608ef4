import type { BusinessFigures } from '@trunkline/contract/dashboard'
import type { Trunk } from '@trunkline/contract/trunks'
import { type ChartTable, calls, total } from '../../../common/charts/words.ts'
import { formatDay, formatHour } from '../../../common/format/dates.ts'
import { formatCost, formatSum } from '../../../common/format/money.ts'
import { formatNumber, formatPercent } from '../../../common/format/numbers.ts'

export type Day = BusinessFigures['days'][number]
export type Hour = BusinessFigures['hours'][number]
export type TrunkFigures = BusinessFigures['trunks'][number]

export function daysReadout(days: readonly Day[], pointed: number | null): string {
  const day = pointed === null ? undefined : days[pointed]
  if (day)
    return `${formatDay(day.day)}: ${formatCost(day.revenue)} revenue, ${formatCost(day.margin)} margin, ${calls(day.calls)}`
  const all = (figure: (day: Day) => number) => formatSum(...days.map(figure))
  return `${all(({ revenue }) => revenue)} revenue, ${all(({ margin }) => margin)} margin`
}

export const daysTable = (days: readonly Day[]): ChartTable => ({
  head: ['Day', 'Revenue', 'Margin', 'Carriers', 'Calls', 'Minutes'],
  rows: days.map((day) => [
    formatDay(day.day),
    formatCost(day.revenue),
    formatCost(day.margin),
    formatCost(day.buy_cost),
    formatNumber(day.calls),
    formatNumber(Math.round(day.minutes)),
  ]),
})

export function hoursReadout(hours: readonly Hour[], pointed: number | null): string {
  const hour = pointed === null ? undefined : hours[pointed]
  if (hour) return `${formatHour(hour.at)}: ${calls(hour.calls)}, ${formatPercent(hour.answer_rate)} answered`
  return `${calls(total(hours, (one) => one.calls))} in the last 24 hours`
}

export const hoursTable = (hours: readonly Hour[]): ChartTable => ({
  head: ['Hour', 'Calls', 'Answered'],
  rows: hours.map((hour) => [formatHour(hour.at), formatNumber(hour.calls), formatPercent(hour.answer_rate)]),
})

export type FailingTrunk = {
  id: number
  name: string
  /** Attempts that did not reach the called party. */
  failed: number
  attempts: number
  reachRate: number | null
  isDown: boolean
}

/** Trunks that are down now, then trunks with failed attempts, most failures first. */
export function failingTrunks(
  figures: readonly TrunkFigures[],
  trunks: readonly Pick<Trunk, 'id' | 'name' | 'status' | 'configured_status'>[],
): FailingTrunk[] {
  const down = new Map(
    trunks
      .filter(({ status, configured_status }) => status === 'inactive' && configured_status === 'active')
      .map(({ id, name }) => [id, name]),
  )
  const seen = new Set(figures.map(({ id }) => id))
  const silent = [...down].filter(([id]) => !seen.has(id))
  return [
    ...figures.map(({ id, name, attempts, reach_rate }) => ({
      id,
      name,
      attempts,
      failed: reach_rate === null ? 0 : Math.round((attempts * (100 - reach_rate)) / 100),
      reachRate: reach_rate,
      isDown: down.has(id),
    })),
    ...silent.map(([id, name]) => ({ id, name, attempts: 0, failed: 0, reachRate: null, isDown: true })),
  ]
    .filter(({ failed, isDown }) => failed > 0 || isDown)
    .sort((left, right) => Number(right.isDown) - Number(left.isDown) || right.failed - left.failed)
}
