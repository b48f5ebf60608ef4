import type { Page, Route } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, expect, signIn, test } from '../support/calls.ts'
import { offerNumber, rentedNumber, rentNumber } from '../support/numbers.ts'

const mine = (page: Page) => page.getByRole('region', { name: 'My numbers' })
const offers = (page: Page) => page.getByRole('table', { name: 'Available numbers' })

/** A month from now, as screens write dates. */
function monthFromNow(): RegExp {
  const date = new Date()
  // Every month has this day.
  date.setUTCDate(15)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return new RegExp(`${date.toLocaleDateString('en-US', { month: 'short' })} \\d{1,2}, ${date.getFullYear()}`)
}

test('a customer finds a number, sees what it costs, rents it and sets where it rings', async ({
  page,
  request,
  caller,
}) => {
  test.slow()
  const { shown, digits, number } = await offerNumber(request)
  await signIn(page, caller)
  await page.getByRole('link', { name: 'Numbers' }).click()
  await expect(page.getByRole('heading', { name: 'Numbers', level: 1 })).toBeVisible()
  await expect(mine(page)).toContainText('No numbers yet')

  await page.getByLabel('Country').selectOption('GB')
  await page.getByLabel('Type').selectOption('Local')
  await page.getByLabel('Area', { exact: true }).fill('lond')
  await page.getByLabel('Digits').fill(digits)
  await expect(offers(page).getByRole('row')).toHaveCount(2)
  await expect(offers(page)).toContainText('$1.50 / month')
  await expectNoViolations(page)

  await page.getByRole('button', { name: `Rent ${shown}` }).click()
  const dialog = page.getByRole('dialog', { name: `Rent ${shown}` })
  await expect(dialog).toContainText('You pay now$2.50')
  await expect(dialog).toContainText('Available balance$20.00')
  await expect(dialog).toContainText('Balance after$17.50')
  await expect(dialog).toContainText(monthFromNow())
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Rent number' }).click()
  await expect(page.getByText(`${shown} is yours.`)).toBeVisible()
  const row = mine(page).getByRole('listitem', { name: shown })
  await expect(row).toContainText('Active')
  await expect(row).toContainText('Rings all devices for 25 seconds.')
  await expect(row).toContainText(monthFromNow())
  await expect(page.getByText('No matching numbers')).toBeVisible()

  await row.getByRole('link', { name: `Where it rings: ${shown}` }).click()
  await expect(page.getByRole('heading', { name: `Where ${shown} rings` })).toBeVisible()
  const main = page.getByRole('region', { name: 'Rings' })
  await main.getByLabel('How they ring').selectOption('In order')
  await main.getByLabel('Ring time (seconds)').first().fill('3')
  await page.getByRole('button', { name: 'Add time rule' }).click()
  const rule = page.getByRole('list', { name: 'Time rules' }).getByRole('listitem').first()
  await rule.getByLabel('Name').fill('Evening')
  await rule.getByLabel('From').fill('18:00')
  await rule.getByLabel('To').fill('00:00')
  await rule.getByText('Sat', { exact: true }).click()
  await expect(rule.getByLabel('Saturday')).toBeChecked()
  await rule.getByLabel('Destination').selectOption('Busy tone')
  const fallback = page.getByRole('region', { name: 'If nobody answers' })
  await fallback.getByLabel('Then').selectOption('Another number')
  await fallback.getByLabel('Number', { exact: true }).fill('+44 20 7946 0958')
  await expect(fallback).toContainText(/You pay \$[\d.]+ \/ min for each forwarded call to United Kingdom/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please enter a ring time from 5 to 120 seconds.')).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'At other times' }).getByLabel('Ring time (seconds)').first(),
  ).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('20')
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary).toContainText('Mon–Sat 18:00–24:00')
  await expect(summary).toContainText('Now, ')
  await expectNoViolations(page)

  // The unsaved plan survives a visit to another screen.
  await page.getByRole('link', { name: 'Trunks' }).first().click()
  await page.goBack()
  await expect(summary).toContainText('Mon–Sat 18:00–24:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Mon–Sat 18:00–24:00: tells the caller that the number is busy.')
  await expect(row).toContainText('then forwards to +442079460958')

  await row.getByRole('button', { name: `Test ${shown}` }).click()
  // This portal has no switch.
  await expect(row.getByRole('alert')).toContainText('Test calls are not available right now.')
  await row.getByRole('button', { name: 'Call from this browser' }).click()
  await expect(page.getByRole('region', { name: 'Phone' })).toBeVisible()
  const headers = await bearerOf(request, caller)
  const { numbers } = await (await request.get('/api/numbers', { headers })).json()
  expect(numbers).toHaveLength(1)
  expect(numbers[0].number).toBe(number)
})

test('a price that changed meanwhile is shown before anything is paid', async ({ page, request, caller }) => {
  const { id, version, shown, digits } = await offerNumber(request)
  await signIn(page, caller, `/dashboard/numbers?digits=${digits}`)
  await page.getByRole('button', { name: `Rent ${shown}` }).click()
  const dialog = page.getByRole('dialog', { name: `Rent ${shown}` })
  await expect(dialog).toContainText('You pay now$2.50')
  const { send } = await asAdmin(request)
  await send('patch', `/api/admin/numbers/${id}`, { monthly: 3, version })
  await dialog.getByRole('button', { name: 'Rent number' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The price of this number has changed.')
  await expect(dialog).toContainText('You pay now$4.00')
  await dialog.getByRole('button', { name: 'Rent number' }).click()
  await expect(mine(page).getByRole('listitem', { name: shown })).toContainText('$3.00 / month')
})

test('a number that someone else rented first is refused, and a balance that is too small leads to Top Up', async ({
  page,
  request,
  caller,
}) => {
  const taken = await offerNumber(request)
  await signIn(page, caller, `/dashboard/numbers?digits=${taken.digits}`)
  await page.getByRole('button', { name: `Rent ${taken.shown}` }).click()
  const { send } = await asAdmin(request)
  await send('patch', `/api/admin/numbers/${taken.id}`, { status: 'blocked', version: taken.version })
  const dialog = page.getByRole('dialog', { name: `Rent ${taken.shown}` })
  await dialog.getByRole('button', { name: 'Rent number' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This number is no longer available.')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(page.getByText('No matching numbers')).toBeVisible()

  const dear = await offerNumber(request, { monthly: 30, setup: 0 })
  await page.getByLabel('Digits').fill(dear.digits)
  await page.getByRole('button', { name: `Rent ${dear.shown}` }).click()
  const rent = page.getByRole('dialog', { name: `Rent ${dear.shown}` })
  await expect(rent).toContainText('Your balance does not cover this number. $10.00 is missing.')
  await expect(rent.getByRole('button', { name: 'Rent number' })).toBeDisabled()
  await expectNoViolations(page, '[role="dialog"]')
  await rent.getByRole('link', { name: 'Top Up' }).click()
  await expect(page).toHaveURL(/\/dashboard\/topup$/)
})

/** The server rents the number, but the first answer is lost. */
async function rentWithLostAnswer(page: Page, shown: string, lose: (route: Route) => Promise<void>) {
  await page.getByRole('button', { name: `Rent ${shown}` }).click()
  const dialog = page.getByRole('dialog', { name: `Rent ${shown}` })
  let isLost = false
  await page.route('**/api/numbers', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch()
    await lose(route)
  })
  await dialog.getByRole('button', { name: 'Rent number' }).click()
  return dialog
}

test('a number whose answer was lost can be asked for again, although its price is already paid', async ({
  page,
  request,
  caller,
}) => {
  const offered = await offerNumber(request, { monthly: 15, setup: 0 })
  await signIn(page, caller, `/dashboard/numbers?digits=${offered.digits}`)
  const dialog = await rentWithLostAnswer(page, offered.shown, (route) =>
    route.fulfill({ status: 500, json: {} }),
  )
  await expect(dialog).toContainText('Available balance$5.00')
  await expect(dialog.getByRole('alert')).toContainText('The number could not be rented.')
  await dialog.getByRole('button', { name: 'Rent number' }).click()
  await expect(page.getByText(`${offered.shown} is yours.`)).toBeVisible()
})

test('a number is canceled at the end of its month, and kept after all', async ({
  page,
  request,
  caller,
}) => {
  const offered = await rentedNumber(request, caller)
  await signIn(page, caller, '/dashboard/numbers')
  const row = mine(page).getByRole('listitem', { name: offered.shown })
  await row.getByRole('button', { name: `Cancel number ${offered.shown}` }).click()
  const question = page.getByRole('dialog', { name: `Cancel ${offered.shown}?` })
  await expect(question).toContainText(monthFromNow())
  await expect(question).toContainText('is not refunded')
  await expectNoViolations(page, '[role="dialog"]')
  await question.getByRole('button', { name: 'Cancel number' }).click()
  await expect(row).toContainText(/Ends on \w{3} \d{1,2}, \d{4}/)

  await row.getByRole('button', { name: `Keep number ${offered.shown}` }).click()
  const keep = page.getByRole('dialog', { name: `Keep ${offered.shown}?` })
  await expect(keep).toContainText('$1.50 / month')
  await keep.getByRole('button', { name: 'Keep number' }).click()
  await expect(row).toContainText('Active')
  await expect(row).toContainText(/renews on \w{3} \d{1,2}, \d{4}/)
})

test('a plan that another tab saved first is shown, and what was typed stays', async ({
  page,
  request,
  caller,
}) => {
  const offered = await offerNumber(request)
  const { id, version } = await rentNumber(request, caller, offered)
  await signIn(page, caller, `/dashboard/numbers?rings=${id}`)
  await page.getByRole('region', { name: 'If nobody answers' }).getByLabel('Then').selectOption('Busy tone')
  const headers = await bearerOf(request, caller)
  const ring_plan = {
    timeZone: 'Europe/London',
    rules: [],
    destination: { kind: 'number', number: '+442079460958', seconds: 30 },
    fallback: null,
  }
  const saved = await request.patch(`/api/numbers/${id}`, { headers, data: { ring_plan, version } })
  expect(saved.ok(), await saved.text()).toBe(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('just changed this')
  await expect(page.getByRole('alert')).toContainText('forwards to +44 20 7946 0958')
  await expect(page.getByRole('region', { name: 'If nobody answers' }).getByLabel('Then')).toHaveValue('busy')
  await expect(page.getByRole('region', { name: 'Rings' }).getByLabel('Number', { exact: true })).toHaveValue(
    '+442079460958',
  )
  // The kept plan is based on the other tab's version from now on.
  const rings = page.getByRole('region', { name: 'Rings' })
  await rings.getByLabel('Number', { exact: true }).fill('+44 20 7946 0959')
  await page.getByRole('link', { name: 'Trunks' }).first().click()
  await page.goBack()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(mine(page)).toContainText(
    'Forwards to +442079460959, then tells the caller that the number is busy.',
  )
})

test('a PBX is chosen among the trusted addresses, and without one the profile is named', async ({
  page,
  request,
  caller,
}) => {
  const offered = await offerNumber(request)
  const { id } = await rentNumber(request, caller, offered)
  await signIn(page, caller, `/dashboard/numbers?rings=${id}`)
  const main = page.getByRole('region', { name: 'Rings' })
  await main.getByLabel('Destination').selectOption('My PBX')
  await expect(main).toContainText('You have no trusted addresses.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(main).toContainText('Choose the address of your PBX.')
  await expectNoViolations(page)
  await main.getByRole('link', { name: 'profile' }).click()
  await expect(page).toHaveURL(/\/dashboard\/profile#addresses$/)
})

test('a rental whose answer was lost is not paid twice and is confirmed on the next try', async ({
  page,
  request,
  caller,
}) => {
  const { shown, digits } = await offerNumber(request)
  await signIn(page, caller, `/dashboard/numbers?digits=${digits}`)
  const dialog = await rentWithLostAnswer(page, shown, (route) => route.abort())
  await expect(dialog.getByRole('alert')).toContainText('Unable to connect')
  await dialog.getByRole('button', { name: 'Rent number' }).click()
  await expect(page.getByText(`${shown} is yours.`)).toBeVisible()
  const headers = await bearerOf(request, caller)
  const { user } = await (await request.get('/api/auth/me', { headers })).json()
  expect(user.bal).toBe(17.5)
})

test('an unsaved plan does not undo a change from another tab', async ({ page, request, caller }) => {
  const offered = await rentedNumber(request, caller)
  await signIn(page, caller, '/dashboard/numbers')
  await page.getByRole('link', { name: `Where it rings: ${offered.shown}` }).click()
  const fallback = page.getByRole('region', { name: 'If nobody answers' })
  await fallback.getByLabel('Then').selectOption('Voicemail')

  const headers = await bearerOf(request, caller)
  const { numbers } = await (await request.get('/api/numbers', { headers })).json()
  const { id, version, ring_plan } = numbers[0]
  const changed = { ...ring_plan, destination: { kind: 'busy' } }
  const data = { ring_plan: changed, version }
  const answer = await request.patch(`/api/numbers/${id}`, { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)

  // The other change arrives while the plan is open, and more is typed after it.
  const reread = page.waitForResponse(/\/api\/numbers$/)
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  await reread
  await fallback.getByLabel('Then').selectOption('Busy tone')
  await page.getByRole('link', { name: 'Trunks' }).first().click()
  await page.getByRole('link', { name: 'Numbers' }).first().click()
  const row = mine(page).getByRole('listitem', { name: offered.shown })
  await expect(row).toContainText('Tells the caller that the number is busy')
  await row.getByRole('link', { name: `Where it rings: ${offered.shown}` }).click()
  await expect(fallback.getByLabel('Then')).toHaveValue('busy')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Someone else just changed this.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Saved\. New calls to/)).toBeVisible()
  const saved = await (await request.get('/api/numbers', { headers })).json()
  expect(saved.numbers[0].ring_plan).toMatchObject({
    destination: { kind: 'busy' },
    fallback: { kind: 'busy' },
  })
})
