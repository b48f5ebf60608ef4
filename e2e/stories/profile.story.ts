import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, demo, expect, LONDON, signIn, test } from '../support/calls.ts'

const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const alertWith = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

async function editProfile(page: Page): Promise<void> {
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Update Profile' }).click()
}

test.describe('the profile', () => {
  test('shows N/A for empty fields', async ({ page, newcomer }) => {
    await signIn(page, newcomer, '/dashboard/profile')
    const card = cardOf(page, 'Your profile')
    await expect(card.getByRole('heading', { name: newcomer.username })).toBeVisible()
    await expect(card.locator('svg').first()).toHaveAttribute('width', '100')
    const factOf = (name: string) =>
      card.locator('div', { has: page.getByText(name, { exact: true }) }).last()
    await expect(factOf('Username')).toContainText(newcomer.username)
    await expect(factOf('Company')).toContainText('N/A')
    await expect(factOf('Host')).toContainText('dynamic')
    await expect(card.getByText('Website IP')).toBeVisible()
  })

  test('shows an error when it cannot be fetched, and a retry', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await page.route('**/api/auth/verify', (route) => route.fulfill({ status: 400, json: {} }))
    await page.getByRole('link', { name: 'Profile' }).click()
    await expect(alertWith(page, 'Failed to fetch profile. Please login again.')).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'Update Profile' })).toBeVisible()
  })

  test('is changed, including the username, and updates every screen', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await editProfile(page)
    await expect(page.getByLabel('Username')).toBeFocused()
    await expect(page.getByPlaceholder('Enter new password')).toHaveValue('')
    const renamed = `${newcomer.username}.b`
    await page.getByLabel('Username').fill(renamed)
    await expect(page.getByText('Changing your username resets your SIP password')).toBeVisible()
    await page.getByLabel('Company').fill('Bell & Sons')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(alertWith(page, 'Profile updated successfully!')).toBeVisible()
    await expect(page.getByRole('heading', { name: renamed })).toBeVisible()
    await expect(cardOf(page, 'Your profile')).toContainText('Bell & Sons')
    await expect(page.getByRole('banner')).toContainText(renamed)
    await expect(page.getByRole('button', { name: 'Update Profile' })).toBeFocused()
  })

  test('requires a username, a company and a host', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await editProfile(page)
    await page.getByLabel('Username').fill(' ')
    await page.getByLabel('Host').fill('')
    await page.getByPlaceholder('Enter new password').fill('seven77')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByLabel('Username')).toBeFocused()
    for (const fault of [
      'Please enter your username.',
      'Please enter your company.',
      'Host must be at least 3 characters',
      'Password must be at least 8 characters long',
    ])
      await expect(page.getByText(fault)).toBeVisible()
  })

  test('keeps the input when saving fails', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await editProfile(page)
    await page.getByLabel('Username').fill(demo.alice.username)
    await page.getByLabel('Company').fill('Bell')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(alertWith(page, 'Failed to update profile')).toBeVisible()
    await expect(page.getByText('An account with this username already exists')).toBeVisible()
    await page.getByLabel('Username').fill(newcomer.username)
    await page.route('**/api/user/profile', (route) => route.fulfill({ status: 500, json: {} }))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(alertWith(page, 'Failed to update profile')).toBeVisible()
    await expect(page.getByLabel('Company')).toHaveValue('Bell')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(alertWith(page, 'Profile updated successfully!')).toBeVisible()
  })

  test('accepts a new password, which signs other devices out', async ({ page, newcomer, request }) => {
    const headers = await bearerOf(request, newcomer)
    await signIn(page, newcomer)
    await editProfile(page)
    await page.getByLabel('Company').fill('Bell')
    await page.getByPlaceholder('Enter new password').fill('another one')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(alertWith(page, 'Profile updated successfully!')).toBeVisible()
    expect((await request.get('/api/auth/me', { headers })).status()).toBe(401)
    await page.reload()
    await expect(page.getByRole('banner')).toContainText(newcomer.username)
    await page.getByRole('button', { name: 'Logout' }).click()
    await signIn(page, { ...newcomer, password: 'another one' })
  })
})

test.describe('the SIP host', () => {
  test('is updated by its own button', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await editProfile(page)
    const update = page.getByRole('button', { name: 'Update Host in SIP' })
    await page.getByLabel('Host').fill('ab')
    await update.click()
    await expect(page.getByText('Host must be at least 3 characters')).toBeVisible()
    await page.getByLabel('Host').fill('not a host')
    await update.click()
    await expect(alertWith(page, 'Failed to update host in SIP')).toBeVisible()
    await expect(page.getByText('Please enter "dynamic", an IP address or a hostname.')).toBeVisible()
    const host = `PBX-${newcomer.username}.Example`
    await page.getByLabel('Host').fill(host)
    await update.click()
    await expect(alertWith(page, 'Host updated in SIP successfully!')).toBeVisible()
    await expect(page.getByLabel('Host')).toHaveValue(host.toLowerCase())
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(cardOf(page, 'Your profile')).toContainText(host.toLowerCase())
  })

  test('is saved by Save as well; a refused host stays in the form', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await editProfile(page)
    await page.getByLabel('Company').fill('Bell')
    await page.getByLabel('Host').fill('256.1.1.1')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(alertWith(page, 'Profile updated successfully!')).toBeVisible()
    await expect(alertWith(page, 'Failed to update host in SIP')).toBeVisible()
    await expect(page.getByLabel('Host')).toHaveValue('256.1.1.1')
    await page.getByLabel('Host').fill(`pbx-${newcomer.username}.example`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(alertWith(page, 'Host updated in SIP successfully!')).toBeVisible()
    await expect(cardOf(page, 'Your profile')).toContainText(`pbx-${newcomer.username}.example`)
    await expect(page.getByRole('button', { name: 'Update Profile' })).toBeVisible()
  })
})

test('changing the username resets the SIP password', async ({ page, newcomer, request }) => {
  await request.post('/api/user/sip/password', { headers: await bearerOf(request, newcomer) })
  await signIn(page, newcomer)
  await editProfile(page)
  const card = cardOf(page, 'SIP credentials')
  await expect(card).toContainText('SIP password created on')
  await page.getByLabel('Username').fill(`${newcomer.username}.b`)
  await page.getByLabel('Company').fill('Bell')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(alertWith(page, 'Your SIP password was reset.')).toBeVisible()
  await expect(card).toContainText('No SIP password yet')
  await expect(card).toContainText(`${newcomer.username}.b`)
  await card.getByRole('button', { name: 'Create SIP password' }).click()
  await expect(page.getByRole('dialog')).toContainText('SIP password')
})

test('a customer sees the active sessions and signs out elsewhere', async ({ page, newcomer, request }) => {
  const elsewhere = [await bearerOf(request, newcomer), await bearerOf(request, newcomer)]
  await request.post('/api/user/sip/password', { headers: elsewhere[0] })
  await signIn(page, newcomer, '/dashboard/profile')
  const sip = cardOf(page, 'SIP credentials')
  await expect(sip).toContainText('SIP password created on')
  const card = cardOf(page, 'Active sessions')
  await expect(card.getByRole('listitem')).toHaveCount(3)
  await expect(card.getByRole('listitem').filter({ hasText: 'This device' })).toContainText('Chrome on Linux')
  await card
    .getByRole('button', { name: /^Sign out .+, 127/ })
    .first()
    .click()
  await expect(alertWith(page, 'The device was signed out.')).toBeVisible()
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await card.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(alertWith(page, 'You signed out of all other sessions.')).toBeVisible()
  await expect(card).toContainText('No other active sessions.')
  await expect(sip).toContainText('No SIP password yet')
  for (const headers of elsewhere) expect((await request.get('/api/auth/me', { headers })).status()).toBe(401)
})

test.describe('the limits of an account', () => {
  test('show who set them, and can be lowered but not raised', async ({ page, newcomer }) => {
    await signIn(page, newcomer, '/dashboard/profile')
    const card = cardOf(page, 'Call limits')
    const limit = (name: string) => card.locator('dl > div').filter({ hasText: name })
    await expect(limit('Daily spend')).toContainText('$50.00')
    await expect(limit('Daily spend')).toContainText('Your account')
    await card.getByRole('button', { name: 'Change limits' }).click()
    await card.getByLabel('Daily spend').fill('60')
    await card.getByRole('button', { name: 'Save limits' }).click()
    await expect(card).toContainText('You can only set lower limits.')
    await card.getByLabel('Daily spend').fill('12.50')
    await card.getByLabel('Maximum price per minute').fill('0.05')
    await card.getByLabel('Allowed countries', { exact: true }).selectOption('Germany')
    await card.getByLabel('Allowed countries', { exact: true }).selectOption('France')
    await card.getByLabel('Blocked countries', { exact: true }).selectOption('Cuba')
    await card.getByRole('button', { name: 'Remove France from allowed countries' }).click()
    await card.getByRole('button', { name: 'Save limits' }).click()
    await expect(alertWith(page, 'Limits saved.')).toBeVisible()
    await expect(limit('Daily spend')).toContainText('$12.50')
    await expect(limit('Daily spend')).toContainText('Set by you')
    await expect(limit('Maximum price')).toContainText('$0.05 / min')
    await expect(card.locator('dl > div').nth(4)).toContainText('Germany')
    await expect(limit('Blocked countries')).toContainText('Cuba')
    await expect(limit('Concurrent calls')).toContainText('Your account')
    await page.reload()
    await expect(limit('Daily spend')).toContainText('$12.50')
  })

  test('stay in the form when saving fails', async ({ page, newcomer }) => {
    await signIn(page, newcomer, '/dashboard/profile')
    const card = cardOf(page, 'Call limits')
    await card.getByRole('button', { name: 'Change limits' }).click()
    await card.getByLabel('Daily spend').fill('10')
    await page.route('**/api/user/guards', (route) => route.fulfill({ status: 500, json: {} }))
    await card.getByRole('button', { name: 'Save limits' }).click()
    await expect(alertWith(page, 'The limits could not be saved. Please try again.')).toBeVisible()
    await expect(card.getByLabel('Daily spend')).toHaveValue('10')
  })

  test('stop all calls after a confirmation, and refused calls raise an alert', async ({
    page,
    caller,
    callEnds,
  }) => {
    await signIn(page, caller, '/dashboard/profile')
    const card = cardOf(page, 'Call limits')
    await expect(card).toContainText('Calls are allowed')
    await card.getByRole('button', { name: 'Stop all calls' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(card).toContainText('Calls are allowed')
    await card.getByRole('button', { name: 'Stop all calls' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop all calls' }).click()
    await expect(card).toContainText('You stopped all calls. New calls are refused.')
    await expect(cardOf(page, 'Alerts')).toContainText('No alerts')
    await callEnds({ to: LONDON })
    await expect(cardOf(page, 'Alerts').getByRole('listitem')).toHaveCount(1)
    await card.getByRole('button', { name: 'Allow calls again' }).click()
    await expect(card).toContainText('Calls are allowed')
  })
})

test('axe finds nothing in the forms of the profile, in both themes, wide and narrow', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer)
  await editProfile(page)
  await page.getByRole('button', { name: 'Change limits' }).click()
  await page.getByLabel('Allowed countries', { exact: true }).selectOption('Germany')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Please enter your company.')).toBeVisible()
  await expectNoViolations(page)
})
