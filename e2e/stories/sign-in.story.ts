import { demo, expect, fillSignIn, heldAnswer, signInByHand, submitSignIn, test } from '../support/story.ts'

test.describe('signing in', () => {
  test('a customer signs in and lands in the customer area', async ({ page, newcomer }) => {
    await signInByHand(page, newcomer)
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('banner')).toContainText(newcomer.username)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toMatch(/^[\w-]{43}$/)
  })

  test('an administrator lands in the admin panel', async ({ page }) => {
    await signInByHand(page, demo.admin)
    await expect(page).toHaveURL('/admin-panal')
    await expect(page.getByText('Administrator').first()).toBeVisible()
  })

  test('an administrator returns to the page that required the sign-in', async ({ page }) => {
    const deep = '/admin-panal/users?search=alice'
    await page.goto(deep)
    await expect(page).toHaveURL(/\/login\?from=/)
    await submitSignIn(page, demo.admin)
    await expect(page).toHaveURL(deep)
    await expect(page.getByRole('searchbox').first()).toHaveValue('alice')
    // The same holds after an expired session.
    await page.evaluate(() => localStorage.setItem('token', 'x'.repeat(43)))
    await page.goto('/admin-panal/payments')
    await expect(page).toHaveURL(/\/login\?from=/)
    await submitSignIn(page, demo.admin)
    await expect(page).toHaveURL('/admin-panal/payments')
  })

  test('sign-in never redirects to another site, nor a customer into the panel', async ({
    page,
    newcomer,
  }) => {
    await page.goto('/login?from=%2F%2Fevil.example%2Fadmin-panal')
    await submitSignIn(page, demo.admin)
    await expect(page).toHaveURL('/admin-panal')
    await page.evaluate(() => localStorage.clear())
    await page.goto('/login?from=%2Fadmin-panal%2Fusers')
    await submitSignIn(page, newcomer)
    await expect(page).toHaveURL('/dashboard')
  })

  test('a wrong password shows an error, and editing either field removes it', async ({ page, newcomer }) => {
    await page.goto('/login')
    for (const field of ['Username', 'Password']) {
      await submitSignIn(page, { ...newcomer, password: 'not the one' })
      await expect(page.getByRole('alert')).toHaveText('Invalid username or password')
      await page.getByLabel(field, { exact: true }).press('End')
      await page.getByLabel(field, { exact: true }).pressSequentially('x')
      await expect(page.getByRole('alert')).toBeHidden()
    }
  })

  test('too many attempts show the rate limit message', async ({ page, newcomer }) => {
    await page.goto('/login')
    await fillSignIn(page, { ...newcomer, password: 'not the one' })
    for (let attempt = 0; attempt < 5; attempt++) {
      const answered = page.waitForResponse('**/api/auth/login')
      await page.getByRole('button', { name: 'Sign In' }).click()
      expect((await answered).status()).toBe(401)
    }
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('Too many login attempts. Please try again later.')
  })

  test('both fields are required, and the button is busy while it works', async ({ page, newcomer }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('Please fill in all fields')
    await fillSignIn(page, newcomer)
    const { answer } = await heldAnswer(page, '**/api/auth/login')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('button', { name: 'Please wait...' })).toBeDisabled()
    answer()
    await expect(page).toHaveURL('/dashboard')
  })

  test('the password can be shown and hidden', async ({ page }) => {
    await page.goto('/login')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('secret words')
    await expect(password).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(password).toHaveAttribute('type', 'password')
  })

  test('an unreachable server shows its own message', async ({ page, newcomer }) => {
    await page.goto('/login')
    await fillSignIn(page, newcomer)
    await page.route('**/api/auth/login', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'Unable to connect to server. Please check your internet connection.',
    )
  })

  test('an unexpected response shows the general message', async ({ page, newcomer }) => {
    await page.goto('/login')
    await fillSignIn(page, newcomer)
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 500, json: {} }))
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('Login failed. Please try again.')
    await page.unroute('**/api/auth/login')
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 200, body: 'not JSON' }))
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('An unexpected error occurred. Please try again.')
  })
})

test.describe('signing up', () => {
  test('switches to Sign In, keeps the username and clears the password', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    const person = { username: `signup${Date.now()}`, password: 'long enough' }
    await fillSignIn(page, { ...person, username: `  ${person.username} ` })
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByText('Account created. You can sign in now.')).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveValue(/^\s*signup\d+\s*$/)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await expect(page.getByText('Account created. You can sign in now.')).toBeHidden()
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/dashboard')
  })

  test('refuses a short password and a taken username', async ({ page, newcomer }) => {
    await page.goto('/login')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await fillSignIn(page, { username: newcomer.username, password: 'seven77' })
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('alert')).toHaveText('Password must be at least 8 characters long')
    await fillSignIn(page, { username: newcomer.username.toUpperCase(), password: 'long enough' })
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('alert')).toHaveText('An account with this username already exists')
  })

  test('shows an error when the server fails or is unreachable', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await fillSignIn(page, { username: 'whoever', password: 'long enough' })
    await page.route('**/register', (route) => route.fulfill({ status: 500, json: {} }))
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('alert')).toHaveText('Registration failed. Please try again.')
    await page.unroute('**/register')
    // `success: false` is a refusal regardless of the status.
    for (const [json, words] of [
      [
        { success: false, error: 'This username already exists' },
        'An account with this username already exists',
      ],
      [{ success: false, message: 'Sign-up is closed.' }, 'Sign-up is closed.'],
      [{ success: false }, 'Registration failed. Please try again.'],
      [{}, 'Registration failed. Please try again.'],
    ] as const) {
      await page.route('**/register', (route) => route.fulfill({ json }))
      await page.getByRole('button', { name: 'Create Account' }).click()
      await expect(page.getByRole('alert')).toHaveText(words)
      await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
      await page.unroute('**/register')
    }
    await page.route('**/register', (route) => route.abort())
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'Unable to connect to server. Please check your internet connection.',
    )
  })
})

test.describe('the login form without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('is in the page, with its styles, and takes no input that would be lost', async ({ page }) => {
    const answer = await page.goto('/login')
    expect(answer?.headers()['content-encoding']).toMatch(/^(br|gzip)$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Trunkline start page' })).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).not.toBeEditable()
    await expect(page.getByRole('button', { name: 'Sign In' })).toHaveAttribute('type', 'button')
    await expect(page.locator('link[rel=stylesheet]')).toHaveCount(0)
    await expect(page.locator('form')).toHaveCSS('display', 'flex')
  })
})

test('signed-in users do not see the login form of the page', async ({ page, newcomer }) => {
  await signInByHand(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  // Only the page itself: without the app nothing redirects.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/login')
  await expect(page.locator('#root')).toContainText('Welcome back.')
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in', includeHidden: true })).toBeHidden()
})
