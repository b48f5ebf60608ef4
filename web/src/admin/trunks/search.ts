import { SEARCH_MAX } from '@trunkline/contract/limits'

/** Search parameters of the tab, not validated yet. */
export type TrunksSearch = {
  view?: unknown
  /** Text to search the carriers for. */
  carrier?: unknown
  /** Whose rates: `trunk-3`, `route-12`. */
  list?: unknown
  /** Digits to search for. */
  find?: unknown
  plan?: unknown
  country?: unknown
  number?: unknown
  /** Home country of the caller of that number. */
  home?: unknown
}

export const views = ['carriers', 'order', 'plans', 'rates'] as const
export type View = (typeof views)[number]

export type ListName = { shelf: 'trunk' | 'route'; id: number }

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export function readSearch(search: TrunksSearch) {
  const view = views.find((each) => each === search.view) ?? 'carriers'
  const country = text(search.country).toUpperCase()
  const home = text(search.home).toUpperCase()
  return {
    view,
    carrier: text(search.carrier).slice(0, SEARCH_MAX),
    list: readListName(text(search.list)),
    find: text(search.find).replace(/\D/g, '').slice(0, 15),
    plan: text(search.plan) || null,
    country: /^([A-Z]{2}|001)$/.test(country) ? country : null,
    number: text(search.number).slice(0, 40),
    home: /^[A-Z]{2}$/.test(home) ? home : '',
  }
}

function readListName(name: string): ListName | null {
  const [, shelf, id] = /^(trunk|route)-([1-9]\d{0,8})$/.exec(name) ?? []
  return shelf && id ? { shelf: shelf as ListName['shelf'], id: Number(id) } : null
}

export const writeListName = ({ shelf, id }: ListName): string => `${shelf}-${id}`
