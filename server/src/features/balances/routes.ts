import type { HandlersOf } from '../../platform/handler.ts'
import type { Balances } from './service.ts'

type Addresses = 'POST /api/admin/balance-adjustments' | 'GET /api/admin/users/:id/statement'

export const balanceRoutes = (balances: Balances): HandlersOf<Addresses> => ({
  'POST /api/admin/balance-adjustments': ({ caller, body }) => balances.adjust(caller, body),

  'GET /api/admin/users/:id/statement': ({ caller, params, query }) =>
    balances.statement(caller, params.id, query),
})
