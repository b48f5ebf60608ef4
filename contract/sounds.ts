import { languages } from '@trunkline/domain/flows'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp } from './fields.ts'
import { FLOW_TEXT_MAX, SOUND_BASE64_MAX, SOUND_BODY_BYTES_MAX, SOUND_NAME_MAX } from './limits.ts'
import { keepUnder } from './messages.ts'
import { IdInPath } from './money.ts'

/** The customer's library of sounds. The browser decodes any format that it knows and sends WAV. */

const Name = z.string().trim().min(1).max(SOUND_NAME_MAX, keepUnder(SOUND_NAME_MAX))

export const SoundView = z.object({
  id: Id,
  name: z.string(),
  origin: z.enum(['upload', 'microphone', 'phone']),
  seconds: z.number(),
  created_at: Timestamp,
  /** Names of the flows that play it. */
  used_by: z.array(z.string()),
})
export type SoundView = z.output<typeof SoundView>

/** A WAV file, 16 bits, mono or stereo, as base64. Not checked by a pattern here: that takes as long as reading it. */
export const GivenWav = z
  .string()
  .min(1)
  .max(SOUND_BASE64_MAX)
  .meta({ contentEncoding: 'base64', contentMediaType: 'audio/wav' })

export const sounds = {
  'GET /api/sounds': {
    access: 'user',
    summary: 'List your sounds',
    answer: z.object({ sounds: z.array(SoundView) }),
  },
  'POST /api/sounds': {
    access: 'user',
    summary: 'Add a sound: a WAV file as base64. It is normalized and encoded once',
    maxBodyBytes: SOUND_BODY_BYTES_MAX,
    body: z.strictObject({ name: Name, origin: z.enum(['upload', 'microphone']), wav: GivenWav }),
    answer: z.object({ sound: SoundView }),
    refusals: ['name_taken', 'sound_invalid', 'too_many_sounds'],
  },
  'PATCH /api/sounds/:id': {
    access: 'user',
    summary: 'Rename a sound',
    params: IdInPath,
    body: z.strictObject({ name: Name }),
    answer: z.object({ sound: SoundView }),
    refusals: ['not_found', 'name_taken'],
  },
  'DELETE /api/sounds/:id': {
    access: 'user',
    summary: 'Delete a sound that no flow and no greeting uses',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found', 'sound_in_use'],
  },
  'GET /api/sounds/:id/audio': {
    access: 'user',
    summary: 'Get a sound as callers hear it, as a WAV file',
    params: IdInPath,
    file: 'audio/wav',
    answer: z.unknown(),
    refusals: ['not_found'],
  },
  'POST /api/speech': {
    access: 'user',
    summary: 'Hear how a text is spoken, as a WAV file',
    body: z.strictObject({
      text: z.string().trim().min(1).max(FLOW_TEXT_MAX, keepUnder(FLOW_TEXT_MAX)),
      language: z.enum(languages).default('en'),
    }),
    file: 'audio/wav',
    answer: z.unknown(),
    refusals: ['speech_unavailable'],
  },
} as const satisfies Endpoints
