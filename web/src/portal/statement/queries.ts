import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { filtersOf, type Selection } from '../../common/statement/search.ts'

export const statementQuery = (selection: Selection, before: number | undefined) =>
  queryOptions({
    queryKey: ['statement', selection, before ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/statement', {
        query: { ...filtersOf(selection), ...(before !== undefined && { before }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: before === undefined && USER_REFRESH_MS,
  })
