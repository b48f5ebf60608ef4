import { useEffect } from 'react'
import { useSite } from './site.ts'

/** What the browser's tab says: the screen, then whose portal it is. */
export function usePageTitle(title: string | null): void {
  const name = useSite()?.name ?? 'Trunkline'
  useEffect(() => {
    document.title = title === null ? name : `${title} · ${name}`
  }, [title, name])
}
