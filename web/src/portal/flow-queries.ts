import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../app/api.ts'

/** Used by Flows and by Numbers, which leads calls to flows. */
export const flowsQuery = queryOptions({
  queryKey: ['flows', 'list'],
  queryFn: async ({ signal }) => (await api('GET /api/flows', { signal })).flows,
  refetchOnWindowFocus: 'always',
})

/** Names of the flows, by id. */
export type FlowNames = ReadonlyMap<number, string>

export function useFlowNames(): FlowNames {
  const { data } = useQuery(flowsQuery)
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data])
}
