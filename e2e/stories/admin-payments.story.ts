import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { downloadFrom, linesOf } from '../support/downloads.ts'
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

const PAYMENTS = '/admin-panal/payments'

const rowsOf = (page: Page) =>
  page.getByRole('table', { name: 'Payments, newest first' }).getByRole('row', { name: /View payment/ })
const totalsOf = (page: Page) => page.getByRole('region', { name: 'Totals' })

test('an administrator filters payments; the address and the export have the same filters', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const paid = await toppedUp(request, newcomer, 120)
  await toppedUp(request, newcomer, 40, { pays: 0 })
  await signIn(page, demo.admin)
  await page
    .getByRole('navigation', { name: 'Admin Panel' })
    .getByRole('link', { name: 'All Payments' })
    .click()
  await expect(page.getByRole('heading', { name: 'All Payments' })).toBeVisible()
  for (const column of ['ID', 'User', 'Amount', 'Type', 'Status', 'Date'])
    await expect(page.getByRole('columnheader', { name: column, exact: true })).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search payments' }).fill(newcomer.username.toUpperCase())
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(rowsOf(page).first()).toContainText('$40.00')
  await expect(rowsOf(page).first()).toContainText('Pending')
  await expect(totalsOf(page)).toContainText('Payments2')
  await expect(totalsOf(page)).toContainText('Requested$160.00')
  await expect(totalsOf(page)).toContainText('Paid$120.00')

  const status = page.getByLabel('Status', { exact: true })
  for (const word of ['Completed', 'Pending', 'Failed'])
    await expect(status.getByRole('option', { name: word, exact: true }).first()).toBeAttached()
  await status.selectOption('Completed')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(page).toHaveURL(/status=Completed/)
  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByLabel('Min. amount').fill('119.99')
  await expect(page).toHaveURL(/min=119.99/)
  await page.getByLabel('From', { exact: true }).fill(new Date().toLocaleDateString('en-CA'))
  await page.getByLabel('Refundable').check()
  await expect(page).toHaveURL(/refundable=1/)
  await page.reload()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('Top-up')
  const { name, text } = await downloadFrom(page.getByRole('button', { name: /^Export/ }))
  expect(name).toBe('payments.csv')
  const lines = linesOf(text)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`,${newcomer.username},Top-up,120.000000,Completed,Completed,`)

  await page.getByRole('button', { name: 'Remove Completed' }).click()
  await page.getByLabel('Type', { exact: true }).selectOption('Purchase')
  await expect(page.getByText('No refundable payments')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await page.getByRole('searchbox', { name: 'Search payments' }).fill(paid.orderId)
  await expect(rowsOf(page)).toHaveCount(1)
  await expectNoViolations(page, 'main')
})

test('an administrator refunds a payment in two parts; a double click refunds once', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const promo_code = await makePromoCode(request, { type: 'percentage', value: 10 })
  const { id } = await toppedUp(request, newcomer, 100, { promo_code })
  await signIn(page, demo.admin, `${PAYMENTS}?payment=${id}`)
  const drawer = page.getByRole('dialog', { name: `Payment ${id}` })
  const ledger = drawer.getByRole('region', { name: 'Ledger entries' })
  await expect(ledger).toContainText('Top-up$100.00')
  await expect(ledger).toContainText('Promo credit$10.00')
  await expect(ledger).toContainText('balance +$10.00, now $110.00')
  await expect(drawer.getByRole('region', { name: 'History' })).toContainText('Provider callback')
  await expect(drawer).toContainText('Now paid; credited $100.00; credited a bonus of $10.00')
  await expectNoViolations(page, '[role="dialog"]')

  await drawer.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog', { name: `Refund payment ${id}` })
  await expect(dialog.getByLabel('Amount in dollars')).toHaveValue('100.00')
  await expect(dialog).toContainText(`$100.00 is deducted from the balance of ${newcomer.username}.`)
  await expect(dialog).toContainText(`The bonus of $10.00 from ${promo_code} stays on the balance.`)
  await dialog.getByRole('button', { name: /^Refund/ }).click()
  await expect(dialog).toContainText('Please enter the transfer reference.')
  await expect(dialog).toContainText('Please enter a reason.')
  await dialog.getByLabel('Amount in dollars').fill('100.01')
  await dialog.getByRole('button', { name: /^Refund/ }).click()
  await expect(dialog).toContainText('The amount is higher than the amount paid. At most $100.00 is left.')
  await expectNoViolations(page, '[role="dialog"]')

  await dialog.getByLabel('Amount in dollars').fill('30')
  await dialog.getByLabel('Refund to').selectOption('Balance')
  await expect(dialog).toContainText(
    `The balance of ${newcomer.username} increases by $30.00, at our expense.`,
  )
  await dialog.getByLabel('Reason').fill('A bad line')
  await dialog.getByRole('button', { name: 'Refund $30.00' }).dblclick()
  await expect(toastOf(page, `$30.00 of payment ${id} was refunded.`)).toBeVisible()
  await expect(drawer).toContainText('Partially refunded')
  await expect(drawer.getByRole('region', { name: 'Refunds' }).getByRole('listitem')).toHaveCount(1)
  await expect(ledger).toContainText('now $140.00')

  // The customer sees the same.
  const headers = await bearerOf(request, newcomer)
  const { user } = await (await request.get('/api/auth/me', { headers })).json()
  expect(user.bal).toBe(140)

  // A link opens the refund of the rest.
  await page.goto(`${PAYMENTS}?refund=${id}`)
  await dialog.getByLabel('Transfer reference').fill('tx 0x1')
  await dialog.getByLabel('Reason').fill('Asked for it')
  await dialog.getByRole('button', { name: 'Refund $70.00' }).click()
  await expect(toastOf(page, `$70.00 of payment ${id} was refunded.`)).toBeVisible()
  await page.goto(`${PAYMENTS}?refund=${id}`)
  await expect(dialog).toContainText('All $100.00 of this payment has been refunded.')
})

test('payments that do not match stay on the review list until an administrator decides', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const under = await toppedUp(request, newcomer, 50, { pays: 20 })
  await toppedUp(request, newcomer, 60, { pays: 75 })
  await signIn(page, demo.admin, PAYMENTS)
  await page.getByRole('tab', { name: /For review \d+ waiting/ }).click()
  await expect(page).toHaveURL(/view=reviews/)
  const items = page.getByRole('listitem', { name: new RegExp(newcomer.username) })
  await expect(items).toHaveCount(2)
  const less = items.filter({ hasText: 'Underpaid' })
  await expect(less).toContainText('$20.00 of $50.00 arrived.')
  await expect(less).toContainText('Available to credit$20.00')
  await expectNoViolations(page, 'main')

  await less.getByRole('button', { name: 'Credit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Credit payment' })
  await dialog.getByLabel('Amount in dollars').fill('20.01')
  await dialog.getByLabel('Reason').fill('They will not send the rest')
  await dialog.getByRole('button', { name: 'Credit', exact: true }).click()
  await expect(dialog).toContainText('The amount is higher than the amount paid. At most $20.00.')
  await dialog.getByLabel('Amount in dollars').fill('20')
  await dialog.getByRole('button', { name: 'Credit', exact: true }).click()
  await expect(toastOf(page, `$20.00 credited to ${newcomer.username}.`)).toBeVisible()
  await expect(items).toHaveCount(1)

  await items.getByRole('button', { name: 'Ignore…' }).click()
  await page.getByRole('dialog', { name: 'Ignore item' }).getByLabel('Reason').fill('A tip')
  await page.getByRole('dialog').getByRole('button', { name: 'Ignore', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(items).toHaveCount(0)
  await page.getByLabel('State').selectOption('Credited')
  await expect(items).toContainText('They will not send the rest (admin)')
  await items.getByRole('link', { name: `View payment ${under.id}` }).click()
  await expect(page.getByRole('dialog', { name: `Payment ${under.id}` })).toContainText('Credited $20.00')
})
