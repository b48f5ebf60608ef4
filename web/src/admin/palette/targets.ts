import type { SearchResult } from '@trunkline/contract/search'

/** The screen that shows a search result, with the result open if it can be. */
export function hrefOf({ kind, id, title }: Pick<SearchResult, 'kind' | 'id' | 'title'>): string {
  const at = (path: string, search: Record<string, string>) => `${path}?${new URLSearchParams(search)}`
  switch (kind) {
    case 'user':
      return `/admin-panal/users/${id}`
    case 'carrier':
      return at('/admin-panal/trunks', { carrier: title })
    case 'route':
      return at('/admin-panal', { route: id })
    case 'number':
      return at('/admin-panal/trunks/numbers', { search: title.slice(1), number: id })
    case 'payment':
      return at('/admin-panal/payments', { payment: id })
    case 'promo_code':
      return at('/admin-panal/promo-codes', { uses: id })
    case 'ticket':
      return at('/admin-panal/support', { ticket: id })
    case 'live_call':
      // The list of live calls is on the dashboard.
      return '/admin-panal'
    case 'call':
      return at('/admin-panal/calls', { period: 'custom', search: title, call: id })
  }
}
