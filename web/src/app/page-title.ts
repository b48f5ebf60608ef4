import { useEffect } from 'react'
import { useSite } from './site.ts'

/** Sets the page title: screen, then site name. Resets it on unmount. */
export function usePageTitle(title: string | null): void {
  const name = useSite()?.name ?? 'Trunkline'
  useEffect(() => {
    const before = document.title
    document.title = title === null ? name : `${title} · ${name}`
    return () => {
      document.title = before
    }
  }, [title, name])
}
