import { useRef } from 'react'

/** What every dialog does besides: gives the focus back to where it came from, and stays when a message is dismissed. */
export function useDialogManners() {
  const opener = useRef<Element | null>(null)
  return {
    /** Called while the focus is still where it was. */
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
    /** A message on top of the dialog is not beside it. By now it may be gone from the page, but not from its button. */
    onInteractOutside: (event: { target: EventTarget | null; preventDefault: () => void }) => {
      if (event.target instanceof Element && event.target.closest('[data-toast]')) event.preventDefault()
    },
  }
}
