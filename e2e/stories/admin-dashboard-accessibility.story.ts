import type { Locator } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { demo, expect, LONDON, placeCall, signIn, test } from '../support/calls.ts'

test('axe finds no violations on the dashboard, in its dialogs and in the call list', async ({
  page,
  request,
  caller,
  callEnds,
}) => {
  // Checks seven screens.
  test.slow()
  await callEnds({ to: LONDON })
  await placeCall(request, caller.username)
  await signIn(page, demo.admin)
  const row = page
    .getByRole('table', { name: 'Live calls of all customers' })
    .getByRole('row')
    .filter({ hasText: caller.username })
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const over = async (open: () => Promise<void>, seen: Locator) => {
    await open()
    await expect(seen).toBeVisible()
    await expectNoViolations(page, '[role="dialog"]')
    await page.keyboard.press('Escape')
    await expect(seen).toBeHidden()
    await expect(page.locator('main, header').locator(':is(button, a):focus')).toBeVisible()
  }

  await expect(page.getByRole('table', { name: 'Revenue and margin by day' })).toBeAttached()
  await expect(row).toBeVisible()
  await expectNoViolations(page)
  await over(async () => {
    await press('+ Add Trunk/Route')
    await page.getByText('More').click()
    await press('Add prefix')
  }, page.getByLabel('Prefix of line 1'))
  await over(() => press(/^Delete/), page.getByRole('dialog', { name: 'Delete this trunk/route?' }))
  // The form gets the focus after it has loaded.
  await over(async () => {
    await press('Add/Update Website IP')
    await expect(page.getByLabel('New address')).toBeFocused()
  }, page.getByLabel('New address'))
  await over(
    async () => {
      await press('Export Reports')
      await expect(page.getByRole('radio', { name: /^Payments/ })).toBeFocused()
    },
    page.getByRole('dialog', { name: 'Export Reports' }),
  )
  await over(
    () => row.getByRole('button', { name: /^Hang up/ }).click(),
    page.getByRole('dialog', { name: 'Hang up this call?' }),
  )
  await page.goto('/admin-panal/calls')
  const details = page.getByRole('link', { name: /^Details of the call/ }).first()
  await expect(details).toBeVisible()
  await expectNoViolations(page)
  await over(() => details.click(), page.getByText('Carrier cost'))
  await over(() => press('Columns'), page.getByRole('dialog', { name: 'Columns' }))
  await press(/^Filter/)
  await page.getByLabel('SIP code').fill('200')
  await press('Apply')
  await expect(page.getByRole('button', { name: 'Remove SIP code: 200' })).toBeVisible()
  await press(/^Filter/)
  await expect(page.getByLabel('Source address')).toBeVisible()
  await expectNoViolations(page, 'form[aria-label="Filters"], ul[aria-label="Active filters"]')
})
