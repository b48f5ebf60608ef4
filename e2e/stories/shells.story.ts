import { demo, expect, signIn, test } from '../support/story.ts'

const theme = 'html'

/** With motion, as most users see it. */
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.describe('the customer area', () => {
  test('titles its screens, marks the current one, and is dark by default', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await expect(page.locator(theme)).toHaveAttribute('data-theme', 'dark')
    await expect(page.getByRole('banner')).toContainText('Dashboard')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    const menu = page.getByRole('navigation', { name: 'Customer area' })
    for (const [link, title, path] of [
      ['Profile', 'Profile', '/dashboard/profile'],
      ['Trunks', 'Trunks', '/dashboard/trunks'],
      ['Numbers', 'Numbers', '/dashboard/numbers'],
      ['Flows', 'Flows', '/dashboard/flows'],
      ['Voicemail', 'Voicemail', '/dashboard/voicemail'],
      ['CDR Report', 'CDR Report', '/dashboard/cdr-report'],
      ['Support', 'Support', '/dashboard/support'],
      ['Top Up', 'Dashboard', '/dashboard/topup'],
      ['Statement', 'Statement', '/dashboard/statement'],
      ['Home', 'Dashboard', '/dashboard'],
    ] as const) {
      await menu.getByRole('link', { name: link }).click()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('banner')).toContainText(title)
      await expect(menu.getByRole('link', { name: link })).toHaveAttribute('aria-current', 'page')
    }
    await page.getByRole('banner').getByRole('link', { name: 'Upgrade' }).click()
    await expect(page.getByRole('banner')).toContainText('Upgrade')
    await page.goto('/dashboard/topup')
    await expect(page.getByRole('banner')).toContainText('Dashboard')
    await expect(page).toHaveTitle(/^Top Up · /)
  })

  test('shows Premium instead of Upgrade to a premium user', async ({ page }) => {
    await signIn(page, demo.paula)
    await expect(page.getByRole('banner')).toContainText('Premium')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Upgrade' })).toBeHidden()
  })

  test('shows User for a user without a name', async ({ page, newcomer }) => {
    await page.route(/\/api\/auth\/(verify|me)$/, async (route) => {
      const answer = await route.fetch()
      const { user } = await answer.json()
      await route.fulfill({ response: answer, json: { user: { ...user, name: '', username: '' } } })
    })
    await signIn(page, newcomer, '/dashboard/support')
    await expect(page.getByRole('banner').getByText('User', { exact: true })).toBeVisible()
  })

  test('offers the Admin Panel to administrators only', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await expect(page.getByRole('link', { name: 'Admin Panel' })).toHaveCount(0)
    await page.evaluate(() => localStorage.clear())
    await signIn(page, demo.admin, '/dashboard')
    await page.getByRole('link', { name: 'Admin Panel' }).click()
    await expect(page).toHaveURL('/admin-panal')
  })

  test('collapses its sidebar on a phone', async ({ page, newcomer }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await signIn(page, newcomer)
    const support = page.getByRole('link', { name: 'Support', exact: true })
    await expect(support).toBeHidden()
    await page.getByRole('button', { name: /menu/i }).click()
    await expect(support).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(support).toBeHidden()
    await page.getByRole('button', { name: /menu/i }).click()
    await support.click()
    await expect(page).toHaveURL('/dashboard/support')
    await expect(support).toBeHidden()
  })

  test('lets a user change the password and stay signed in', async ({ page, request, newcomer }) => {
    await request.post('/api/auth/login', { data: newcomer })
    await signIn(page, newcomer, '/dashboard/profile')
    const sessions = page.getByRole('region', { name: 'Active sessions' }).getByRole('listitem')
    await expect(sessions).toHaveCount(2)
    const change = async (current: string, next: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password').fill(next)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await change('not the one', 'another one')
    await expect(page.getByRole('alert')).toHaveText('Current password is incorrect')
    await page.route('**/api/auth/change-password', (route) => route.fulfill({ status: 500, json: {} }))
    await change(newcomer.password, 'another one')
    await expect(page.getByRole('alert')).toHaveText('Failed to change password')
    await page.unrouteAll()
    await change(newcomer.password, 'another one')
    await expect(page.getByText('Your password has been changed.')).toBeVisible()
    await expect(sessions).toHaveCount(1)
    await page.reload()
    await expect(page.getByRole('banner')).toContainText(newcomer.username)
    await page.getByRole('button', { name: 'Logout' }).click()
    await signIn(page, { ...newcomer, password: 'another one' })
  })

  test('shows the support contacts', async ({ page, newcomer }) => {
    await signIn(page, newcomer, '/dashboard/support')
    await expect(page.getByText('Get help with your VoIP services')).toBeVisible()
    await expect(page.getByRole('link', { name: 'support@trunkline.example' })).toBeVisible()
    await expect(page.getByText('1-800-555-0199')).toBeVisible()
  })
})

test.describe('the admin panel', () => {
  test('is light by default and remembers the theme', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await signIn(page, demo.admin)
    await expect(page.locator(theme)).toHaveAttribute('data-theme', 'light')
    await page.getByRole('button', { name: /dark/i }).click()
    await expect(page.locator(theme)).toHaveAttribute('data-theme', 'dark')
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
    await page.reload()
    await expect(page.locator(theme)).toHaveAttribute('data-theme', 'dark')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
  })
})

test('the demo is marked as a demo', async ({ page }) => {
  for (const path of ['/', '/login']) {
    await page.goto(path)
    await expect(page.getByText('Demo', { exact: true }).first()).toBeVisible()
  }
  await signIn(page, demo.alice)
  await expect(page.getByRole('banner').getByText('Demo', { exact: true })).toBeVisible()
})
