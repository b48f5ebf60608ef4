import { useSyncExternalStore } from 'react'

/** Tailwind's `md`. */
const query = matchMedia('(min-width: 48rem)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is wider than a phone. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
