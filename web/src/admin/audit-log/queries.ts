import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { askFor, type Selection } from './search.ts'

const LOG = ['admin', 'audit-log']

export const pageQuery = (selection: Selection, before: number | undefined) =>
  queryOptions({
    queryKey: [...LOG, 'page', selection, before],
    queryFn: ({ signal }) =>
      api('GET /api/admin/audit-log', {
        query: { ...askFor(selection), limit: 50, ...(before !== undefined && { before }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const choicesQuery = queryOptions({
  queryKey: [...LOG, 'choices'],
  queryFn: ({ signal }) => api('GET /api/admin/audit-log/choices', { signal }),
})
