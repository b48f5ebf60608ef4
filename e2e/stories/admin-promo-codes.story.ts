import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import {
  bearerOf,
  demo,
  expect,
  makePromoCode,
  signIn,
  test,
  toastOf,
  toppedUp,
} from '../support/payments.ts'

const PROMO_CODES = '/admin-panal/promo-codes'

const rowOf = (page: Page, code: string) =>
  page.getByRole('table', { name: 'Promo codes, newest first' }).getByRole('row', { name: code })

test('an administrator creates, edits and deactivates a promo code; a used code cannot be deleted', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  await signIn(page, demo.admin, `${PROMO_CODES}?new=1`)
  const dialog = page.getByRole('dialog', { name: 'New promo code' })
  await expect(page.getByRole('heading', { name: 'Promo Codes', includeHidden: true })).toBeVisible()
  await expect(dialog.getByLabel('Type')).toBeFocused()
  for (const type of ['Percentage Discount', 'Fixed Amount', 'Account Credit'])
    await expect(dialog.getByRole('option', { name: type })).toBeAttached()
  await dialog.getByRole('button', { name: 'Create promo code' }).click()
  await expect(dialog).toContainText('Please enter a promo code.')
  await dialog.getByLabel('Value in %').fill('101')
  await dialog.getByRole('button', { name: 'Create promo code' }).click()
  await expect(dialog).toContainText('Enter a percentage up to 100')
  await dialog.getByLabel('Value in %').fill('12.5')
  await expect(dialog).toContainText('Adds 12.5% of a top-up to the balance when it is paid.')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  const code = await dialog.getByRole('textbox', { name: 'Code', exact: true }).inputValue()
  expect(code).toMatch(/^[A-Z2-9]{10}$/)
  await dialog.getByLabel('Expiry').fill('2099-12-31')
  await dialog.getByLabel('Total uses').fill('3')
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Create promo code' }).click()
  await expect(toastOf(page, `${code} is now active.`)).toBeVisible()
  const row = rowOf(page, code)
  await expect(row).toContainText('Percentage Discount')
  await expect(row).toContainText('12.5%')
  await expect(row).toContainText('Active')
  await expect(row).toContainText('0 of 3')
  await expect(row).toContainText('Dec 31, 2099')

  // A duplicate code is refused and the form keeps its values.
  await page.getByRole('button', { name: 'New promo code' }).click()
  await dialog.getByLabel('Type').selectOption('Account Credit')
  await dialog.getByLabel('Value in dollars').fill('5')
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(code.toLowerCase())
  await dialog.getByRole('button', { name: 'Create promo code' }).click()
  await expect(dialog).toContainText('This promo code already exists.')
  await expect(dialog.getByLabel('Value in dollars')).toHaveValue('5')
  await page.keyboard.press('Escape')

  const { id } = await toppedUp(request, newcomer, 80, { promo_code: code })
  await page.reload()
  await expect(row).toContainText('1 of 3')
  await expect(row.getByRole('button', { name: 'Delete' })).toBeHidden()
  await row.getByRole('link', { name: 'Redemptions' }).click()
  const uses = page.getByRole('dialog', { name: `Redemptions of ${code}` })
  await expect(uses.getByRole('listitem')).toContainText(newcomer.username)
  await expect(uses.getByRole('listitem')).toContainText('$10.00')
  await expect(uses.getByRole('link', { name: `payment ${id}` })).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: 'Deactivate' }).click()
  await expect(row).toContainText('Inactive')
  const headers = await bearerOf(request, newcomer)
  const refused = await request.post('/api/promo-codes/check', { headers, data: { code } })
  expect(refused.ok()).toBe(false)
  await expectNoViolations(page, 'main')
})

test('a second administrator who saves the same code sees the first change before replacing it', async ({
  page,
  request,
}) => {
  const code = await makePromoCode(request, { type: 'fixed_amount', value: 5 })
  await signIn(page, demo.admin, `${PROMO_CODES}?text=${code}`)
  await rowOf(page, code).getByRole('link', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${code}` })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toastOf(page, 'No changes to update.')).toBeVisible()

  const headers = await bearerOf(request, demo.admin)
  const list = await request.get(`/api/admin/promo-codes?text=${code}`, { headers })
  const [{ id }] = (await list.json()).promo_codes
  await request.patch(`/api/admin/promo-codes/${id}`, { headers, data: { total_limit: 7 } })

  await dialog.getByLabel('Total uses').fill('250')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Someone else just changed this.')
  await expect(dialog.getByRole('alert')).toContainText('Total uses: 100 → 7')
  await expect(dialog.getByLabel('Total uses')).toHaveValue('250')
  await dialog.getByRole('button', { name: 'Discard my changes' }).click()
  await expect(dialog.getByLabel('Total uses')).toHaveValue('7')
  await dialog.getByLabel('Total uses').fill('250')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rowOf(page, code)).toContainText('0 of 250')

  await rowOf(page, code).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toastOf(page, 'Promo code deleted.')).toBeVisible()
  await expect(page.getByText('No matching codes')).toBeVisible()
})
