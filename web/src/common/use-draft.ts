import { useState } from 'react'
import { draftKey } from '../app/drafts.ts'
import { queryClient } from '../app/query-client.ts'

/** A draft that survives leaving the screen, and the end of the session if the same user signs in again. */
export function useDraft<Draft>(
  name: string,
  blank: Draft,
): [draft: Draft, write: (draft: Draft) => void, discard: (sent?: Draft) => void] {
  const key = draftKey(name)
  const [draft, setDraft] = useState(() => queryClient.getQueryData<Draft>(key) ?? blank)
  const write = (next: Draft) => {
    queryClient.setQueryData(key, next)
    setDraft(next)
  }
  const discard = (sent?: Draft) => {
    const typed = queryClient.getQueryData<Draft>(key)
    // Keeps text that the user typed during the request.
    if (sent !== undefined && typed !== undefined && JSON.stringify(typed) !== JSON.stringify(sent)) return
    queryClient.removeQueries({ queryKey: key })
    setDraft(blank)
  }
  return [draft, write, discard]
}
