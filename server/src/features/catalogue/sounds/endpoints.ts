import { ownMessages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../../platform/handler.ts'
import type { Sounds } from './service.ts'

type Addresses =
  | 'GET /api/sounds'
  | 'POST /api/sounds'
  | 'PATCH /api/sounds/:id'
  | 'DELETE /api/sounds/:id'
  | 'GET /api/sounds/:id/audio'
  | 'POST /api/speech'

export const soundEndpoints = (sounds: Sounds): HandlersOf<Addresses> => ({
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
