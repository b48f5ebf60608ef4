import { useState } from 'react'
import { queryClient } from '../app/query-client.ts'

// Drafts live in the query cache, which is cleared at sign-out.
queryClient.setQueryDefaults(['draft'], { gcTime: Number.POSITIVE_INFINITY })

/** A draft that survives leaving the screen. */
export function useDraft<Draft>(
  name: string,
  blank: Draft,
): [draft: Draft, write: (draft: Draft) => void, discard: () => void] {
  const key = ['draft', name]
  const [draft, setDraft] = useState(() => queryClient.getQueryData<Draft>(key) ?? blank)
  const write = (next: Draft) => {
    queryClient.setQueryData(key, next)
    setDraft(next)
  }
  const discard = () => {
    queryClient.removeQueries({ queryKey: key })
    setDraft(blank)
  }
  return [draft, write, discard]
}
