import type { Page } from '@playwright/test'
import { expect, makePromoCode, panelOf, payAndReturn, signIn, test } from '../support/payments.ts'

const apply = async (page: Page, code: string) => {
  await page.getByLabel('Promo code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Apply' }).click()
}
const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })

test('a percentage code shows its bonus, can be removed, and is credited with the top-up', async ({
  page,
  newcomer,
  request,
  provider: _,
}) => {
  const code = await makePromoCode(request, { type: 'percentage', value: 10 })
  await signIn(page, newcomer, '/dashboard/topup')
  await page.getByRole('button', { name: '$1000', exact: true }).click()
  await apply(page, code.toLowerCase())
  await expect(page.getByText(`${code} adds 10 % to your next top-up.`)).toBeVisible()
  await expect(summary(page)).toContainText('Bonus+$100.00')
  await expect(summary(page)).toContainText('Balance after$1100.00')
  await page.getByRole('button', { name: `Remove promo code ${code}` }).click()
  await expect(summary(page)).toContainText('Balance after$1000.00')
  await expect(page.getByLabel('Promo code', { exact: true })).toBeFocused()

  await apply(page, code)
  await expect(page.getByRole('button', { name: `Remove promo code ${code}` })).toBeFocused()
  await page.getByRole('button', { name: 'Top Up Now' }).click()
  await payAndReturn(page)
  await expect(panelOf(page)).toContainText('$1100.00 added to your balance')
  await expect(panelOf(page)).toContainText('This includes a promo bonus of $100.00.')
  await expect(page.getByRole('row', { name: /ORD-/ })).toContainText(code)

  await apply(page, code)
  await expect(page.getByText('You have already used this promo code.')).toBeVisible()
})

test('account credit is added immediately and shows the new balance', async ({ page, newcomer, request }) => {
  const code = await makePromoCode(request, { type: 'account_credit', value: 25 })
  await signIn(page, newcomer, '/dashboard/topup')
  await apply(page, code)
  await expect(page.getByText('$25.00 was added to your balance, which is now $25.00.')).toBeVisible()
  await expect(summary(page)).toContainText('Balance now$25.00')
  await apply(page, code)
  await expect(page.getByText('You have already used this promo code.')).toBeVisible()
})

test('a fixed bonus requires a top-up of at least its size', async ({ page, newcomer, request }) => {
  const code = await makePromoCode(request, { type: 'fixed_amount', value: 25 })
  await signIn(page, newcomer, '/dashboard/topup')
  await apply(page, code)
  await page.getByLabel('Other Amount').fill('24.99')
  await expect(page.getByText('This promo code requires a larger top-up.')).toBeVisible()
  await page.getByRole('button', { name: 'Top Up Now' }).click()
  await expect(page.getByRole('alert')).toContainText('This promo code requires a larger top-up.')
  await page.getByLabel('Other Amount').fill('25')
  await expect(summary(page)).toContainText('Balance after$50.00')
})

test('an unusable code is refused with the reason', async ({ page, newcomer, request }) => {
  const expired = await makePromoCode(request, {
    type: 'percentage',
    value: 5,
    expires_at: new Date(Date.now() - 60_000).toISOString(),
  })
  await signIn(page, newcomer, '/dashboard/topup')
  await page.getByRole('button', { name: 'Apply' }).click()
  for (const [code, words] of [
    ['', 'Please enter a promo code.'],
    ['NO-SUCH-CODE', 'This promo code does not exist.'],
    ['not a code', 'Promo codes can have up to 40 characters: letters, digits, - and _.'],
    [expired, 'This promo code has expired.'],
  ] as const) {
    await apply(page, code)
    await expect(page.getByLabel('Promo code', { exact: true })).toHaveAccessibleDescription(words)
  }
  await page.getByLabel('Promo code', { exact: true }).fill('X')
  await expect(page.getByText('This promo code has expired.')).toBeHidden()
})
