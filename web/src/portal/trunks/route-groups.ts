import type { AnswerOf } from '@trunkline/contract'
import type { Route } from '@trunkline/contract/routes'
import { formatExactMoney, formatRate } from '../../common/format/money.ts'

export type Selection = Pick<AnswerOf<'GET /api/user-selected-route'>, 'selectedRoute' | 'selectedRoutes'>

/** The routes of one country and the selected one. */
export type RouteGroup = {
  country: string
  code: string
  /** Cheapest first. */
  routes: readonly Route[]
  selected: Route | null
}

export function groupByCountry(
  routes: readonly Route[],
  selection: Selection | undefined,
): readonly RouteGroup[] {
  const chosen = new Set(selection?.selectedRoutes.map(({ id }) => id))
  return [...Map.groupBy(routes, ({ country_code }) => country_code)]
    .map(([code, inCountry]) => ({
      country: inCountry[0]?.country ?? code,
      code,
      routes: inCountry.toSorted((left, right) => left.price - right.price || left.id - right.id),
      selected: inCountry.find(({ id }) => chosen.has(id)) ?? null,
    }))
    .sort((left, right) => left.country.localeCompare(right.country, 'en'))
}

/** Matches country name, country code and route name. Ignores case and accents. */
export function searchGroups(groups: readonly RouteGroup[], typed: string): readonly RouteGroup[] {
  const wanted = folded(typed)
  if (wanted === '') return groups
  return groups.filter(
    ({ country, code, routes }) =>
      folded(country).includes(wanted) ||
      folded(code) === wanted ||
      routes.some((route) => folded(nameOf(route)).includes(wanted)),
  )
}

const folded = (text: string): string =>
  text
    .trim()
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

/** The specification shows the plan name, or the route name without one. */
export const nameOf = ({ planname, name }: Pick<Route, 'planname' | 'name'>): string => planname || name

export const isLocked = (route: Route, isPremium: boolean): boolean => route.is_premium && !isPremium

/** Replaces the route of one country; `null` removes it. */
export function withRoute(
  selection: Selection | undefined,
  { country, code, id }: { country: string; code: string; id: number | null },
): Selection {
  const others = (selection?.selectedRoutes ?? []).filter(({ country_code }) => country_code !== code)
  if (id === null) return { selectedRoute: others.at(-1) ?? null, selectedRoutes: others }
  const selectedRoute = { country, country_code: code, id }
  return { selectedRoute, selectedRoutes: [...others, selectedRoute] }
}

/** Prices of prefixes that differ from the route, for example mobile numbers. */
export function finerPrices({ other_prices: others }: Pick<Route, 'other_prices'>): string | null {
  if (!others) return null
  const { count, from, to } = others
  const range = from === to ? formatRate(from) : `${formatExactMoney(from)} to ${formatRate(to)}`
  const prefixes = others.prefixes.map((prefix) => `+${prefix}`)
  const rest = count > prefixes.length ? ` and ${count - prefixes.length} more` : ''
  return `${prefixes.join(', ')}${rest}: ${range}`
}
