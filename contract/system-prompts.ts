import { languages } from '@trunkline/domain/flows'
import { promptNames } from '@trunkline/domain/prompts'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Timestamp } from './fields.ts'
import { SOUND_BODY_BYTES_MAX } from './limits.ts'
import { GivenWav } from './sounds.ts'

/** Prompts that the system speaks by itself, in each language. The operator can replace them by recordings. */

export const SystemPrompt = z.object({
  language: z.enum(languages),
  name: z.enum(promptNames),
  /** Spoken by the voice of the server if there is no recording. */
  text: z.string(),
  recording: z.object({ seconds: z.number(), replaced_at: Timestamp }).nullable(),
})
export type SystemPrompt = z.output<typeof SystemPrompt>

const PromptInPath = z.strictObject({ language: z.enum(languages), name: z.enum(promptNames) })
const answer = z.object({ prompt: SystemPrompt })

export const systemPrompts = {
  'GET /api/admin/system-prompts': {
    access: 'admin',
    summary: 'List the prompts of the system in all languages',
    answer: z.object({ prompts: z.array(SystemPrompt) }),
  },
  'GET /api/admin/system-prompts/:language/:name/audio': {
    access: 'admin',
    summary: 'Get a prompt as callers hear it, as a WAV file',
    params: PromptInPath,
    file: 'audio/wav',
    answer: z.unknown(),
    refusals: ['speech_unavailable'],
  },
  'PUT /api/admin/system-prompts/:language/:name': {
    access: 'admin',
    summary: 'Replace a prompt with a recording: a WAV file as base64. All following calls hear it',
    params: PromptInPath,
    maxBodyBytes: SOUND_BODY_BYTES_MAX,
    body: z.strictObject({ wav: GivenWav }),
    answer,
    refusals: ['sound_invalid'],
  },
  'DELETE /api/admin/system-prompts/:language/:name': {
    access: 'admin',
    summary: 'Restore the voice of a prompt: delete its recording',
    params: PromptInPath,
    answer,
  },
} as const satisfies Endpoints
