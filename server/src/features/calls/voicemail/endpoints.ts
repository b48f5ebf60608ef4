import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Voicemail } from './service.ts'

export const voicemailEndpoints = (voicemail: Voicemail) =>
  defineHandlers({
    'GET /api/voicemail': ({ caller, query }) => voicemail.list(caller, query),

    'GET /api/voicemail/counts': async ({ caller }) => ({ counts: await voicemail.counts(caller) }),

    'PATCH /api/voicemail': async ({ caller, body }) => ({
      counts: await voicemail.mark(caller, body.ids, body.is_new),
    }),

    'POST /api/voicemail/delete': async ({ caller, body }) => {
      await voicemail.remove(caller, body.ids)
      return { message: ownMessages.messagesDeleted }
    },

    'GET /api/voicemail/:id/audio': ({ caller, params }) => voicemail.audio(caller, params.id),

    'GET /api/voicemail/settings': async ({ caller }) => ({ settings: await voicemail.showSettings(caller) }),

    'PUT /api/voicemail/settings': async ({ caller, body }) => ({
      settings: await voicemail.changeSettings(caller, body),
    }),
  })
