import AxeBuilder from '@axe-core/playwright'
import { demo, expect, signIn, test } from '../support/story.ts'

const visitors = ['/', '/login', '/forgot-password', '/reset-password#token=x', '/nothing-here']
const customers = [
  '/dashboard',
  '/dashboard/profile',
  '/dashboard/trunks',
  '/dashboard/cdr-report',
  '/dashboard/support',
  '/dashboard/topup',
  '/dashboard/upgrade',
]

for (const theme of ['light', 'dark'] as const)
  for (const width of [1280, 390])
    test.describe(`in ${theme} at ${width} px`, () => {
      // Without motion there is nothing to wait for, and what is judged is the screen at rest.
      test.use({
        viewport: { width, height: 844 },
        colorScheme: theme,
        contextOptions: { reducedMotion: 'reduce' },
      })

      test('axe finds nothing on what visitors see', async ({ page }) => {
        for (const path of visitors) {
          await page.goto(path)
          await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
          await expectNoViolations(page, path)
        }
      })

      test('axe finds nothing in the shells', async ({ page }) => {
        await page.addInitScript((chosen) => {
          localStorage.setItem('theme', chosen)
          localStorage.setItem('portal-theme', chosen)
        }, theme)
        await signIn(page, demo.admin)
        await expectNoViolations(page, '/admin-panal')
        for (const path of customers) {
          await page.goto(path)
          await expect(page.getByRole('main')).toBeVisible()
          await expectNoViolations(page, path)
        }
      })
    })

async function expectNoViolations(page: Parameters<typeof signIn>[0], path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect({ path, violations: told }).toEqual({ path, violations: [] })
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect({ path, overflow }).toEqual({ path, overflow: 0 })
}
