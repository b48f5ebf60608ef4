import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { SavedViews } from './service.ts'

export const savedViewEndpoints = (views: SavedViews) =>
  defineHandlers({
    'GET /api/views': async ({ caller, query }) => ({ views: await views.list(caller, query.screen) }),

    'POST /api/views': async ({ caller, body }) => ({ view: await views.save(caller, body) }),

    'DELETE /api/views/:id': async ({ caller, params }) => {
      await views.remove(caller, params.id)
      return { message: ownMessages.viewDeleted }
    },
  })
