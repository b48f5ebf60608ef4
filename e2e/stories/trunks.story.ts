import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, demo, expect, LONDON, routeOf, signIn, test } from '../support/calls.ts'
import { heldAnswer } from '../support/story.ts'

const cardOf = (page: Page, country: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: country, exact: true }) })
const changeRoute = (page: Page, country: string) =>
  page.getByRole('button', { name: `Change Route for ${country}` }).click()
const pickerOf = (page: Page, country: string) =>
  page.getByRole('dialog', { name: `Select Route for ${country}` })

/** Simulates that the page becomes visible again. */
const comeBack = (page: Page) =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")

test('a customer chooses a route for a country and sees it at once', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await page.getByRole('link', { name: 'Trunks' }).click()
  await expect(page.getByRole('heading', { name: 'Trunks Management' })).toBeVisible()
  await expect(page.getByText('Manage your VoIP trunks and routing configurations with ease')).toBeVisible()
  const card = cardOf(page, 'Germany')
  await expect(card).toContainText('Current Route')
  await expect(card).toContainText('None')
  await expect(card).toContainText('–')
  await expect(card.getByText('Selected')).toBeHidden()

  await changeRoute(page, 'Germany')
  const picker = pickerOf(page, 'Germany')
  await expect(picker.getByRole('button', { name: /Gold CLI/ })).toContainText('$0.0155 / min')
  await expect(picker.getByRole('img', { name: 'Current route' })).toBeHidden()
  await picker.getByRole('button', { name: /Gold CLI/ }).click()
  await expect(picker).toBeHidden()
  await expect(card.getByText('Selected')).toBeVisible()
  await expect(card).toContainText('Gold CLI')
  await expect(card).toContainText('$0.0155 / min')

  await page.reload()
  await expect(card.getByText('Selected')).toBeVisible()
  await changeRoute(page, 'Germany')
  await expect(
    picker.getByRole('button', { name: /Gold CLI/ }).getByRole('img', { name: 'Current route' }),
  ).toBeVisible()
})

test('premium routes are dimmed for a regular customer, with a hint to upgrade', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer, '/dashboard/trunks')
  await changeRoute(page, 'France')
  const premium = pickerOf(page, 'France').getByRole('button', { name: /Premium CLI/ })
  await expect(premium).toBeDisabled()
  await expect(premium.getByText('Premium', { exact: true })).toBeVisible()
  await expect(premium).toContainText('Upgrade to select')
  // Locked routes are reachable by keyboard and explain why.
  await premium.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Upgrade to premium to select this route!')
  await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click()
  await expect(pickerOf(page, 'France')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cardOf(page, 'France')).toContainText('None')
})

test('a premium customer can choose premium routes', async ({ page, request }) => {
  const headers = await bearerOf(request, demo.paula)
  const data = { route_id: await routeOf(request, headers, 'CA', 'Gold CLI') }
  await request.post('/api/user-selected-route', { headers, data })
  await signIn(page, demo.paula, '/dashboard/trunks')
  await changeRoute(page, 'Canada')
  const premium = pickerOf(page, 'Canada').getByRole('button', { name: /Premium CLI/ })
  await expect(premium).not.toContainText('Upgrade to select')
  await premium.click()
  await expect(cardOf(page, 'Canada')).toContainText('Premium CLI')
})

test('the route list closes with its button and with a click outside', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/trunks')
  const picker = pickerOf(page, 'Japan')
  await changeRoute(page, 'Japan')
  await expect.poll(async () => (await picker.boundingBox())?.width).toBe(500)
  await expect(picker.getByRole('list')).toHaveCSS('max-height', '480px')
  await picker.getByRole('button', { name: 'Close' }).click()
  await expect(picker).toBeHidden()
  await changeRoute(page, 'Japan')
  await expect(picker).toBeVisible()
  await page.mouse.click(5, 400)
  await expect(picker).toBeHidden()
  await expect(page.getByRole('button', { name: 'Change Route for Japan' })).toBeFocused()
})

test('a choice is shown while it is saved, and reverted with a message when saving fails', async ({
  page,
  caller,
}) => {
  await signIn(page, caller, '/dashboard/trunks')
  const card = cardOf(page, 'United Kingdom')
  await expect(card).toContainText('Gold CLI')
  const failing = Promise.withResolvers<void>()
  await page.route('**/api/user-selected-route', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await failing.promise
    await route.fulfill({ status: 500, json: {} })
  })
  await changeRoute(page, 'United Kingdom')
  await pickerOf(page, 'United Kingdom')
    .getByRole('button', { name: /Silver/ })
    .click()
  await expect(card).toContainText('Silver')
  failing.resolve()
  await expect(card).toContainText('Gold CLI')
  await expect(card).not.toContainText('Silver')
  await expect(page.getByRole('alert')).toHaveText('Failed to update selected route')

  // A success removes the error.
  await page.unrouteAll()
  await changeRoute(page, 'United Kingdom')
  await pickerOf(page, 'United Kingdom')
    .getByRole('button', { name: /Silver/ })
    .click()
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(card).toContainText('Silver')
})

test('an unknown selection does not claim that calls are refused', async ({ page, caller }) => {
  await signIn(page, caller)
  await page.route('**/api/user-selected-route', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 400, json: {} }) : route.continue(),
  )
  await page.goto('/dashboard/trunks')
  await expect(page.getByText('Failed to fetch selected route')).toBeVisible()
  const card = cardOf(page, 'United Kingdom')
  await expect(card).toContainText('Unknown')
  await expect(card).toContainText('Your selection could not be loaded.')
  await expect(card.getByText('Selected', { exact: true })).toBeHidden()
  await expect(page.getByText('are refused until you choose a route')).toHaveCount(0)
  await expect(page.getByText('countries have a route')).toBeHidden()
  // Selecting one route does not reveal the others.
  await changeRoute(page, 'Spain')
  await pickerOf(page, 'Spain')
    .getByRole('button', { name: /Gold CLI/ })
    .click()
  await expect(card).toContainText('Unknown')
  await expectNoViolations(page)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(card).toContainText('Gold CLI')
  await expect(cardOf(page, 'Spain').getByText('Selected', { exact: true })).toBeVisible()
})

test('returning to the page refreshes the routes', async ({ page, request, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/trunks')
  const card = cardOf(page, 'Spain')
  await expect(card).toContainText('None')
  const headers = await bearerOf(request, newcomer)
  const data = { route_id: await routeOf(request, headers, 'ES', 'Silver') }
  await request.post('/api/user-selected-route', { headers, data })
  await expect(card).toContainText('None')
  await comeBack(page)
  await expect(card).toContainText('Silver')
})

test('the page shows that routes are loading, and a failed load can be retried', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer)
  const { answer } = await heldAnswer(page, '**/api/routes', (route) =>
    route.fulfill({ status: 400, json: {} }),
  )
  await page.goto('/dashboard/trunks')
  await expect(page.getByText('Loading trunks...')).toBeVisible()
  answer()
  await expect(page.getByRole('alert')).toContainText('Failed to fetch routes')
  await expect(page.getByText('Loading trunks...')).toBeHidden()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(cardOf(page, 'Germany')).toBeVisible()
})

test('without the selection the cards show no route and the reason', async ({ page, caller }) => {
  await signIn(page, caller)
  await page.route('**/api/user-selected-route', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/dashboard/trunks')
  await expect(cardOf(page, 'United Kingdom')).toContainText('Unknown')
  await expect(page.getByRole('alert')).toContainText('Failed to fetch selected route')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(cardOf(page, 'United Kingdom')).toContainText('Gold CLI')
})

test('a route without a price is shown as Free', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await page.route('**/api/routes', async (route) => {
    const answer = await route.fetch()
    const { routes } = await answer.json()
    const free = routes.map((one: { country_code: string }) =>
      one.country_code === 'US' ? { ...one, price: 0 } : { ...one, price: 0.5 },
    )
    await route.fulfill({ response: answer, json: { routes: free } })
  })
  await page.goto('/dashboard/trunks')
  await changeRoute(page, 'United States')
  await expect(pickerOf(page, 'United States').getByText('Free').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await changeRoute(page, 'Canada')
  await expect(pickerOf(page, 'Canada').getByText('$0.50 / min').first()).toBeVisible()
})

test('countries are found by name', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/trunks')
  await expect(cardOf(page, 'Germany')).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search by country' })
  await search.fill('united')
  await expect(cardOf(page, 'Germany')).toBeHidden()
  await expect(cardOf(page, 'United Kingdom')).toBeVisible()
  await expect(cardOf(page, 'United States')).toBeVisible()
  await search.fill('atlantis')
  await expect(page.getByText('No matching results for “atlantis”')).toBeVisible()
  await page.getByRole('button', { name: 'Show all countries' }).click()
  await expect(cardOf(page, 'Germany')).toBeVisible()
})

test('a price check leads to the missing step', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/trunks')
  await expect(cardOf(page, 'Germany')).toBeVisible()
  await page.getByLabel('Check the price of a number').fill('+44 20 7946 0958')
  await page.getByRole('button', { name: 'Show price' }).click()
  const quote = page.getByRole('region', { name: 'Price of a number' })
  await expect(quote).toContainText('+442079460958')
  await expect(quote).toContainText('United Kingdom, landline')
  await expect(quote).not.toContainText('/ min')
})

test('a customer who can call sees the price of a number', async ({ page, caller }) => {
  await signIn(page, caller, '/dashboard/trunks')
  const quote = page.getByRole('region', { name: 'Price of a number' })
  const ask = async (number: string) => {
    await page.getByLabel('Check the price of a number').fill(number)
    await page.keyboard.press('Enter')
  }
  await ask(LONDON)
  await expect(quote).toContainText('$0.0145 / min')
  await expect(quote).toContainText('$0.0725')
  await ask('+44 7400 123456')
  await expect(quote).toContainText('price for +447')
  await ask('+49 30 23125118')
  await expect(quote).toContainText('No route is selected for this country.')
  await quote.getByRole('button', { name: 'Choose a route for Germany' }).click()
  await pickerOf(page, 'Germany')
    .getByRole('button', { name: /Silver/ })
    .click()
  await expect(quote).toContainText('$0.012 / min')
  await expect(quote).toContainText('billed per 6 s')
  await ask('12')
  await expect(quote).toContainText('This number is not valid.')
  await page.route('**/api/pricing/quote*', (route) => route.fulfill({ status: 400, json: {} }))
  await ask('+49 30 23125119')
  await expect(quote.getByRole('alert')).toContainText('Failed to fetch pricing')
  await page.unrouteAll()
  await quote.getByRole('button', { name: 'Try again' }).click()
  await expect(quote).toContainText('$0.012 / min')
})

test('a route shows its quality after enough calls', async ({ page, caller, request }) => {
  const load = {
    callsPerSecond: 4,
    seconds: 6,
    users: [caller.username],
    numbers: [LONDON],
    talkMs: [500, 900],
  }
  await request.post(`${process.env.TRUNKLINE_STORY_SWITCH_URL}/sandbox/load`, { data: load })
  await signIn(page, caller, '/dashboard/trunks')
  await expect(cardOf(page, 'United Kingdom')).toContainText(/\d+\.\d% answered · 0:\d\d average/)
  await expect(cardOf(page, 'Germany')).not.toContainText('% answered')
  await changeRoute(page, 'United Kingdom')
  const picker = pickerOf(page, 'United Kingdom')
  await expect(picker.getByRole('button', { name: /Gold CLI/ })).toContainText('% answered')
  await expect(picker.getByRole('button', { name: /Wholesale/ })).toContainText(
    'Not enough calls to rate quality',
  )
})

test('axe finds nothing in the list of routes, in both themes, wide and narrow', async ({ page, caller }) => {
  await signIn(page, caller, '/dashboard/trunks')
  await expect(cardOf(page, 'United Kingdom').getByText('Selected')).toBeVisible()
  await changeRoute(page, 'United Kingdom')
  await expect(pickerOf(page, 'United Kingdom')).toBeVisible()
  await expectNoViolations(page)
})
