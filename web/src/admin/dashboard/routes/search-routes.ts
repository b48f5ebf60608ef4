import type { Route } from '@trunkline/contract/routes'

/** As a reader looks for them: country by country, the cheapest first. */
export const byCountry = (routes: readonly Route[]): Route[] =>
  routes.toSorted(
    (left, right) =>
      left.country.localeCompare(right.country, 'en') || left.price - right.price || left.id - right.id,
  )

export function searchRoutes(routes: readonly Route[], typed: string): readonly Route[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return routes
  return routes.filter(
    ({ country, country_code, name, planname }) =>
      country_code.toLowerCase() === wanted ||
      [country, name, planname].some((text) => text.toLowerCase().includes(wanted)),
  )
}
