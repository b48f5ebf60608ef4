import { expectNoViolations } from '../support/axe.ts'
import { downloadFrom, linesOf } from '../support/downloads.ts'
import { demo, expect, makePromoCode, signIn, test, toastOf, toppedUp } from '../support/payments.ts'
import { heldAnswer } from '../support/story.ts'

const BALANCES = '/admin-panal/balances'

test('an administrator reads the statement of a customer and adjusts the balance; the customer sees the same balance', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const promo_code = await makePromoCode(request, { type: 'percentage', value: 12.5 })
  const { orderId } = await toppedUp(request, newcomer, 33.33, { promo_code })
  await signIn(page, demo.admin)
  await page
    .getByRole('navigation', { name: 'Admin Panel' })
    .getByRole('link', { name: 'Balance Management' })
    .click()
  await expect(page.getByText(/All balances (are checked|match)/)).toBeVisible()
  // Enter does not pick a user of an earlier search while the next answer is late.
  const picker = page.getByRole('combobox', { name: 'User' })
  await picker.fill('alice')
  await expect(page.getByRole('option', { name: 'alice' }).first()).toBeVisible()
  const late = await heldAnswer(page, (url) => url.searchParams.get('search') === newcomer.username)
  await picker.fill(newcomer.username)
  await picker.press('Enter')
  await expect(picker).toHaveValue(newcomer.username)
  await late.asked
  await picker.press('Enter')
  await expect(picker).toHaveValue(newcomer.username)
  late.answer()
  await page.getByRole('option', { name: newcomer.username }).click()
  await expect(page).toHaveURL(/user=\d+/)
  const funds = page.getByRole('region', { name: 'Balance', exact: true })
  await expect(funds).toContainText('Balance$37.49')
  await expect(funds).toContainText('Held for live calls$0.00')
  const rows = page.getByRole('table', { name: 'Movements, newest first' }).locator('tbody tr')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText('Promo credit')
  await expect(rows.nth(0)).toContainText('+$4.16625')
  await expect(rows.nth(0)).toContainText('$37.49625')
  await expect(rows.nth(1)).toContainText(orderId)

  await page.getByRole('button', { name: 'Adjust balance' }).click()
  const dialog = page.getByRole('dialog', { name: `Adjust the balance of ${newcomer.username}` })
  await dialog.getByLabel('Direction').selectOption('Debit (−)')
  await dialog.getByLabel('Amount in dollars').fill('7.5')
  await dialog.getByLabel('Reason').fill('Charged back')
  await dialog.getByRole('button', { name: 'Debit balance' }).click()
  await expect(toastOf(page, `The balance of ${newcomer.username} is now $29.99.`)).toBeVisible()
  await expect(funds).toContainText('Balance$29.99')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('Charged back')
  await expect(rows.nth(0)).toContainText('by admin')
  await expect(rows.nth(0)).toContainText('-$7.50')
  await expectNoViolations(page, 'main')

  await page.getByLabel('Type').selectOption('Top-up')
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL(/kind=top_up/)
  const { text } = await downloadFrom(page.getByRole('button', { name: /^Export/ }))
  const lines = linesOf(text)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`Top-up,33.330000,33.330000,${orderId}`)
  await page.getByLabel('Type').selectOption('Call')
  await expect(page.getByText('No matching transactions')).toBeVisible()

  await page.goto(BALANCES)
  const adjustment = page
    .getByRole('table', { name: 'Adjustments, newest first' })
    .getByRole('row', { name: newcomer.username })
  await expect(adjustment).toContainText('-$7.50')
  await expect(adjustment).toContainText('Charged back')
  await expect(adjustment).toContainText('admin')
  await expectNoViolations(page, 'main')

  await page.evaluate('localStorage.clear()')
  await signIn(page, newcomer)
  await expect(page.getByText('$29.99').first()).toBeVisible()
})
