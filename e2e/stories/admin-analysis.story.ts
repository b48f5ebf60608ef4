import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { demo, expect, LONDON, NEW_YORK, signIn, test } from '../support/calls.ts'
import { expectTwelveRows } from '../support/rows.ts'

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) })
const chart = (page: Page) => page.getByRole('img', { name: /chart\. Its data/ })

test('an administrator finds the calls behind a figure, and saves the view', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds(
    { to: LONDON },
    { to: LONDON, carriers: [{ code: 486, afterMs: 20, ringAfterMs: null }] },
    { to: NEW_YORK },
  )
  await signIn(page, demo.admin, '/admin-panal')
  await page.getByRole('link', { name: 'Analysis' }).click()
  await page.getByLabel('Group by').selectOption('Customer')
  await page.getByLabel('Period', { exact: true }).selectOption('Today')
  const row = rowOf(page, caller.username)
  await expect(row.getByRole('cell').nth(1)).toContainText('3')
  await expect(row.getByRole('cell').nth(2)).toHaveText('2')
  await expect(row.getByRole('cell').nth(4)).toContainText('66.7%')

  await row.getByRole('button', { name: caller.username }).click()
  await expect(page.getByRole('heading', { name: `Revenue by hour, ${caller.username}` })).toBeVisible()
  const totals = page.getByRole('group', { name: /^Totals/ })
  await totals.getByRole('button', { name: /^Calls/ }).click()
  await expect(page.getByText('Total: 3', { exact: true })).toBeVisible()
  await chart(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/, 12 AM: \d+/)).toBeVisible()

  await page.getByRole('button', { name: 'Views' }).click()
  const views = page.getByRole('dialog', { name: 'Saved views' })
  await views.getByLabel('Save the current view as').fill(`Calls of ${caller.username}`)
  await views.getByRole('button', { name: 'Save' }).click()
  await expect(views.getByText('View saved.')).toBeVisible()
  await page.keyboard.press('Escape')

  await row.getByRole('link', { name: '2', exact: true }).click()
  await expect(page).toHaveURL(/\/admin-panal\/calls\?.*status=completed/)
  await expect(page.getByRole('region', { name: 'Totals' })).toContainText('Calls2')

  await page.goBack()
  await chart(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin-panal\/calls\?.*hour=/)
  await page.goBack()
  await page.getByRole('link', { name: 'Show calls' }).click()
  await expect(page.getByRole('region', { name: 'Totals' })).toContainText('Calls3')

  await page.goto('/admin-panal/analysis')
  await page.getByRole('button', { name: 'Views' }).click()
  await views.getByRole('button', { name: `Calls of ${caller.username}`, exact: true }).click()
  await expect(page.getByLabel('Group by')).toHaveValue('customer')
  await expect(page.getByRole('heading', { name: `Calls by hour, ${caller.username}` })).toBeVisible()
  await page.getByRole('button', { name: 'Views' }).click()
  await views.getByRole('button', { name: `Delete Calls of ${caller.username}` }).click()
  await expect(views.getByRole('button', { name: `Calls of ${caller.username}`, exact: true })).toBeHidden()
})

test('the analysis sorts, exports and explains a range that is not valid', async ({ page, callEnds }) => {
  await callEnds({ to: LONDON })
  await signIn(page, demo.admin, '/admin-panal/analysis?period=today')
  const heading = page.getByRole('columnheader', { name: 'Minutes' })
  await heading.getByRole('button').click()
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  await heading.getByRole('button').click()
  await expect(heading).toHaveAttribute('aria-sort', 'ascending')
  await expect(rowOf(page, 'United Kingdom')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Export/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^analysis_country_\d{4}-\d{2}-\d{2}_/)

  await page.getByLabel('Period', { exact: true }).selectOption('Custom range')
  await page.getByLabel('Last day').pressSequentially('01012026')
  await expect(page.getByText('The end date is before the start date.')).toBeVisible()
  await page.getByLabel('First day').fill('2026-01-01')
  await expect(page.getByText('No calls in this period').first()).toBeVisible()
})

test('a customer saves the filters of the CDR report', async ({ page, caller, callEnds }) => {
  await callEnds({ to: LONDON })
  await signIn(page, caller, '/dashboard/cdr-report?status=completed')
  await page.getByRole('button', { name: 'Views' }).click()
  const views = page.getByRole('dialog', { name: 'Saved views' })
  await views.getByRole('button', { name: 'Save' }).click()
  await expect(views.getByText('Please enter a name for the view.')).toBeVisible()
  await views.getByLabel('Save the current view as').fill('Answered')
  await views.getByRole('button', { name: 'Save' }).click()
  await expect(views.getByText('View saved.')).toBeVisible()
  await page.goto('/dashboard/cdr-report')
  await page.getByRole('button', { name: 'Views' }).click()
  await views.getByRole('button', { name: 'Answered', exact: true }).click()
  await expect(page).toHaveURL(/status=completed/)
})

test('the analysis is accessible and shows twelve rows at 1280 x 800', async ({ page, callEnds }) => {
  await callEnds({ to: LONDON })
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, demo.admin, '/admin-panal/analysis')
  const row = page.getByRole('table', { name: 'Calls by country' }).getByRole('row').nth(1)
  await expect(row).toBeVisible()
  await expect(chart(page).locator('svg')).toBeVisible()
  await expectTwelveRows(row)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Views' }).click()
  await expect(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
})
