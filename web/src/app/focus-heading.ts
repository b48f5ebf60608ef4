/**
 * A router changes the page without telling anybody. Moving the focus to the new page's heading lets a screen reader
 * say where one has arrived and lets the keyboard start from there.
 */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.style.outline = 'none'
  heading.focus({ preventScroll: true })
}
