import { defineHandlers } from '../../../platform/handler.ts'
import type { Search } from './service.ts'

export const searchEndpoints = (search: Search) =>
  defineHandlers({
    'GET /api/admin/search': ({ caller, query }) => search.find(caller, query.q),
  })
