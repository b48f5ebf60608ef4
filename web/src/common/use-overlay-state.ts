import { useCallback, useEffect, useRef, useState } from 'react'

export type ShowOverlay<Overlay> = (overlay: Overlay | null) => void

/** One overlay at a time. When the last one closes, the focus returns to where it was before the first. */
export function useOverlayState<Overlay>(): [open: Overlay | null, show: ShowOverlay<Overlay>] {
  const [open, setOpen] = useState<Overlay | null>(null)
  const opener = useRef<Element | null>(null)

  const show = useCallback((overlay: Overlay | null) => {
    if (overlay !== null) opener.current ??= document.activeElement
    setOpen(() => overlay)
  }, [])

  useEffect(() => {
    if (open !== null) return
    if (opener.current instanceof HTMLElement) opener.current.focus()
    opener.current = null
  }, [open])

  return [open, show]
}
