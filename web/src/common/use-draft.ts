import { useState } from 'react'
import { queryClient } from '../app/query-client.ts'

// Kept with what else is known about this person, and forgotten with it.
queryClient.setQueryDefaults(['draft'], { gcTime: Number.POSITIVE_INFINITY })

/** Something half written. It is still there when its writer comes back to the screen. */
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
