import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** Drafts live in the query cache, under `['draft', name]`. Nothing but their screen removes them. */
export const draftKey = (name?: string): QueryKey => (name === undefined ? ['draft'] : ['draft', name])

queryClient.setQueryDefaults(draftKey(), { gcTime: Number.POSITIVE_INFINITY })

let setAside: { userId: number; drafts: [key: QueryKey, draft: unknown][] } | null = null

/** Keeps the drafts of a user whose session has ended, where no screen finds them. */
export function setDraftsAside(userId: number): void {
  setAside = { userId, drafts: queryClient.getQueriesData({ queryKey: draftKey() }) }
}

/** Gives the kept drafts back to their author. For any other user they are deleted. */
export function restoreDrafts(userId: number): void {
  if (setAside?.userId === userId)
    for (const [key, draft] of setAside.drafts) queryClient.setQueryData(key, draft)
  setAside = null
}

export function forgetDraftsSetAside(): void {
  setAside = null
}
