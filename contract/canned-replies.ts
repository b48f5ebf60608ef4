import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { filled, Id, Message } from './fields.ts'
import { CANNED_REPLY_NAME_MAX, TICKET_MESSAGE_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { IdInPath } from './money.ts'

export const CannedReply = z.object({
  id: Id,
  name: z.string(),
  /** `{name}` stands for the customer's name, or the username. */
  text: z.string(),
  /** Increases with every change. */
  version: z.int(),
})
export type CannedReply = z.output<typeof CannedReply>

const fields = z.strictObject({
  name: filled(ownMessages.cannedReplyNameMissing, CANNED_REPLY_NAME_MAX),
  text: filled(ownMessages.ticketMessageMissing, TICKET_MESSAGE_MAX),
})

export const cannedReplies = {
  'GET /api/admin/support/canned-replies': {
    access: 'admin',
    summary: 'List the canned replies by name',
    answer: z.object({ replies: z.array(CannedReply) }),
  },
  'POST /api/admin/support/canned-replies': {
    access: 'admin',
    summary: 'Create a canned reply',
    body: fields,
    answer: z.object({ reply: CannedReply }),
    refusals: ['canned_reply_taken', 'too_many_canned_replies'],
  },
  'PATCH /api/admin/support/canned-replies/:id': {
    access: 'admin',
    summary: 'Change a canned reply',
    params: IdInPath,
    body: fields.partial().extend({
      /** The version that was read. The request fails if someone has changed the reply since. */
      version: z.int().optional(),
    }),
    answer: z.object({ reply: CannedReply }),
    refusals: ['not_found', 'canned_reply_taken', 'changed_meanwhile'],
  },
  'DELETE /api/admin/support/canned-replies/:id': {
    access: 'admin',
    summary: 'Delete a canned reply',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
