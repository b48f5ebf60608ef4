import { defineHandlers } from '../../../platform/handler.ts'
import type { SystemPrompts } from './service.ts'

export const systemPromptEndpoints = (prompts: SystemPrompts) =>
  defineHandlers({
    'GET /api/admin/system-prompts': async ({ caller }) => ({ prompts: await prompts.list(caller) }),

    'GET /api/admin/system-prompts/:language/:name/audio': ({ caller, params }) =>
      prompts.audio(caller, params),

    'PUT /api/admin/system-prompts/:language/:name': async ({ caller, params, body }) => ({
      prompt: await prompts.replace(caller, params, body.wav),
    }),

    'DELETE /api/admin/system-prompts/:language/:name': async ({ caller, params }) => ({
      prompt: await prompts.restore(caller, params),
    }),
  })
