import type {
  BusinessFigures,
  Cash,
  Compared,
  DashboardCharts,
  DashboardStats,
  RouteQuality,
  TodayFigures,
  Usage,
} from '@trunkline/contract/dashboard'
import { type Caller, everyonesData, type Owner, ownDataOf, system } from '@trunkline/domain/access'
import { countryName } from '@trunkline/domain/countries'
import { type Clock, DAY, earlier, HOUR, later } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { average, dollars, inMinutes, inZone, percent } from '../../../platform/figures.ts'
import type { Span } from '../../calls/figures/pieces.ts'
import type { CallFigures } from '../../calls/figures/service.ts'
import { sumByTrunk } from '../../catalogue/trunks/figures-store.ts'
import { sumBalances } from '../../money/ledger/store.ts'
import { sumCashByMonth, sumTopUps } from '../../money/payments/cash-store.ts'
import {
  averageDelay,
  countLive,
  daysUntilNow,
  type Figures,
  sumAll,
  sumBetween,
  sumByCalendar,
  sumByCountry,
  sumByCustomer,
  sumByHour,
  sumByRoute,
} from './store.ts'

export type Dashboard = {
  stats(caller: Caller): Promise<DashboardStats>
  charts(caller: Caller, timezone: string): Promise<DashboardCharts>
  usage(caller: Caller, timezone: string): Promise<Usage>
  statsOfAll(caller: Caller): Promise<DashboardStats>
  chartsOfAll(caller: Caller, timezone: string): Promise<DashboardCharts>
  today(caller: Caller, timezone: string): Promise<TodayFigures>
  cash(caller: Caller, timezone: string): Promise<Cash>
  business(caller: Caller, query: { timezone: string; days: number }): Promise<BusinessFigures>
  routeQuality(): Promise<RouteQuality[]>
}

const RECENT_DAYS = 30
const RECENT = RECENT_DAYS * DAY
const DAYS_OF_LONGEST_MONTH = 31
/** Two weeks contain each weekday twice. */
const DAYS_OF_FORECAST = 14
const HOURS = 24
const MONTHS = 12
/** Limit for a readable chart. */
const MAX_ROUTES = 8
const MAX_LISTED = 10
/** Minimum for significance and privacy. */
const ENOUGH_CALLS = 20

type Deps = { db: Database; clock: Clock; figures: CallFigures; reports?: Database }

/** Charts use `reports`, which can be a replica with a short delay. */
export function createDashboard({ db, clock, figures, reports = db }: Deps): Dashboard {
  const startOf = (step: number, at: Date): Date => new Date(Math.floor(at.getTime() / step) * step)
  const recently = (): Date => startOf(DAY, earlier(clock.now(), RECENT))

  async function stats(owner: Owner): Promise<DashboardStats> {
    const [all, activeCalls] = await Promise.all([sumAll(db, owner), countLive(db, owner)])
    return {
      totalCalls: all.calls,
      activeCalls,
      totalMinutes: inMinutes(all.seconds),
      totalCost: dollars(all.costMicros),
      successRate: percent(all.completed, all.calls) ?? 0,
    }
  }

  async function charts(owner: Owner, timezone: string): Promise<DashboardCharts> {
    const now = clock.now()
    const [hours, routes, months] = await Promise.all([
      sumByHour(reports, owner, startOf(HOUR, now), HOURS),
      sumByRoute(reports, owner, recently()),
      inZone(sumByCalendar(reports, owner, { step: 'month', count: MONTHS, now, timezone })),
    ])
    return {
      call_volume: hours.map(({ at, calls, completed }) => ({ at: at.toISOString(), calls, completed })),
      trunk_usage: shares(routes.map(({ name, calls }) => ({ name: name ?? 'Former route', calls }))),
      monthly_usage: months.map(({ name, calls, seconds, costMicros }) => ({
        month: name,
        calls,
        minutes: inMinutes(seconds),
        cost: dollars(costMicros),
      })),
    }
  }

  return {
    stats: (caller) => stats(ownDataOf(caller)),
    charts: (caller, timezone) => charts(ownDataOf(caller), timezone),
    async usage(caller, timezone) {
      const owner = ownDataOf(caller)
      const now = clock.now()
      const [days, countries] = await Promise.all([
        inZone(sumByCalendar(reports, owner, { step: 'day', count: DAYS_OF_LONGEST_MONTH, now, timezone })),
        sumByCountry(reports, owner, recently(), MAX_LISTED),
      ])
      const spent = (of: readonly Figures[]): bigint =>
        of.reduce((sum, { costMicros }) => sum + costMicros, 0n)
      const today = days.at(-1)?.name ?? ''
      const monthMicros = spent(days.filter(({ name }) => name.slice(0, 7) === today.slice(0, 7)))
      const dayMicros = spent(days.slice(-DAYS_OF_FORECAST)) / BigInt(DAYS_OF_FORECAST)
      return {
        days: days.slice(-RECENT_DAYS).map(({ name, calls, seconds, costMicros }) => ({
          day: name,
          calls,
          minutes: inMinutes(seconds),
          cost: dollars(costMicros),
        })),
        countries: countries.map((one) => ({
          country: countryName(one.country),
          calls: one.calls,
          minutes: inMinutes(one.seconds),
          cost: dollars(one.costMicros),
          answer_rate: percent(one.completed, one.calls),
        })),
        month_cost: dollars(monthMicros),
        day_cost: dollars(dayMicros),
        month_forecast: dollars(monthMicros + dayMicros * BigInt(daysAfter(today))),
      }
    },
    statsOfAll: async (caller) => stats(everyonesData(caller)),
    chartsOfAll: async (caller, timezone) => charts(everyonesData(caller), timezone),

    async today(caller, timezone) {
      const owner = everyonesData(caller)
      const now = clock.now()
      await figures.addSomeQueued()
      const [today, yesterday, lastWeek] = await inZone(daysUntilNow(reports, now, timezone))
      const read = async ({ from, to }: Span) => {
        const [calls, delay, topUpMicros] = await Promise.all([
          sumBetween(reports, owner, { from, to }),
          averageDelay(reports, owner, { from, to }, now),
          sumTopUps(reports, owner, from, to),
        ])
        return { ...calls, delay, topUpMicros }
      }
      return compare(await Promise.all([read(today), read(yesterday), read(lastWeek)]))
    },

    async cash(caller, timezone) {
      const owner = everyonesData(caller)
      const span = { count: MONTHS, now: clock.now(), timezone }
      const [owedMicros, cash, calls] = await Promise.all([
        sumBalances(reports, owner),
        inZone(sumCashByMonth(reports, owner, span)),
        inZone(sumByCalendar(reports, owner, { step: 'month', ...span })),
      ])
      const earnedIn = new Map(calls.map((month) => [month.name, month]))
      return {
        owed: dollars(owedMicros),
        months: cash.reverse().map(({ month, topUpMicros, upgradeMicros, paidOutMicros }) => {
          const { costMicros = 0n, buyMicros = 0n } = earnedIn.get(month) ?? {}
          return {
            month,
            top_ups: dollars(topUpMicros),
            upgrades: dollars(upgradeMicros),
            paid_out: dollars(paidOutMicros),
            call_revenue: dollars(costMicros),
            carrier_cost: dollars(buyMicros),
            margin: dollars(costMicros - buyMicros),
          }
        }),
      }
    },

    async business(caller, { timezone, days }) {
      const owner = everyonesData(caller)
      const now = clock.now()
      const from = startOf(DAY, earlier(now, (days - 1) * DAY))
      await figures.addSomeQueued()
      const [byDay, byHour, countries, customers, trunks] = await Promise.all([
        inZone(sumByCalendar(reports, owner, { step: 'day', count: days, now, timezone })),
        sumByHour(reports, owner, startOf(HOUR, now), HOURS),
        sumByCountry(reports, owner, from, MAX_LISTED),
        sumByCustomer(reports, owner, { from, to: later(startOf(DAY, now), DAY) }, { most: MAX_LISTED, now }),
        sumByTrunk(reports, from),
      ])
      return {
        days: byDay.map((day) => ({
          day: day.name,
          ...earned(day),
          buy_cost: dollars(day.buyMicros),
        })),
        hours: byHour.map(({ at, calls, completed }) => ({
          at: at.toISOString(),
          calls,
          answer_rate: percent(completed, calls),
        })),
        top_countries: countries.map((one) => ({
          country: countryName(one.country),
          ...earned(one),
          answer_rate: percent(one.completed, one.calls),
        })),
        top_customers: customers.map((one) => ({
          user: { id: one.userId, username: one.username },
          ...earned(one),
        })),
        trunks: trunks.map((trunk) => ({
          id: trunk.trunkId,
          name: trunk.name,
          attempts: trunk.attempts,
          answered: trunk.answered,
          answer_rate: percent(trunk.answered, trunk.attempts),
          reach_rate: percent(trunk.answered + trunk.unreached, trunk.attempts),
          average_duration: average(trunk.seconds, trunk.answered),
          buy_cost: dollars(trunk.buyMicros),
          margin: dollars(trunk.costMicros - trunk.buyMicros),
        })),
      }
    },

    async routeQuality() {
      const routes = await sumByRoute(db, system('quality of routes'), recently())
      return routes
        .filter(({ name }) => name !== null)
        .map(({ routeId, calls, completed, seconds }) => ({
          route_id: routeId,
          answer_rate: calls < ENOUGH_CALLS ? null : percent(completed, calls),
          average_duration: calls < ENOUGH_CALLS ? null : average(seconds, completed),
        }))
    },
  }
}

const earned = ({ calls, seconds, costMicros, buyMicros }: Figures) => ({
  calls,
  minutes: inMinutes(seconds),
  revenue: dollars(costMicros),
  margin: dollars(costMicros - buyMicros),
})

/** The number of days in the month after this day, YYYY-MM-DD. */
function daysAfter(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).getUTCDate() - date
}

type DayFigures = Figures & { delay: number | null; topUpMicros: bigint }

function compare([today, yesterday, lastWeek]: [DayFigures, DayFigures, DayFigures]): TodayFigures {
  const each = (read: (day: DayFigures) => number | null): Compared => ({
    today: read(today),
    yesterday: read(yesterday),
    last_week: read(lastWeek),
  })
  return {
    calls: each(({ calls }) => calls),
    revenue: each(({ costMicros }) => dollars(costMicros)),
    margin: each(({ costMicros, buyMicros }) => dollars(costMicros - buyMicros)),
    minutes: each(({ seconds }) => inMinutes(seconds)),
    answer_rate: each(({ completed, calls }) => percent(completed, calls)),
    average_duration: each(({ seconds, completed }) => average(seconds, completed)),
    post_dial_delay: each(({ delay }) => delay),
    top_ups: each(({ topUpMicros }) => dollars(topUpMicros)),
  }
}

/** Combines routes with the same name, and small ones in one entry. */
function shares(routes: { name: string; calls: number }[]): DashboardCharts['trunk_usage'] {
  const byName = new Map<string, number>()
  for (const { name, calls } of routes) byName.set(name, (byName.get(name) ?? 0) + calls)
  const sorted = [...byName].sort(([, left], [, right]) => right - left)
  const rest = sorted.slice(MAX_ROUTES).reduce((sum, [, calls]) => sum + calls, 0)
  const shown = [...sorted.slice(0, MAX_ROUTES), ...(rest > 0 ? [['Other', rest] as const] : [])]
  const all = shown.reduce((sum, [, calls]) => sum + calls, 0)
  return shown.map(([name, calls]) => ({ name, calls, share: percent(calls, all) ?? 0 }))
}
