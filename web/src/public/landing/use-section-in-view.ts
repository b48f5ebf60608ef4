import { useEffect, useState } from 'react'
import { type SectionId, sections } from './sections.ts'

/** The section in the middle of the window. */
export function useSectionInView(): SectionId {
  const [current, setCurrent] = useState<SectionId>('home')

  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.find((entry) => entry.isIntersecting)
        if (entered) setCurrent(entered.target.id as SectionId)
      },
      { rootMargin: '-45% 0px -55% 0px' },
    )
    for (const { id } of sections) {
      const element = document.getElementById(id)
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [])

  return current
}
