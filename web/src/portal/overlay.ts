import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'

/** What may lie over any screen of the customer area, one at a time. */
export type Overlay = 'palette' | 'connect' | 'test-call' | { hangUp: string }
type ShowOverlay = (overlay: Overlay | null) => void

export const OverlayContext = createContext<ShowOverlay>(() => {})

/** Opens one, or closes whichever is open. */
export const useOverlay = () => use(OverlayContext)

/** One may lead to another; when the last is closed, the focus returns to where it was before the first. */
export function useOverlayState(): [open: Overlay | null, show: ShowOverlay] {
  const [open, setOpen] = useState<Overlay | null>(null)
  const opener = useRef<Element | null>(null)

  const show = useCallback((overlay: Overlay | null) => {
    if (overlay !== null) opener.current ??= document.activeElement
    setOpen(overlay)
  }, [])

  useEffect(() => {
    if (open !== null) return
    if (opener.current instanceof HTMLElement) opener.current.focus()
    opener.current = null
  }, [open])

  return [open, show]
}
