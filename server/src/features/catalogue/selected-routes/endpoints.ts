import { ownMessages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../../platform/handler.ts'
import type { SelectedRoutes } from './service.ts'

type Addresses =
  | 'GET /api/user-selected-route'
  | 'POST /api/user-selected-route'
  | 'DELETE /api/user-selected-route'

export const selectedRouteEndpoints = (selected: SelectedRoutes): HandlersOf<Addresses> => ({
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
