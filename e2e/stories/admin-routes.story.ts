import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, demo, expect, signIn, test } from '../support/calls.ts'
import { heldAnswer } from '../support/story.ts'

/** Each story has a country of its own, where no other looks. */
const table = (page: Page) => page.getByRole('table', { name: 'Trunks/Routes' })
const rowOf = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const submitIn = (form: Locator) => form.getByRole('button', { name: /^(Add Trunk\/Route|Save Changes)$/ })

async function addRoute(request: APIRequestContext, given: object) {
  const admin = await asAdmin(request)
  const { route } = await admin.send('post', '/api/routes', { planname: 'Gold CLI', price: 0.4, ...given })
  return route as { id: number; version: number }
}

async function clear(request: APIRequestContext, country: string) {
  const admin = await asAdmin(request)
  const { routes } = await admin.get('/api/routes')
  for (const route of routes.filter((one: { country: string }) => one.country === country))
    await admin.send('delete', `/api/routes/${route.id}`)
}

test('an administrator adds a route, changes it and deletes it', async ({ page, request, newcomer }) => {
  await clear(request, 'Iceland')
  await signIn(page, demo.admin)
  await page.getByRole('button', { name: '+ Add Trunk/Route' }).click()
  const adding = dialog(page, 'Add Trunk/Route')
  const country = adding.getByLabel('Country')
  // The plans load after the form.
  await expect.poll(() => country.locator('option').count()).toBeGreaterThan(200)
  const offered = await country.locator('option').allTextContents()
  expect(offered.slice(1, 8)).toEqual([
    'United States',
    'United Kingdom',
    'Germany',
    'France',
    'India',
    'Canada',
    'Australia',
  ])
  await expect(adding.getByLabel('Price', { exact: true })).toHaveAttribute('min', '0')
  await expect(adding.getByLabel('Price', { exact: true })).toHaveAttribute('step', '0.01')

  await submitIn(adding).click()
  for (const fault of [
    'Please choose a country from the list.',
    'Please enter a plan name.',
    'Please choose a plan.',
    'Please enter a price in dollars per minute',
  ])
    await expect(adding.getByText(fault)).toBeVisible()
  await expect(country).toBeFocused()

  await country.selectOption('Iceland')
  await adding.getByLabel('Plan Name').fill('Reykjavik')
  await adding.getByLabel('Route/Plan').selectOption('Gold CLI')
  await adding.getByLabel('Price', { exact: true }).fill('-1')
  await submitIn(adding).click()
  await expect(adding.getByText('Please enter a price in dollars per minute')).toBeVisible()
  await adding.getByLabel('Price', { exact: true }).fill('0.4')
  await adding.getByLabel('Premium').check()
  await adding.getByText('More').click()
  await adding.getByLabel('First increment').fill('30')
  await adding.getByLabel('Next increment').fill('6')
  await adding.getByRole('button', { name: 'Add prefix' }).click()
  await adding.getByLabel('Prefix of line 1').fill('+3546')
  await adding.getByLabel('Price of line 1').fill('0.5')
  await submitIn(adding).click()
  await expect(adding).toBeHidden()
  const row = rowOf(page, 'Reykjavik')
  for (const cell of ['Iceland', 'Gold CLI', '$0.40 / min', 'Yes']) await expect(row).toContainText(cell)
  // "Plan Name" fills the column of that name; customers see "Route/Plan" as the name.
  const head = await table(page).getByRole('columnheader').allTextContents()
  const cells = row.getByRole('cell')
  await expect(cells.nth(head.indexOf('Plan Name'))).toHaveText('Reykjavik')
  await expect(cells.nth(head.indexOf('Name'))).toHaveText('Gold CLI')
  await expect(row).toContainText('minimum 30 s, then per 6 s, 1 prefix rate')

  // Customers can select the new route.
  const headers = await bearerOf(request, newcomer)
  const { routes } = await (await request.get('/api/routes', { headers })).json()
  const made = routes.find((one: { name: string }) => one.name === 'Reykjavik')
  expect(made).toMatchObject({ is_premium: true, price: 0.4, rates: [{ prefix: '3546', price: 0.5 }] })

  await row.getByRole('button', { name: 'Edit Reykjavik, Iceland' }).click()
  const editing = dialog(page, 'Edit Trunk/Route')
  await expect(editing.getByLabel('Country')).toHaveValue('IS')
  await submitIn(editing).click()
  await expect(page.getByText('No changes to update.')).toBeVisible()
  await row.getByRole('button', { name: 'Edit Reykjavik, Iceland' }).click()
  await editing.getByLabel('Plan Name').fill('Akureyri')
  await editing.getByLabel('Premium').uncheck()
  await submitIn(editing).click()
  await expect(rowOf(page, 'Akureyri')).toContainText('No')

  await request.post('/api/user-selected-route', { headers, data: { route_id: made.id } })
  await rowOf(page, 'Akureyri').getByRole('button', { name: 'Delete Akureyri, Iceland' }).click()
  const deleting = dialog(page, 'Delete this trunk/route?')
  await expect(deleting).toContainText('1 customer has selected this route. They cannot call Iceland')
  await deleting.getByRole('button', { name: 'Cancel' }).click()
  await expect(rowOf(page, 'Akureyri')).toBeVisible()
  await page.getByRole('button', { name: 'Delete Akureyri, Iceland' }).click()
  await deleting.getByRole('button', { name: 'Delete' }).click()
  await expect(deleting).toBeHidden()
  await expect(rowOf(page, 'Akureyri')).toBeHidden()
})

test('editing a route with many rates keeps all of them', async ({ page, request }) => {
  await clear(request, 'Cyprus')
  const rates = Array.from({ length: 25 }, (_, at) => ({ prefix: String(357_960 + at), price: 0.5 }))
  await addRoute(request, { country: 'Cyprus', name: 'Nicosia', rates })
  await signIn(page, demo.admin)
  const { answer } = await heldAnswer(page, /\/api\/routes\/\d+$/, (route) =>
    route.fulfill({ status: 400, json: {} }),
  )
  await page.getByRole('button', { name: 'Edit Nicosia, Cyprus' }).click()
  const editing = dialog(page, 'Edit Trunk/Route')
  await expect(editing.getByText('Loading...')).toBeAttached()
  answer()
  await expect(editing.getByText('Failed to fetch routes')).toBeVisible()
  await page.unrouteAll()
  await editing.getByRole('button', { name: 'Try again' }).click()
  await expect(editing.getByLabel('Price of line 25')).toHaveValue('0.5')
  await editing.getByLabel('Price of line 25').fill('0.6')
  await submitIn(editing).click()
  await expect(editing).toBeHidden()
  const { routes } = await (await asAdmin(request)).get('/api/routes?country=Cyprus')
  expect(routes[0]).toMatchObject({ rate_count: 25, other_prices: { count: 25, from: 0.5, to: 0.6 } })
  await clear(request, 'Cyprus')
})

test('a route can be free; an empty table says so', async ({ page, request }) => {
  await clear(request, 'Malta')
  await addRoute(request, { country: 'Malta', name: 'Valletta', price: 0, sells_below_cost: true })
  await signIn(page, demo.admin)
  await expect(rowOf(page, 'Valletta')).toContainText('Free')
  await expect(rowOf(page, 'Valletta')).toContainText('Sells below cost')
  await page.getByRole('searchbox', { name: 'Search trunks/routes' }).fill('valletta')
  await expect(table(page).getByRole('row')).toHaveCount(2)
  await clear(request, 'Malta')
  await page.route('**/api/routes', (route) => route.fulfill({ json: { routes: [] } }))
  await page.reload()
  await expect(page.getByText('No trunks/routes added yet.')).toBeVisible()
  await page.unrouteAll()
  await page.route('**/api/routes', (route) => route.fulfill({ status: 400, json: {} }))
  await page.reload()
  await expect(page.getByText('Failed to fetch routes')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(rowOf(page, 'Germany Gold CLI')).toBeVisible()
})

test('a route cannot be saved while the plans are missing', async ({ page }) => {
  await signIn(page, demo.admin)
  // A response that is not a list counts as a failure.
  const { answer } = await heldAnswer(page, '**/api/plans', (route) =>
    route.fulfill({ json: { plans: ['Gold CLI'] } }),
  )
  await page.getByRole('button', { name: '+ Add Trunk/Route' }).click()
  const adding = dialog(page, 'Add Trunk/Route')
  await expect(adding.getByLabel('Route/Plan')).toBeDisabled()
  await expect(submitIn(adding)).toBeDisabled()
  answer()
  await expect(adding.getByText('Could not load plans. Please try again later.')).toBeVisible()
  await expect(submitIn(adding)).toBeDisabled()
  await page.unrouteAll()
  await adding.getByRole('button', { name: 'Try again' }).click()
  await expect(submitIn(adding)).toBeEnabled()
  await expect(adding.getByLabel('Route/Plan').getByRole('option', { name: 'Gold CLI' })).toBeAttached()

  // The plans of an earlier form do not count.
  await adding.getByRole('button', { name: 'Cancel' }).click()
  await page.route('**/api/plans', (route) => route.fulfill({ status: 400, json: {} }))
  await page.getByRole('button', { name: '+ Add Trunk/Route' }).click()
  await expect(adding.getByText('Could not load plans. Please try again later.')).toBeVisible()
  await expect(adding.getByLabel('Route/Plan')).toBeDisabled()
  await expect(submitIn(adding)).toBeDisabled()
})

test('a failed save or delete shows the reason and keeps the form', async ({ page, request, newcomer }) => {
  await clear(request, 'Cyprus')
  await addRoute(request, { country: 'Cyprus', name: 'Nicosia' })
  await signIn(page, demo.admin)
  const refuse = (method: string, answer: object) =>
    page.route(/\/api\/routes(\/\d+)?(\?.*)?$/, (route) =>
      route.request().method() === method ? route.fulfill(answer) : route.fallback(),
    )
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text })

  await refuse('POST', { status: 400, json: {} })
  await page.getByRole('button', { name: '+ Add Trunk/Route' }).click()
  const adding = dialog(page, 'Add Trunk/Route')
  await adding.getByLabel('Country').selectOption('Cyprus')
  await adding.getByLabel('Plan Name').fill('Limassol')
  await adding.getByLabel('Route/Plan').selectOption('Gold CLI')
  await adding.getByLabel('Price', { exact: true }).fill('0.4')
  await submitIn(adding).click()
  await expect(alert('Failed to add trunk/route')).toBeVisible()
  await expect(adding.getByLabel('Plan Name')).toHaveValue('Limassol')
  await page.keyboard.press('Escape')

  await refuse('PATCH', { status: 400, json: {} })
  await rowOf(page, 'Nicosia').getByRole('button', { name: /^Edit/ }).click()
  const editing = dialog(page, 'Edit Trunk/Route')
  await editing.getByLabel('Price', { exact: true }).fill('0.45')
  await submitIn(editing).click()
  await expect(alert('Failed to update trunk/route')).toBeVisible()
  await expect(editing.getByLabel('Price', { exact: true })).toHaveValue('0.45')

  // The server refuses a user who is no longer an administrator.
  await page.unrouteAll()
  const headers = await bearerOf(request, newcomer)
  await page.route(/\/api\/routes\/\d+/, (route) =>
    route.continue({ headers: { ...route.request().headers(), ...headers } }),
  )
  await submitIn(editing).click()
  await expect(alert('Only admin can update trunks/routes.')).toBeVisible()
  await page.keyboard.press('Escape')
  await rowOf(page, 'Nicosia')
    .getByRole('button', { name: /^Delete/ })
    .click()
  const deleting = dialog(page, 'Delete this trunk/route?')
  await deleting.getByRole('button', { name: 'Delete' }).click()
  await expect(alert('Only admin can delete trunks/routes.')).toBeVisible()
  await page.unrouteAll()
  await refuse('DELETE', { status: 400, json: {} })
  await deleting.getByRole('button', { name: 'Delete' }).click()
  await expect(alert('Failed to delete trunk/route')).toBeVisible()
  await page.unrouteAll()
  await deleting.getByRole('button', { name: 'Cancel' }).click()
  await expect(rowOf(page, 'Nicosia')).toContainText('$0.40 / min')
  await clear(request, 'Cyprus')
})

test('a price below the cost of a trunk requires a decision', async ({ page, request }) => {
  await clear(request, 'Estonia')
  const { id } = await addRoute(request, { country: 'Estonia', name: 'Tallinn' })
  await signIn(page, demo.admin)
  const row = rowOf(page, 'Tallinn')
  const lower = async (price: string) => {
    await row.getByRole('button', { name: /^Edit/ }).click()
    await dialog(page, 'Edit Trunk/Route').getByLabel('Price', { exact: true }).fill(price)
    await submitIn(dialog(page, 'Edit Trunk/Route')).click()
  }
  const editing = dialog(page, 'Edit Trunk/Route')
  await lower('0.22')
  await expect(editing).toContainText('1 trunk costs more than the price of this route.')
  await expect(editing).toContainText('Meridian Global: a minute to +372 costs $0.24, sold at $0.22')
  await expect(editing).toContainText('1 other trunk carries the calls.')
  const save = editing.getByRole('button', { name: /^Save/ })
  await expect(save).toBeDisabled()
  await expectNoViolations(page)
  await editing.getByLabel('Skip this trunk').check()
  await save.click()
  await expect(row).toContainText('1 trunk skipped')

  await lower('0.1')
  await expect(editing).toContainText('2 trunks cost more than the price of this route.')
  await expect(editing).toContainText('calls to these numbers are refused')
  await editing.getByRole('button', { name: 'Back' }).click()
  await expect(editing.getByLabel('Price', { exact: true })).toHaveValue('0.1')
  await submitIn(editing).click()
  await editing.getByLabel('Use them and sell below cost').check()
  await editing.getByRole('button', { name: 'Save and sell below cost' }).click()
  await expect(row).toContainText('Sells below cost')
  const { routes } = await (await asAdmin(request)).get('/api/routes')
  expect(routes.find((one: { id: number }) => one.id === id)).toMatchObject({
    price: 0.1,
    sells_below_cost: true,
  })
  await clear(request, 'Estonia')
})

test('two administrators do not overwrite each other', async ({ page, request }) => {
  await clear(request, 'Latvia')
  const { id } = await addRoute(request, { country: 'Latvia', name: 'Riga' })
  const other = await asAdmin(request)
  await signIn(page, demo.admin)
  await rowOf(page, 'Riga').getByRole('button', { name: /^Edit/ }).click()
  const editing = dialog(page, 'Edit Trunk/Route')
  await editing.getByLabel('Price', { exact: true }).fill('0.6')
  await other.send('patch', `/api/routes/${id}`, { price: 0.5, name: 'Jurmala' })
  await submitIn(editing).click()
  await expect(editing).toContainText('Someone else just changed this.')
  await expect(editing).toContainText('Plan name: Riga → Jurmala')
  await expect(editing).toContainText('Price: 0.4 → 0.5')
  await expect(editing.getByLabel('Price', { exact: true })).toHaveValue('0.6')
  await expect(editing.getByLabel('Plan Name')).toHaveValue('Jurmala')
  await submitIn(editing).click()
  await expect(rowOf(page, 'Jurmala')).toContainText('$0.60 / min')

  await rowOf(page, 'Jurmala')
    .getByRole('button', { name: /^Delete/ })
    .click()
  const deleting = dialog(page, 'Delete this trunk/route?')
  await expect(deleting.getByRole('button', { name: 'Delete' })).toBeEnabled()
  // The list stays unchanged until the deletion is tried.
  const before = await other.get('/api/routes')
  let isHeld = true
  await page.route(/\/api\/routes(\/\d+)?(\?.*)?$/, (route) => {
    if (route.request().method() === 'DELETE') isHeld = false
    return isHeld ? route.fulfill({ json: before }) : route.continue()
  })
  await other.send('patch', `/api/routes/${id}`, { price: 0.7 })
  await deleting.getByRole('button', { name: 'Delete' }).click()
  await expect(deleting).toContainText('Someone else just changed this.')
  await expect(deleting).toContainText('$0.70 / min')
  await deleting.getByRole('button', { name: 'Delete' }).click()
  await expect(deleting).toBeHidden()
  await expect(rowOf(page, 'Jurmala')).toBeHidden()
  await page.unrouteAll()

  // The form closes when its route no longer exists.
  await page.goto(`/admin-panal?route=${id}`)
  await expect(page.getByText('This trunk/route no longer exists.')).toBeVisible()
  await expect(page).toHaveURL('/admin-panal')
})

test('the next call uses the new price', async ({ page, request, caller, callEnds }) => {
  const DUBLIN = '+35316778899'
  await clear(request, 'Ireland')
  const { id } = await addRoute(request, { country: 'Ireland', name: 'Dublin' })
  const headers = await bearerOf(request, caller)
  await request.post('/api/user-selected-route', { headers, data: { route_id: id } })
  const latest = async () => {
    const { records } = await (await request.get('/api/cdr?limit=1', { headers })).json()
    const { record } = await (await request.get(`/api/cdr/${records[0].id}`, { headers })).json()
    return record as { rate: { price_per_minute: number }; cost: number; billed_seconds: number }
  }
  // Call control may receive the selection shortly after the request.
  await expect(async () => {
    await callEnds({ to: DUBLIN })
    expect(await latest()).toMatchObject({ status: 'completed', rate: { price_per_minute: 0.4 } })
  }).toPass()

  await signIn(page, demo.admin)
  await rowOf(page, 'Dublin').getByRole('button', { name: /^Edit/ }).click()
  const editing = dialog(page, 'Edit Trunk/Route')
  await editing.getByLabel('Price', { exact: true }).fill('0.48')
  await submitIn(editing).click()
  await expect(rowOf(page, 'Dublin')).toContainText('$0.48 / min')
  // The same applies to a new price.
  await expect(async () => {
    await callEnds({ to: DUBLIN })
    expect((await latest()).rate.price_per_minute).toBe(0.48)
  }).toPass()
  const { cost, billed_seconds } = await latest()
  expect(billed_seconds).toBeGreaterThan(0)
  expect(cost).toBeCloseTo((0.48 / 60) * billed_seconds, 6)
  await clear(request, 'Ireland')
})
