/** Search parameters: the period of the charts and the route whose form is open. */
export type DashboardSearch = { days?: number; route?: 'new' | number }

export const PERIODS = [7, 30, 90] as const
export type Days = (typeof PERIODS)[number]
const DEFAULT_DAYS: Days = 30

/** Ignores values that are not valid. */
export const daysIn = ({ days }: DashboardSearch): Days =>
  PERIODS.find((period) => period === Number(days)) ?? DEFAULT_DAYS

export function routeIn({ route }: DashboardSearch): 'new' | number | undefined {
  if (route === 'new') return 'new'
  const id = Number(route)
  return Number.isInteger(id) && id > 0 ? id : undefined
}
