import type { Route } from '@trunkline/contract/routes'

/** By country, then by price. */
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
