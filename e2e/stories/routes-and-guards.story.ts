import { readFileSync } from 'node:fs'
import { demo, expect, heldAnswer, signIn, submitSignIn, test } from '../support/story.ts'

test.describe('the route table', () => {
  test('a visitor of the customer area is redirected to sign in, and Back works', async ({ page }) => {
    await page.goto('/')
    await page.goto('/dashboard/profile')
    await expect(page).toHaveURL('/login')
    await page.goBack()
    await expect(page).toHaveURL('/')
  })

  test('a visitor of the admin panel is redirected to sign in and back, even after a reload', async ({
    page,
  }) => {
    await page.goto('/admin-panal')
    await expect(page).toHaveURL(/\/login/)
    await page.reload()
    await submitSignIn(page, demo.admin)
    await expect(page).toHaveURL('/admin-panal')
  })

  test('a customer who came from the admin panel lands in the customer area', async ({ page, newcomer }) => {
    await page.goto('/admin-panal')
    await submitSignIn(page, newcomer)
    await expect(page).toHaveURL('/dashboard')
    await page.goto('/admin-panal')
    await expect(page).toHaveURL('/dashboard')
  })

  test('a signed-in user is not asked to sign in again', async ({ page, newcomer }) => {
    await signIn(page, newcomer, '/login')
    await expect(page).toHaveURL('/dashboard')
  })

  test('a remembered path cannot lead to another site', async ({ page, newcomer }) => {
    await page.goto('/login?from=https%3A%2F%2Fevil.example%2F')
    await submitSignIn(page, newcomer)
    await expect(page).toHaveURL('/dashboard')
  })

  test('the loading screens show their texts', async ({ page }) => {
    await signIn(page, demo.admin)
    const { answer } = await heldAnswer(page, '**/api/auth/verify')
    await page.goto('/admin-panal')
    await expect(page.getByText('Checking admin access...')).toBeVisible()
    answer()
    await expect(page.getByText('Administrator').first()).toBeVisible()
  })

  test('an unknown address shows a message and answers 404', async ({ page }) => {
    const answer = await page.goto('/no/such/screen')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/This address does not exist/)
    await page.getByRole('link', { name: 'Back to home' }).click()
    await expect(page).toHaveURL('/')
  })
})

test.describe('a session', () => {
  test('that ended on the server signs the user out and removes the token', async ({ page, newcomer }) => {
    await page.clock.install()
    await signIn(page, newcomer)
    await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('$0.00')
    const token = await page.evaluate(() => localStorage.getItem('token'))
    await page.request.post('/api/auth/logout', { headers: { authorization: `Bearer ${token}` } })
    // The next request finds out, at the latest the balance refresh every ten seconds.
    await page.clock.runFor(10_000)
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByRole('alert')).toHaveText('Session expired. Please login again.')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

  test('with an invalid token starts signed out', async ({ page }) => {
    await page.goto('/')
    await page.evaluate(() => localStorage.setItem('token', 'made up'))
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

  test('ends with Logout, also on the server', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    const token = await page.evaluate(() => localStorage.getItem('token'))
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    // The page leaves immediately while the request is still running.
    const headers = { authorization: `Bearer ${token}` }
    await expect.poll(async () => (await page.request.get('/api/auth/me', { headers })).status()).toBe(401)
  })

  test('ends in all tabs when one signs out', async ({ page, context, newcomer }) => {
    await signIn(page, newcomer)
    const other = await context.newPage()
    await other.goto('/dashboard')
    await expect(other.getByRole('banner')).toContainText(newcomer.username)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(other).toHaveURL(/\/login/)
  })
})

test.describe('when the server is unreachable', () => {
  test('a banner appears and disappears again', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Refresh Balance' }).click()
    await expect(page.getByText('The server cannot be reached. Trying again…')).toBeVisible()
    await page.unroute('**/api/**')
    await expect(page.getByText('The server cannot be reached. Trying again…')).toBeHidden()
    await expect(page).toHaveURL('/dashboard')
  })

  test('at the start, the user stays signed in', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await page.route('**/api/**', (route) => route.abort())
    await page.goto('/dashboard')
    await expect(page.getByText('The server cannot be reached. Trying again…')).toBeVisible()
    await page.unroute('**/api/**')
    await expect(page.getByRole('banner')).toContainText(newcomer.username)
  })
})

test('a screen that breaks shows the error screen, and Refresh Page starts over', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer)
  await page.route('**/assets/Profile-*', (route) => route.abort())
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByText('Something went wrong')).toBeVisible()
  await page.unroute('**/assets/Profile-*')
  await page.getByRole('button', { name: 'Refresh Page' }).click()
  await expect(page.getByRole('heading', { name: newcomer.username })).toBeVisible()
})

test.describe('every screen of the admin panel', () => {
  // Read as text, because the file imports icons.
  const tabs = readFileSync(new URL('../../web/src/admin/tabs.ts', import.meta.url), 'utf8')
  const screens = [...tabs.matchAll(/to: '([^']+)'/g)].map(([, to = '']) => to)
  screens.push('/admin-panal/users/1')
  expect(screens.length).toBeGreaterThan(9)

  test('redirects a visitor to sign in', async ({ page }) => {
    for (const screen of screens) {
      await page.goto(screen)
      await expect(page, screen).toHaveURL(/\/login/)
    }
  })

  test('redirects a customer to the dashboard without requesting admin data', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/api\/(admin|total-payments|successful-payments|user-stats)/.test(request.url()))
        asked.push(request.url())
    })
    for (const screen of screens) {
      await page.goto(screen)
      await expect(page, screen).toHaveURL('/dashboard')
    }
    expect(asked).toEqual([])
  })
})
