import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Judges the screen as it is, in both themes, wide and on a phone; nothing may stand beyond its edge. */
export async function expectNoViolations(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const theme of ['light', 'dark'])
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      const { violations } = await new AxeBuilder({ page }).analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
      expect(found, `${what}, ${theme} at ${width} px`).toEqual([])
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(overflow), `${what} at ${width} px`).toBe(0)
    }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`)
}
