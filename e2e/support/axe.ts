import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** In addition to the default rules: targets are at least 24 px wide and high, or have enough space around them. */
const all = { rules: { 'target-size': { enabled: true } } }
/** A theme changes only colors, so only contrast is checked again. */
const colors = { runOnly: ['color-contrast'] }

/** Rows of one list look alike. All of them are checked once, then the first ones only. */
const laterRows = ['tbody > tr:nth-child(n+9)', 'li:nth-child(n+9)']

const looks = [
  { theme: 'light', width: 1280, options: all, exclude: [] },
  { theme: 'dark', width: 1280, options: colors, exclude: laterRows },
  { theme: 'dark', width: 390, options: colors, exclude: laterRows },
  { theme: 'light', width: 390, options: all, exclude: laterRows },
]

/** A wide screen at 400% zoom. The page must not scroll horizontally there. */
const NARROWEST = 320

/** Without these settings axe prepares selectors and HTML of all elements, not only of violations. */
const terse = { resultTypes: ['violations'], selectors: false, elementRef: true }
const injected = `${axe.source}; axe.configure({ noHtml: true })`

const MAX_HTML = 300

/** Checks the page or a part of it in both themes, at desktop and phone width, and for overflow. */
export async function expectNoViolations(page: Page, part = 'html'): Promise<void> {
  // Without motion, the screen at rest is checked.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(injected)
  const size = page.viewportSize()
  const before = await page.evaluate<string>('document.documentElement.dataset.theme')
  for (const { theme, width, options, exclude } of looks) {
    await page.setViewportSize({ width, height: 844 })
    await wear(page, theme)
    const found = await page.evaluate<string[]>(`(async () => {
      const context = ${JSON.stringify({ include: [part], exclude })}
      const { violations } = await axe.run(context, ${JSON.stringify({ ...options, ...terse })})
      const htmlOf = ({ element }) => element.outerHTML.slice(0, ${MAX_HTML})
      return violations.map(({ id, nodes }) => id + ': ' + nodes.map(htmlOf).join(' | '))
    })()`)
    expect(found, `${page.url()} in ${theme} at ${width} px`).toEqual([])
    await expectWithinEdges(page, width)
  }
  await page.setViewportSize({ width: NARROWEST, height: 640 })
  await expectWithinEdges(page, NARROWEST)
  if (size) await page.setViewportSize(size)
  await wear(page, before)
}

/** Charts redraw shortly after a resize. */
async function expectWithinEdges(page: Page, width: number): Promise<void> {
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  await expect
    .poll(() => page.evaluate(overflow), { message: `${page.url()} beyond the edge at ${width} px` })
    .toBe(0)
}

/** Resolves after the next paint. */
const wear = (page: Page, theme: string): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    document.documentElement.dataset.theme = '${theme}'
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })`)
