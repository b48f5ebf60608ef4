import { useRef } from 'react'
import { focusHeading } from './focus-heading.ts'

/** The first field, or the selected one of a group. */
const FIELD = ':is(input, select, textarea):not(:disabled, [type="hidden"], [type="radio"]:not(:checked))'

/** The element that opened the dialog. A dialog that replaces another returns the focus there too. */
let lastOpener: Element | null = null
/** The dialog that opened last. A dialog that it replaced closes after it has opened. */
let newest: object | null = null

/**
 * Focus of dialogs: moves to the first field, returns to the opener, and keeps the dialog open when a toast is
 * dismissed, or when a field uses the Escape key itself.
 */
export function useDialogFocus() {
  const opener = useRef<Element | null>(null)
  return {
    /** Called before the focus moves. */
    onOpenAutoFocus: (event: Event) => {
      const { activeElement, body } = document
      opener.current = activeElement === body ? lastOpener : activeElement
      lastOpener = opener.current
      newest = opener
      const content = event.currentTarget as HTMLElement
      if (focusField(content)) event.preventDefault()
      else awaitField(content)
    },
    /** The opener may no longer exist. */
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (newest === opener) lastOpener = null
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
      else focusHeading()
    },
    /** The dialog hears the key before the field does. A search marks itself while Escape clears it or closes its list. */
    onEscapeKeyDown: (event: KeyboardEvent) => {
      if (event.target instanceof Element && event.target.closest('[data-uses-escape]'))
        event.preventDefault()
    },
    /** A click on a toast does not close the dialog. The toast may already be removed from the page. */
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

/** Moves the focus to a form that loads later, unless the user has moved it. */
function awaitField(content: HTMLElement): void {
  const watcher = new MutationObserver(() => {
    const isWaiting = document.activeElement === content.querySelector('button')
    if (!isWaiting || focusField(content)) watcher.disconnect()
  })
  watcher.observe(content, { childList: true, subtree: true })
}
