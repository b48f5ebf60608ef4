import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FlowDetail } from '@trunkline/contract/flows'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { flowsQuery } from '../flow-queries.ts'

export const flowQuery = (id: number) =>
  queryOptions({
    queryKey: ['flows', id],
    queryFn: async ({ signal }) => (await api('GET /api/flows/:id', { params: { id }, signal })).flow,
  })

export const versionsQuery = (id: number) =>
  queryOptions({
    queryKey: ['flows', id, 'versions'],
    queryFn: async ({ signal }) =>
      (await api('GET /api/flows/:id/versions', { params: { id }, signal })).versions,
  })

/** A version never changes. */
export const versionQuery = (id: number, number: number) =>
  queryOptions({
    queryKey: ['flows', id, 'versions', number],
    queryFn: async ({ signal }) =>
      (await api('GET /api/flows/:id/versions/:number', { params: { id, number }, signal })).version,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Callers come and go. A hidden tab does not ask. */
const QUEUES_REFRESH_MS = 2_000

export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: async ({ signal }) => (await api('GET /api/queues', { signal })).queues,
  refetchInterval: QUEUES_REFRESH_MS,
  refetchOnWindowFocus: 'always',
})

/** Which of the numbers cannot be called or paid now. `numbers` are separated by commas. */
export const checkQuery = (numbers: string) =>
  queryOptions({
    queryKey: ['flow-checks', numbers],
    queryFn: ({ signal }) => api('GET /api/flow-checks', { query: { numbers }, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })

export const soundsQuery = queryOptions({
  queryKey: ['sounds'],
  queryFn: async ({ signal }) => (await api('GET /api/sounds', { signal })).sounds,
})

export const rereadSounds = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: soundsQuery.queryKey })

export const rereadFlows = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['flows'] })

/** Shows a saved flow at once. The list reads it again. */
export function putFlow(flow: FlowDetail): void {
  queryClient.setQueryData(flowQuery(flow.id).queryKey, flow)
  void queryClient.invalidateQueries({ queryKey: flowsQuery.queryKey })
  void queryClient.invalidateQueries({ queryKey: versionsQuery(flow.id).queryKey })
}
