import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { cursorPages } from '../../common/cursor-pages.ts'

export type Shown = 'new' | 'read' | undefined

export const messagesQuery = (state: Shown) =>
  infiniteQueryOptions({
    queryKey: ['voicemail', 'messages', state ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/voicemail', {
        query: { ...(state && { state }), ...(pageParam !== null && { after: pageParam }) },
        signal,
      }),
    ...cursorPages,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })

const COUNTED_EVERY_MS = 30_000

/** For the badge in the sidebar. */
export const countsQuery = queryOptions({
  queryKey: ['voicemail', 'counts'],
  queryFn: async ({ signal }) => (await api('GET /api/voicemail/counts', { signal })).counts,
  refetchInterval: COUNTED_EVERY_MS,
})

export const settingsQuery = queryOptions({
  queryKey: ['voicemail settings'],
  queryFn: async ({ signal }) => (await api('GET /api/voicemail/settings', { signal })).settings,
})

export const recordingSettingsQuery = queryOptions({
  queryKey: ['recording settings'],
  queryFn: async ({ signal }) => (await api('GET /api/recording-settings', { signal })).settings,
})

export const rereadVoicemail = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['voicemail'] })

export async function markMessages(ids: number[], isNew: boolean): Promise<void> {
  await api('PATCH /api/voicemail', { body: { ids, is_new: isNew } })
  await rereadVoicemail()
}
