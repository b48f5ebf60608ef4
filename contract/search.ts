import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Timestamp } from './fields.ts'
import { SEARCH_MAX } from './limits.ts'
import { SEARCH_KINDS } from './search-kinds.ts'

export const SearchResult = z.object({
  kind: z.enum(SEARCH_KINDS),
  /** Identifies the result within its kind. */
  id: z.string(),
  title: z.string(),
  /** More about it, for example the customer. Can be empty. */
  detail: z.string(),
  /** Start of a call, creation of a payment or ticket. */
  at: Timestamp.nullable(),
})
export type SearchResult = z.output<typeof SearchResult>

export const search = {
  'GET /api/admin/search': {
    access: 'admin',
    summary:
      'Find users, carriers, routes, numbers, payments, promo codes, tickets and calls, at most five of each kind',
    query: z.strictObject({
      /** Part of a name, an email address, an order ID, a number or a call ID. */
      q: z.string().trim().min(1).max(SEARCH_MAX),
    }),
    answer: z.object({ results: z.array(SearchResult) }),
  },
} as const satisfies Endpoints
