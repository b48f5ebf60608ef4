import { expectNoViolations } from '../support/axe.ts'
import { downloadFrom } from '../support/downloads.ts'
import { bearerOf, beginTopUp, expect, payAndReturn, signIn, test, underpay } from '../support/payments.ts'
import { textOf } from '../support/pdf.ts'

const history = 'Payment history'

test('a customer without payments sees how to top up', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/topup')
  await expect(page.getByText('No payments yet')).toBeVisible()
})

test('a payment history that fails to load shows an error and loads on retry', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await page.route('**/api/payments?*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.route('**/api/payments', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/dashboard/topup')
  await expect(page.getByRole('alert')).toContainText('Your payments could not be loaded.')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No payments yet')).toBeVisible()
})

test('a payment can be resumed from the history, and its receipt downloaded', async ({
  page,
  newcomer,
  provider: _,
}) => {
  await signIn(page, newcomer)
  await beginTopUp(page, '$1000')
  await page.goto('/dashboard/topup')
  const row = page.getByRole('region', { name: history }).getByRole('row', { name: /ORD-/ })
  await expect(row).toContainText('Pending')
  await expect(row.getByRole('button', { name: 'Receipt' })).toBeHidden()
  await row.getByRole('link', { name: 'Pay now' }).click()
  await payAndReturn(page)
  await expect(row).toContainText('Completed')
  await expect(row).toContainText('$1000.00')

  const orderId = /ORD-\d+-\d+/.exec((await row.textContent()) ?? '')?.[0]
  const { name, content } = await downloadFrom(row.getByRole('button', { name: 'Receipt' }))
  expect(name).toBe(`receipt-${orderId}.pdf`)
  const text = textOf(content)
  for (const words of ['Trunkline', 'Receipt', orderId, 'Requested', 'Paid', '$1000.00', 'Bonus', 'Credited'])
    expect(text).toContain(words)
})

test('older payments are shown when asked for', async ({ page, newcomer, request, provider: _ }) => {
  const headers = await bearerOf(request, newcomer)
  for (let amount = 1; amount <= 22; amount++) await request.post('/api/topup', { headers, data: { amount } })
  await signIn(page, newcomer, '/dashboard/topup')
  const rows = page.getByRole('region', { name: history }).getByRole('row', { name: /ORD-/ })
  await expect(rows).toHaveCount(20)
  await expect(rows.first()).toContainText('$22.00')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(22)
  await expect(rows.last()).toContainText('$1.00')
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden()
})

test('axe finds nothing on the way back from a payment, in both themes, wide and narrow', async ({
  page,
  newcomer,
  provider: _,
}) => {
  await underpay(page, newcomer)
  await expect(page.getByRole('row', { name: /ORD-/ })).toContainText('Underpaid')
  await expectNoViolations(page)
})
