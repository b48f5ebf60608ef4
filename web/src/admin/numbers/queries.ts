import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AdminNumber } from '@trunkline/contract/numbers'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { savedEntry } from '../saved-entry.ts'
import type { Selection } from './search.ts'

const KEY = ['admin', 'numbers']

export const numbersQuery = (selection: Selection, after: number | undefined) =>
  queryOptions({
    queryKey: [...KEY, 'list', selection, after ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/numbers', {
        query: { ...selection, ...(after !== undefined && { after }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    refetchOnWindowFocus: 'always',
  })

export const settingsQuery = queryOptions({
  queryKey: [...KEY, 'settings'],
  queryFn: async ({ signal }) => (await api('GET /api/admin/number-settings', { signal })).settings,
})

/** The saved version of a number. */
export async function readNumber({ id, number }: AdminNumber): Promise<AdminNumber> {
  const { numbers } = await api('GET /api/admin/numbers', { query: { search: number.replace('+', '') } })
  return savedEntry(numbers, id, 'number')
}

/** After a change of a number. The customer's page shows its numbers and balance. */
export const rereadNumbers = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: KEY }),
    queryClient.invalidateQueries({ queryKey: ['admin', 'users'] }),
  ])
