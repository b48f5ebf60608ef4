/** Focuses an element without a focus ring. */
export function focusPlace(place: HTMLElement): void {
  place.tabIndex = -1
  place.style.outline = 'none'
  place.focus({ preventScroll: true })
}

/**
 * Moves the focus to the heading of a new page, so that screen readers announce it and the keyboard starts there. Does
 * nothing while a dialog is open.
 */
export function focusHeading(): void {
  if (document.querySelector('[role="dialog"][data-state="open"]')) return
  const heading = document.querySelector<HTMLElement>('h1')
  if (heading) focusPlace(heading)
}

/** After the element that had the focus was removed, such as the row of a deleted message. Waits for the screen. */
export const focusHeadingIfLost = () =>
  setTimeout(() => {
    if (document.activeElement === document.body) focusHeading()
  })
