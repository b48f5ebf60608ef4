import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../app/api.ts'

export const callerIdQuery = queryOptions({
  queryKey: ['caller-id'],
  queryFn: ({ signal }) => api('GET /api/user/callerid', { signal }),
})
