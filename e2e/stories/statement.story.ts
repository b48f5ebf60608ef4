import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { expect, LONDON_AS_SHOWN, signIn, test } from '../support/calls.ts'
import { downloadFrom, linesOf } from '../support/downloads.ts'
import { rentedNumber } from '../support/numbers.ts'
import { toppedUp } from '../support/payments.ts'

const STATEMENT = '/dashboard/statement'
const rowsOf = (page: Page) =>
  page.getByRole('table', { name: 'Movements, newest first' }).locator('tbody tr')

test('a customer reads what changed the balance, follows it to the call, the number and the payment, and exports it', async ({
  page,
  request,
  caller,
  callEnds,
}) => {
  test.slow()
  const { orderId } = await toppedUp(request, caller, 33.33)
  const offered = await rentedNumber(request, caller)
  await callEnds({ to: '+442079460958' })
  await signIn(page, caller)
  await page
    .getByRole('navigation', { name: 'Customer area' })
    .getByRole('link', { name: 'Statement' })
    .click()
  await expect(page.getByRole('heading', { name: 'Account statement' })).toBeVisible()
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(5)
  await expect(rows.nth(0)).toContainText(/Call.*-\$0\.\d+.*\$50\.\d+/)
  await expect(rows.nth(1)).toContainText(/Number rent.*\+44203\d+, .* to .*-\$1\.50/)
  await expect(rows.nth(2)).toContainText(/Number rent.*\+44203\d+, set-up-\$1\.00.*\$52\.33/)
  await expect(rows.nth(3)).toContainText(`${orderId}+$33.33`)
  // The reason and the administrator of an adjustment are not for customers.
  await expect(rows.nth(4)).toContainText(/Adjustment.*\+\$20\.00.*\$20\.00/)
  await expect(rows.nth(4)).not.toContainText(/for a story|by admin/)
  await expect(page.getByRole('region', { name: 'Balance', exact: true })).toContainText(/Balance\$50\.8\d/)
  await expectNoViolations(page)

  await page.getByLabel('Type').selectOption('Number rent')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/kind=number_rent/)
  const { name, text } = await downloadFrom(page.getByRole('button', { name: /^Export/ }))
  expect(name).toBe('statement.csv')
  const lines = linesOf(text)
  expect(lines).toHaveLength(3)
  expect(lines[2]).toContain(`Number rent,-1.000000,52.330000,"'${offered.number}, set-up"`)
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await expect(page.getByText('No matching transactions')).toBeVisible()
  await page.getByRole('button', { name: 'Show full statement' }).click()
  await expect(rows).toHaveCount(5)

  await rows.nth(0).getByRole('link').click()
  await expect(page.getByRole('dialog')).toContainText(LONDON_AS_SHOWN.replaceAll(' ', ''))
  await page.goto(STATEMENT)
  await rows.nth(2).getByRole('link').click()
  await expect(page.getByRole('region', { name: 'My numbers' })).toContainText('Active')
  await page.goto(STATEMENT)
  await rows.nth(3).getByRole('link').click()
  await expect(page.getByRole('region', { name: 'Payment history' })).toContainText(orderId)
  await page.getByRole('link', { name: 'Account statement' }).click()
  await expect(rows).toHaveCount(5)
})

test('a new customer has an empty statement, and a failed one loads on retry', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await page.route(/\/api\/statement(\?|$)/, (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto(STATEMENT)
  await expect(page.getByRole('alert')).toContainText('The statement could not be loaded.')
  await expectNoViolations(page, 'main')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No transactions yet')).toBeVisible()
  await expectNoViolations(page, 'main')
})

test('a date can be typed, and the back button leaves the statement', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard')
  await page.getByRole('navigation').getByRole('link', { name: 'Statement' }).click()
  const from = page.getByLabel('From', { exact: true })
  await from.pressSequentially('11152020')
  await expect(page).toHaveURL(/from=2020-11-15/)
  await expect(from).toHaveValue('2020-11-15')
  // The year of a whole date is typed again.
  await from.blur()
  await from.focus()
  for (const key of ['ArrowRight', 'ArrowRight', ...'2021']) await page.keyboard.press(key)
  await expect(page).toHaveURL(/from=2021-11-15/)
  await from.fill('')
  await expect(page).not.toHaveURL(/from=/)
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
})
