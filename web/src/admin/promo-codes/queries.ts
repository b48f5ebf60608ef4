import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'

const KEY = ['admin', 'promo-codes']

export const codesQuery = (text: string | undefined, before: number | undefined) =>
  queryOptions({
    queryKey: [...KEY, 'page', text ?? null, before ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/promo-codes', {
        query: { ...(text && { text }), ...(before !== undefined && { before }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: before === undefined && USER_REFRESH_MS,
  })

export const codeQuery = (id: number) =>
  queryOptions({
    queryKey: [...KEY, 'one', id],
    queryFn: async ({ signal }) =>
      (await api('GET /api/admin/promo-codes/:id', { params: { id }, signal })).promo_code,
  })

export const usesQuery = (id: number, before: number | undefined) =>
  queryOptions({
    queryKey: [...KEY, 'uses', id, before ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/promo-codes/:id/redemptions', {
        params: { id },
        query: before === undefined ? {} : { before },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const rereadCodes = () => queryClient.invalidateQueries({ queryKey: KEY })
