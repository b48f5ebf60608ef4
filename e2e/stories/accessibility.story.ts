import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
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

async function expectCleanAt(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expectNoViolations(page)
}

for (const theme of ['light', 'dark'] as const)
  test(`public pages use the ${theme} theme of the system`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme })
    for (const path of visitors) {
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    }
  })

test('axe finds nothing on public pages', async ({ page }) => {
  test.slow()
  for (const path of visitors) await expectCleanAt(page, path)
})

test('axe finds nothing in the layouts of the portal and the panel', async ({ page }) => {
  test.slow()
  await signIn(page, demo.admin)
  for (const path of ['/admin-panal', ...customers]) await expectCleanAt(page, path)
})

test('a customer with numbers causes no errors in the console, although no switch accepts browsers', async ({
  page,
}) => {
  const errors: string[] = []
  page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
  await signIn(page, demo.alice)
  for (const path of ['/dashboard', '/dashboard/numbers']) await expectCleanAt(page, path)
  await expect(page.getByRole('button', { name: 'Phone', exact: true })).toBeVisible()
  expect(errors).toEqual([])
})
