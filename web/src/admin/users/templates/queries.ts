import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'

export const templatesQuery = queryOptions({
  queryKey: ['admin', 'limit-templates'],
  queryFn: ({ signal }) => api('GET /api/admin/limit-templates', { signal }),
})

export const rereadTemplates = () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey })
