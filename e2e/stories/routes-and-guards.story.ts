import { readFileSync } from 'node:fs'
import { demo, expect, fillSignIn, heldAnswer, signIn, test } from '../support/story.ts'

test.describe('the route table', () => {
  test('a visitor of the customer area is sent to sign in, and Back does not trap them', async ({ page }) => {
    await page.goto('/')
    await page.goto('/dashboard/profile')
    await expect(page).toHaveURL('/login')
    await page.goBack()
    await expect(page).toHaveURL('/')
  })

  test('a visitor of the admin panel is sent to sign in and brought back, even after a reload', async ({
    page,
  }) => {
    await page.goto('/admin-panal')
    await expect(page).toHaveURL(/\/login/)
    await page.reload()
    await fillSignIn(page, demo.admin)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/admin-panal')
  })

  test('a customer who came from the admin panel lands in the customer area', async ({ page, newcomer }) => {
    await page.goto('/admin-panal')
    await fillSignIn(page, newcomer)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/dashboard')
    await page.goto('/admin-panal')
    await expect(page).toHaveURL('/dashboard')
  })

  test('whoever is signed in is not asked again', async ({ page, newcomer }) => {
    await signIn(page, newcomer, '/login')
    await expect(page).toHaveURL('/dashboard')
  })

  test('a remembered path can only lead home', async ({ page, newcomer }) => {
    await page.goto('/login?from=https%3A%2F%2Fevil.example%2F')
    await fillSignIn(page, newcomer)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/dashboard')
  })

  test('the loading screens say what is going on', async ({ page }) => {
    await signIn(page, demo.admin)
    const { answer } = await heldAnswer(page, '**/api/auth/verify')
    await page.goto('/admin-panal')
    await expect(page.getByText('Checking admin access...')).toBeVisible()
    answer()
    await expect(page.getByText('Administrator').first()).toBeVisible()
  })

  test('an address that is not there says so, with the status of one', async ({ page }) => {
    const answer = await page.goto('/no/such/screen')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/nothing at this address/)
    await page.getByRole('link', { name: /start/i }).click()
    await expect(page).toHaveURL('/')
  })
})

test.describe('a session', () => {
  test('that ended on the server ends on the screen, with the token gone', async ({ page, newcomer }) => {
    await page.clock.install()
    await signIn(page, newcomer)
    await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('$0.00')
    const token = await page.evaluate(() => localStorage.getItem('token'))
    await page.request.post('/api/auth/logout', { headers: { authorization: `Bearer ${token}` } })
    // Whatever the screen asks for next finds it out, at the latest the look at the balance every ten seconds.
    await page.clock.runFor(10_000)
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByRole('alert')).toHaveText('Session expired. Please login again.')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

  test('with a token that is no token starts signed out', async ({ page }) => {
    await page.goto('/')
    await page.evaluate(() => localStorage.setItem('token', 'made up'))
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

  test('ends with Logout, on the server too', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    const token = await page.evaluate(() => localStorage.getItem('token'))
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    // The page leaves at once; the server is told meanwhile.
    const headers = { authorization: `Bearer ${token}` }
    await expect.poll(async () => (await page.request.get('/api/auth/me', { headers })).status()).toBe(401)
  })

  test('signed out in one tab is signed out in the other', async ({ page, context, newcomer }) => {
    await signIn(page, newcomer)
    const other = await context.newPage()
    await other.goto('/dashboard')
    await expect(other.getByRole('banner')).toContainText(newcomer.username)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(other).toHaveURL(/\/login/)
  })
})

test.describe('when the server is away', () => {
  test('a banner says so and goes by itself', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Refresh Balance' }).click()
    await expect(page.getByText('The server cannot be reached. Trying again…')).toBeVisible()
    await page.unroute('**/api/**')
    await expect(page.getByText('The server cannot be reached. Trying again…')).toBeHidden()
    await expect(page).toHaveURL('/dashboard')
  })

  test('at the start, nobody is signed out for it', async ({ page, newcomer }) => {
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
  // As text: the file itself draws icons, which are nothing for a story to load.
  const tabs = readFileSync(new URL('../../web/src/admin/tabs.ts', import.meta.url), 'utf8')
  const screens = [...tabs.matchAll(/to: '([^']+)'/g)].map(([, to = '']) => to)
  screens.push('/admin-panal/users/1')
  expect(screens.length).toBeGreaterThan(9)

  test('sends a visitor to sign in', async ({ page }) => {
    for (const screen of screens) {
      await page.goto(screen)
      await expect(page, screen).toHaveURL(/\/login/)
    }
  })

  test('sends a customer home, and asks the server for nothing of it', async ({ page, newcomer }) => {
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
