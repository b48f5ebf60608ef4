import { useLayoutEffect, useRef } from 'react'

/** On a phone, what was pressed goes away with its part of the screen; the focus goes on to the part that came. */
export function useFocusOf(opened: unknown) {
  const list = useRef<HTMLElement>(null)
  const detail = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement?.checkVisibility() === false)
      (opened === null ? list : detail).current?.focus()
  }, [opened])
  return { list, detail }
}
