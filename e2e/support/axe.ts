import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** Beside what axe judges by itself: what is pressed is at least 24 px wide and high, or stands alone. */
const all = { rules: { 'target-size': { enabled: true } } }
/** A theme changes colours and nothing else, so only they are judged again. */
const colours = { runOnly: ['color-contrast'] }

const looks = [
  { theme: 'light', width: 1280, options: all },
  { theme: 'dark', width: 1280, options: colours },
  { theme: 'dark', width: 390, options: colours },
  { theme: 'light', width: 390, options: all },
]

/** What a wide screen shows at 400 %: there, too, nobody has to scroll sideways to read. */
const NARROWEST = 320

/** What is wrong is told by its HTML; to work out selectors too would only take time. */
const terse = { resultTypes: ['violations'], selectors: false }

/** Judges the page, or a part of it, in both themes, wide and on a phone; nothing may stand beyond its edge. */
export async function expectNoViolations(page: Page, part = 'html'): Promise<void> {
  // Without motion there is nothing to wait for, and what is judged is the screen at rest.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  const size = page.viewportSize()
  const before = await page.evaluate<string>('document.documentElement.dataset.theme')
  for (const { theme, width, options } of looks) {
    await page.setViewportSize({ width, height: 844 })
    await wear(page, theme)
    const { violations } = await page.evaluate<axe.AxeResults>(
      `axe.run(${JSON.stringify(part)}, ${JSON.stringify({ ...options, ...terse })})`,
    )
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    expect(found, `${page.url()} in ${theme} at ${width} px`).toEqual([])
    await expectWithinEdges(page, width)
  }
  await page.setViewportSize({ width: NARROWEST, height: 640 })
  await expectWithinEdges(page, NARROWEST)
  if (size) await page.setViewportSize(size)
  await wear(page, before)
}

/** Charts are drawn anew a moment after their place has become narrower. */
async function expectWithinEdges(page: Page, width: number): Promise<void> {
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  await expect
    .poll(() => page.evaluate(overflow), { message: `${page.url()} beyond the edge at ${width} px` })
    .toBe(0)
}

/** Resolves when it is drawn so. */
const wear = (page: Page, theme: string): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    document.documentElement.dataset.theme = '${theme}'
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })`)
