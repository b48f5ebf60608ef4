import { languages } from '@trunkline/domain/flows'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp, textUpTo } from './fields.ts'
import {
  FLOW_TEXT_MAX,
  VOICEMAIL_DAYS_MAX,
  VOICEMAIL_PAGE_DEFAULT,
  VOICEMAIL_PAGE_MAX,
  VOICEMAIL_SELECTED_MAX,
} from './limits.ts'
import { GivenId, IdInAddress, IdInPath, pageSize } from './money.ts'

/** Messages that callers have left, and the settings of the mailbox. */

export const VoicemailView = z.object({
  id: Id,
  /** E.164 with a plus sign, or what the carrier sent. Empty if the number was withheld. */
  caller: z.string(),
  caller_name: z.string(),
  caller_country: z.string().nullable(),
  caller_country_code: z.string().nullable(),
  /** The rented number that was called. */
  number: z.string(),
  started_at: Timestamp,
  seconds: z.number(),
  is_new: z.boolean(),
  /** When it is deleted. */
  expires_at: Timestamp,
})
export type VoicemailView = z.output<typeof VoicemailView>

const VoicemailCounts = z.object({ new: z.int(), read: z.int() })
export type VoicemailCounts = z.output<typeof VoicemailCounts>

const fields = {
  /** The greeting: a sound of the library, else the text, else the default greeting. */
  greeting_sound_id: Id.nullable(),
  greeting_text: textUpTo(FLOW_TEXT_MAX),
  language: z.enum(languages),
  /** Each message is mailed to the verified address of the account, with the sound if `attaches` is true. */
  mails: z.boolean(),
  attaches: z.boolean(),
  days_kept: z.int().min(1).max(VOICEMAIL_DAYS_MAX),
  version: z.int().min(0),
}

export const VoicemailSettings = z.object({
  ...fields,
  /** The verified address. Null: mails are not possible. */
  mail_address: z.string().nullable(),
})
export type VoicemailSettings = z.output<typeof VoicemailSettings>

const ids = z.array(GivenId).min(1).max(VOICEMAIL_SELECTED_MAX)

export const voicemail = {
  'GET /api/voicemail': {
    access: 'user',
    summary: 'List your voicemail messages, the newest first',
    query: z.strictObject({
      state: z.enum(['new', 'read']).optional(),
      after: IdInAddress.optional(),
      limit: pageSize(VOICEMAIL_PAGE_MAX, VOICEMAIL_PAGE_DEFAULT),
    }),
    answer: z.object({ messages: z.array(VoicemailView), next: z.int().nullable(), counts: VoicemailCounts }),
  },
  'GET /api/voicemail/counts': {
    access: 'user',
    summary: 'Count your new and read voicemail messages',
    answer: z.object({ counts: VoicemailCounts }),
  },
  'PATCH /api/voicemail': {
    access: 'user',
    summary: 'Mark voicemail messages as read or new',
    body: z.strictObject({ ids, is_new: z.boolean() }),
    answer: z.object({ counts: VoicemailCounts }),
  },
  'POST /api/voicemail/delete': {
    access: 'user',
    summary: 'Delete voicemail messages with their sound',
    body: z.strictObject({ ids }),
    answer: Message,
  },
  'GET /api/voicemail/:id/audio': {
    access: 'user',
    summary: 'Get a voicemail message as a WAV file',
    params: IdInPath,
    file: 'audio/wav',
    answer: z.unknown(),
    refusals: ['not_found', 'sound_unavailable'],
  },
  'GET /api/voicemail/settings': {
    access: 'user',
    summary: 'Show your voicemail settings',
    answer: z.object({ settings: VoicemailSettings }),
  },
  'PUT /api/voicemail/settings': {
    access: 'user',
    summary: 'Change your greeting, the mails and how long messages are kept',
    body: z.strictObject({ ...fields, greeting_sound_id: GivenId.nullable() }),
    answer: z.object({ settings: VoicemailSettings }),
    refusals: ['not_found', 'changed_meanwhile', 'email_unverified'],
  },
} as const satisfies Endpoints
