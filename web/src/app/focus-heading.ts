/**
 * A router changes the page without telling anybody. Moving the focus to the new page's heading lets a screen reader
 * say where one has arrived and lets the keyboard start from there. Whoever is busy in a dialog meanwhile is left there.
 */
export function focusHeading(): void {
  if (document.querySelector('[role="dialog"][data-state="open"]')) return
  const heading = document.querySelector<HTMLElement>('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.style.outline = 'none'
  heading.focus({ preventScroll: true })
}
