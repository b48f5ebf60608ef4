/** Kinds of search results in display order. Without zod, so the browser does not load a validator. */
export const SEARCH_KINDS = [
  'user',
  'carrier',
  'route',
  'number',
  'payment',
  'promo_code',
  'ticket',
  'live_call',
  'call',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]
