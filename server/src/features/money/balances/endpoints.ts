import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import type { Balances } from './service.ts'

const asFile = { 'content-disposition': 'attachment; filename="statement.csv"' }

export const balanceEndpoints = (balances: Balances) =>
  defineHandlers({
    'GET /api/admin/balance-adjustments': ({ caller, query }) => balances.adjustments(caller, query),

    'POST /api/admin/balance-adjustments': ({ caller, body }) => balances.adjust(caller, body),

    'GET /api/admin/users/:id/statement': ({ caller, params, query }) =>
      balances.statement(caller, params.id, query),

    'GET /api/admin/users/:id/statement.csv': async ({ caller, params, query }) =>
      new Streamed(await balances.statementCsv(caller, params.id, query), asFile),

    'GET /api/statement': ({ caller, query }) => balances.ownStatement(caller, query),

    'GET /api/statement.csv': async ({ caller, query }) =>
      new Streamed(await balances.ownStatementCsv(caller, query), asFile),
  })
