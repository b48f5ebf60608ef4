import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { RequestOf } from '@trunkline/contract'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { cursorPages } from '../../common/cursor-pages.ts'
import { toast } from '../../ui/toast.ts'
import { ALERTS_KEY } from '../queries.ts'
import type { AlertsSearch } from './search.ts'

export const alertsQuery = ({ state, topic, user }: AlertsSearch) =>
  infiniteQueryOptions({
    queryKey: [...ALERTS_KEY, 'list', { state, topic, user }],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/alerts', {
        query: {
          state: state ?? 'open',
          ...(topic && { topic }),
          ...(user && { username: user }),
          ...(pageParam !== null && { before: pageParam }),
        },
        signal,
      }),
    ...cursorPages,
    refetchInterval: USER_REFRESH_MS,
    refetchOnWindowFocus: 'always',
  })

const rereadAlerts = () => queryClient.invalidateQueries({ queryKey: ALERTS_KEY })

export const useAcknowledge = () =>
  useMutation({
    mutationFn: (id: number) => api('POST /api/admin/alerts/:id/acknowledge', { params: { id } }),
    onError: (error) => toast.error(explain(error, 'The alert could not be acknowledged. Please try again.')),
    onSettled: rereadAlerts,
  })

/** Maximum number of ids in one request. */
const AT_ONCE = 100

/** Shows its toasts from here, because the button unmounts with the last alert. */
export const useAcknowledgeAll = () =>
  useMutation({
    mutationFn: async (ids: readonly number[]) => {
      let acknowledged = 0
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const body = { ids: ids.slice(from, from + AT_ONCE) }
        acknowledged += (await api('POST /api/admin/alerts/acknowledge', { body })).acknowledged
      }
      return acknowledged
    },
    onSuccess: (count) => {
      toast.success(count === 1 ? '1 alert acknowledged.' : `${count} alerts acknowledged.`)
    },
    onError: (error) =>
      toast.error(explain(error, 'Not all alerts could be acknowledged. Please try again.')),
    onSettled: rereadAlerts,
  })

export const settingsQuery = queryOptions({
  queryKey: ['admin', 'alert-settings'],
  queryFn: async ({ signal }) => (await api('GET /api/admin/alert-settings', { signal })).settings,
  // A form is filled from it and must not change while someone edits.
  refetchOnWindowFocus: false,
  gcTime: 0,
})

export type SettingsChange = RequestOf<'PATCH /api/admin/alert-settings'>['body']
