import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { filled, Id, Message } from './fields.ts'
import { VIEW_NAME_MAX, VIEW_QUERY_MAX } from './limits.ts'
import { keepUnder, ownMessages } from './messages.ts'
import { IdInPath } from './money.ts'

/** The screens whose filters can be saved: the analysis and the calls of administrators, and the CDR report of customers. */
const screen = z.enum(['analysis', 'calls', 'cdr'])
export type ViewScreen = z.output<typeof screen>

export const SavedView = z.object({
  id: Id,
  name: z.string(),
  /** The query string of the screen, without the question mark. */
  query: z.string(),
})
export type SavedView = z.output<typeof SavedView>

export const savedViews = {
  'GET /api/views': {
    access: 'user',
    summary: 'List your saved views of a screen by name',
    query: z.strictObject({ screen }),
    answer: z.object({ views: z.array(SavedView) }),
  },
  'POST /api/views': {
    access: 'user',
    summary: 'Save a view, or replace the one with the same name',
    body: z.strictObject({
      screen,
      name: filled(ownMessages.viewNameMissing, VIEW_NAME_MAX),
      query: z.string().max(VIEW_QUERY_MAX, keepUnder(VIEW_QUERY_MAX)),
    }),
    answer: z.object({ view: SavedView }),
    refusals: ['too_many_views'],
  },
  'DELETE /api/views/:id': {
    access: 'user',
    summary: 'Delete a saved view',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
