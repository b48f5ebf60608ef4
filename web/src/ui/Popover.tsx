import { type ReactNode, type Ref, useId, useLayoutEffect, useRef, useState } from 'react'

const GAP_PX = 6
const MARGIN_PX = 8

/** Properties of the button that opens the panel. */
type TriggerProps = { ref: Ref<HTMLButtonElement>; popoverTarget: string; 'aria-haspopup': 'dialog' }

type PopoverProps = {
  trigger: (props: TriggerProps) => ReactNode
  /** Accessible name of the panel. */
  label: string
  children: (close: () => void) => ReactNode
}

/** A small panel below a button. The Escape key, a click outside or the button closes it, and the button gets the focus back. */
export function Popover({ trigger, label, children }: PopoverProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (!isOpen) return
    const follow = () => button.current && panel.current && place(panel.current, button.current)
    // The browser shows the panel after this effect and before the next frame.
    const frame = requestAnimationFrame(() => {
      follow()
      panel.current?.focus({ preventScroll: true })
    })
    // Also when something inside of the page scrolls, which does not bubble.
    addEventListener('scroll', follow, { capture: true, passive: true })
    addEventListener('resize', follow)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', follow, { capture: true })
      removeEventListener('resize', follow)
    }
  }, [isOpen])

  return (
    <>
      {trigger({ ref: button, popoverTarget: id, 'aria-haspopup': 'dialog' })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        tabIndex={-1}
        aria-label={label}
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        // The content stays until the focus is back at the button.
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
        className="inset-auto m-0 animate-appear overflow-y-auto rounded-xl border bg-raised p-4 text-base text-ink shadow-far outline-none"
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}

/** Below the button and in line with its right edge, or above it where there is more room. Always within the window. */
function place({ style, offsetWidth, scrollHeight }: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const above = top - GAP_PX - MARGIN_PX
  const below = clientHeight - bottom - GAP_PX - MARGIN_PX
  const isBelow = below >= Math.min(scrollHeight, above)
  const furthest = clientWidth - offsetWidth - MARGIN_PX
  style.left = `${Math.max(MARGIN_PX, Math.min(right - offsetWidth, furthest))}px`
  style.top = isBelow ? `${bottom + GAP_PX}px` : 'auto'
  style.bottom = isBelow ? 'auto' : `${clientHeight - top + GAP_PX}px`
  style.maxHeight = `${isBelow ? below : above}px`
}
