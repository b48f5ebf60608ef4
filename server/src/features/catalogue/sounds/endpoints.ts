import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Sounds } from './service.ts'

export const soundEndpoints = (sounds: Sounds) =>
  defineHandlers({
    'GET /api/sounds': async ({ caller }) => ({ sounds: await sounds.list(caller) }),

    'POST /api/sounds': async ({ caller, body }) => ({ sound: await sounds.add(caller, body) }),

    'PATCH /api/sounds/:id': async ({ caller, params, body }) => ({
      sound: await sounds.rename(caller, params.id, body.name),
    }),

    'DELETE /api/sounds/:id': async ({ caller, params }) => {
      await sounds.remove(caller, params.id)
      return { message: ownMessages.soundDeleted }
    },

    'GET /api/sounds/:id/audio': ({ caller, params }) => sounds.audio(caller, params.id),

    'POST /api/speech': ({ caller, body }) => sounds.speak(caller, body),
  })
