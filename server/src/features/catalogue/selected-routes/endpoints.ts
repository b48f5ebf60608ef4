import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { SelectedRoutes } from './service.ts'

export const selectedRouteEndpoints = (selected: SelectedRoutes) =>
  defineHandlers({
    'GET /api/user-selected-route': ({ caller, query }) => selected.list(caller, query.user_id),

    'POST /api/user-selected-route': async ({ caller, body }) => ({
      ...(await selected.select(caller, body.route_id, body.user_id)),
      message: ownMessages.routeSelected,
    }),

    'DELETE /api/user-selected-route': async ({ caller, query }) => ({
      ...(await selected.unselect(caller, query.country, query.user_id)),
      message: ownMessages.routeUnselected,
    }),
  })
