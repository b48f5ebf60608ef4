/** To where nothing can be pressed, for a screen reader to say and the keyboard to start from: no ring is drawn around it. */
export function focusPlace(place: HTMLElement): void {
  place.tabIndex = -1
  place.style.outline = 'none'
  place.focus({ preventScroll: true })
}

/**
 * A router changes the page without telling anybody. Moving the focus to the new page's heading lets a screen reader
 * say where one has arrived and lets the keyboard start from there. Whoever is busy in a dialog meanwhile is left there.
 */
export function focusHeading(): void {
  if (document.querySelector('[role="dialog"][data-state="open"]')) return
  const heading = document.querySelector<HTMLElement>('h1')
  if (heading) focusPlace(heading)
}
