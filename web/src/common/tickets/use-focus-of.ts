import { useLayoutEffect, useRef } from 'react'

/** On a phone, the focused part may be hidden. Moves the focus to the visible part. */
export function useFocusOf(opened: unknown) {
  const list = useRef<HTMLElement>(null)
  const detail = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement?.checkVisibility() === false)
      (opened === null ? list : detail).current?.focus()
  }, [opened])
  return { list, detail }
}
