import { useEffect } from 'react'
import { useSite } from './site.ts'

/** What the browser's tab says: the screen, then whose portal it is. What a part of a screen says goes with that part. */
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
