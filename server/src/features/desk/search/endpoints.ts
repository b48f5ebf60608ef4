import type { HandlersOf } from '../../../platform/handler.ts'
import type { Search } from './service.ts'

export const searchEndpoints = (search: Search): HandlersOf<'GET /api/admin/search'> => ({
  'GET /api/admin/search': ({ caller, query }) => search.find(caller, query.q),
})
