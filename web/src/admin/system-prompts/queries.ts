import { queryOptions } from '@tanstack/react-query'
import type { SystemPrompt } from '@trunkline/contract/system-prompts'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { fetchSound } from '../../common/sound/fetch-sound.ts'

export const promptsQuery = queryOptions({
  queryKey: ['admin', 'system-prompts'],
  queryFn: async ({ signal }) => (await api('GET /api/admin/system-prompts', { signal })).prompts,
  refetchOnWindowFocus: 'always',
})

export const rereadPrompts = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: promptsQuery.queryKey })

/** The prompt as callers hear it now. */
export const loadPrompt =
  ({ language, name }: SystemPrompt) =>
  (): Promise<Blob> =>
    fetchSound('GET /api/admin/system-prompts/:language/:name/audio', { params: { language, name } })
