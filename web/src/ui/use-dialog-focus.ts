import { useRef } from 'react'
import { focusHeading } from './focus-heading.ts'

/** What somebody opens a form for; of a row of choices the one that is made. */
const FIELD = ':is(input, select, textarea):not(:disabled, [type="hidden"], [type="radio"]:not(:checked))'

/** Where the dialog that is open came from. One that takes its place finds nothing focused and goes back there too. */
let lastOpener: Element | null = null

/**
 * What every dialog does besides: leads to its first field, gives the focus back to where it came from, and stays
 * when a message is dismissed.
 */
export function useDialogFocus() {
  const opener = useRef<Element | null>(null)
  return {
    /** Called while the focus is still where it was. */
    onOpenAutoFocus: (event: Event) => {
      const { activeElement, body } = document
      opener.current = activeElement === body ? lastOpener : activeElement
      lastOpener = opener.current
      const content = event.currentTarget as HTMLElement
      if (focusField(content)) event.preventDefault()
      else awaitField(content)
    },
    /** What it was opened by may be gone: deleted, or left behind on another screen. */
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      lastOpener = null
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
      else focusHeading()
    },
    /** A message on top of the dialog is not beside it. By now it may be gone from the page, but not from its button. */
    onInteractOutside: (event: { target: EventTarget | null; preventDefault: () => void }) => {
      if (event.target instanceof Element && event.target.closest('[data-toast]')) event.preventDefault()
    },
  }
}

function focusField(content: HTMLElement): boolean {
  const field = content.querySelector<HTMLElement>(FIELD)
  field?.focus()
  return field !== null
}

/** A form that is loaded first comes later than the way out, which has the focus until then. Whoever has moved on is left there. */
function awaitField(content: HTMLElement): void {
  const watcher = new MutationObserver(() => {
    const isWaiting = document.activeElement === content.querySelector('button')
    if (!isWaiting || focusField(content)) watcher.disconnect()
  })
  watcher.observe(content, { childList: true, subtree: true })
}
