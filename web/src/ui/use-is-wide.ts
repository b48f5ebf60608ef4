import { useSyncExternalStore } from 'react'

const followed = (least: string) => {
  const query = matchMedia(`(min-width: ${least})`)
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return (): boolean => useSyncExternalStore(subscribe, () => query.matches)
}

/** Whether the window is wider than a phone: Tailwind's `md`. */
export const useIsWide = followed('48rem')

/** Whether the sidebar is beside the screen: Tailwind's `lg`. */
export const useHasSidebar = followed('64rem')
