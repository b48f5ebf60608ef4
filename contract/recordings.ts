import { z } from 'zod'
import { CdrId } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp } from './fields.ts'
import { RECORDING_DAYS_MAX, RECORDING_PRICE_MAX_DOLLARS } from './limits.ts'
import { ownMessages } from './messages.ts'
import { IdInPath } from './money.ts'
import { RentedNumber } from './numbers.ts'
import { dollarsUpTo } from './rates.ts'

/** Recorded calls. An operator allows an account to record; the customer decides which calls. */

const RecordingView = z.object({
  id: Id,
  started_at: Timestamp,
  seconds: z.number(),
  /** False while the call is being recorded. */
  is_ready: z.boolean(),
  /** Dollars. Null until it is booked. */
  cost: z.number().nullable(),
  /** When it is deleted. */
  expires_at: Timestamp,
})
export type RecordingView = z.output<typeof RecordingView>

/** Recordings of a call, and messages that its caller left. */
const CallSounds = z.object({
  recordings: z.array(RecordingView),
  messages: z.array(z.object({ id: Id, seconds: z.number(), is_new: z.boolean() })),
})
export type CallSounds = z.output<typeof CallSounds>

const fields = {
  /** All calls to numbers of the account. Otherwise only numbers and flow steps that ask for it. */
  records_all: z.boolean(),
  /** All calls that the customer dials. */
  records_dialed: z.boolean(),
  /** Both sides hear that the call is recorded before the recording starts. */
  announces: z.boolean(),
  days_kept: z.int().min(1).max(RECORDING_DAYS_MAX),
  version: z.int().min(0),
}
export const RecordingSettings = z.object({
  ...fields,
  /** Consent of the operator. Nothing is recorded without it. */
  is_allowed: z.boolean(),
  /** Dollars per recorded minute. */
  price: z.number(),
})
export type RecordingSettings = z.output<typeof RecordingSettings>

const RecordInPath = z.strictObject({ id: CdrId })
const AudioQuery = z.strictObject({
  /** For the audit log: the file is saved instead of played. */
  download: z.literal('true').optional(),
})
/** 0 to 1, left channel first: the caller, then the other side. */
const Peaks = z.object({ seconds: z.number(), channels: z.array(z.array(z.number())) })
export type Peaks = z.output<typeof Peaks>
const Price = dollarsUpTo(RECORDING_PRICE_MAX_DOLLARS, ownMessages.recordingPriceInvalid)

const audio = {
  params: IdInPath,
  query: AudioQuery,
  file: 'audio/wav',
  answer: z.unknown(),
  refusals: ['not_found', 'sound_unavailable'],
} as const
const peaks = {
  params: IdInPath,
  answer: z.object({ peaks: Peaks }),
  refusals: ['not_found', 'sound_unavailable'],
} as const

export const recordings = {
  'GET /api/cdr/:id/sounds': {
    access: 'user',
    summary: 'List the recordings and messages of a call',
    params: RecordInPath,
    answer: z.object({ sounds: CallSounds }),
    refusals: ['not_found', 'archived'],
  },
  'GET /api/recordings/:id/audio': {
    access: 'user',
    summary: 'Get a recording as a stereo WAV file. The audit log keeps who did',
    ...audio,
  },
  'GET /api/recordings/:id/peaks': {
    access: 'user',
    summary: 'Get the waveform of a recording',
    ...peaks,
  },
  'DELETE /api/recordings/:id': {
    access: 'user',
    summary: 'Delete a recording',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found', 'insufficient_balance'],
  },
  'GET /api/recording-settings': {
    access: 'user',
    summary: 'Show your recording settings',
    answer: z.object({ settings: RecordingSettings }),
  },
  'PUT /api/recording-settings': {
    access: 'user',
    summary: 'Choose which calls are recorded, the announcement and how long recordings are kept',
    body: z.strictObject({
      ...fields,
      /** Unchanged if it is missing. */
      records_dialed: fields.records_dialed.optional(),
    }),
    answer: z.object({ settings: RecordingSettings }),
    refusals: ['changed_meanwhile', 'recording_not_allowed'],
  },
  'PUT /api/numbers/:id/recording': {
    access: 'user',
    summary: 'Record the calls to a number, or stop recording them',
    params: IdInPath,
    body: z.strictObject({ records: z.boolean() }),
    answer: z.object({ number: RentedNumber }),
    refusals: ['not_found', 'recording_not_allowed'],
  },
  'GET /api/admin/cdr/:id/sounds': {
    access: 'admin',
    summary: 'List the recordings and messages of any call',
    params: RecordInPath,
    answer: z.object({ sounds: CallSounds }),
    refusals: ['not_found', 'archived'],
  },
  'GET /api/admin/recordings/:id/audio': {
    access: 'admin',
    summary: 'Get any recording as a stereo WAV file. The audit log keeps who did',
    ...audio,
  },
  'GET /api/admin/recordings/:id/peaks': {
    access: 'admin',
    summary: 'Get the waveform of any recording',
    ...peaks,
  },
  'GET /api/admin/users/:id/recording': {
    access: 'admin',
    summary: 'Show whether a customer is allowed to record calls',
    params: IdInPath,
    answer: z.object({ settings: RecordingSettings }),
    refusals: ['not_found'],
  },
  'PUT /api/admin/users/:id/recording': {
    access: 'admin',
    summary: 'Allow a customer to record calls, or take the consent back',
    params: IdInPath,
    body: z.strictObject({ is_allowed: z.boolean() }),
    answer: z.object({ settings: RecordingSettings }),
    refusals: ['not_found'],
  },
  'GET /api/admin/recording-price': {
    access: 'admin',
    summary: 'Show the price of a recorded minute',
    answer: z.object({ price: z.number() }),
  },
  'PUT /api/admin/recording-price': {
    access: 'admin',
    summary: 'Set the price of a recorded minute. It applies to recordings that start from now on',
    body: z.strictObject({ price: Price }),
    answer: z.object({ price: z.number() }),
  },
} as const satisfies Endpoints
