import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Judges a part of the screen in both themes, wide and on a phone; nothing may stand beyond its edge. The frame around the
 * parts is judged where the frames are.
 */
export async function expectNoViolations(page: Page, part: 'main' | '[role="dialog"]'): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [theme, width] of [
    ['light', 1280],
    ['light', 390],
    ['dark', 390],
    ['dark', 1280],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    const { violations } = await new AxeBuilder({ page }).include(part).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    expect(found, `${theme} at ${width} px`).toEqual([])
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(overflow), `beyond the edge at ${width} px`).toBe(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`)
}
