import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { mailedLink } from '../support/mailbox.ts'
import { expect, signIn, test } from '../support/story.ts'

async function submitPassword(page: Page, password: string) {
  await page.getByLabel('New password').fill(password)
  await page
    .getByRole('button', { name: /password/i })
    .last()
    .click()
}

test('a user who forgot the password sets a new one through the mailbox', async ({
  page,
  request,
  browser,
}) => {
  // A new account, because a new password ends all its sessions.
  const address = `forgetful-${randomBytes(5).toString('hex')}@example.com`
  const person = { username: address, password: 'the second one' }
  const registered = await request.post('/register', { data: { ...person, password: 'soon forgotten' } })
  expect(registered.ok()).toBe(true)
  await page.goto(await mailedLink(browser, request, address, /Confirm your email address/))
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel(/email/i).fill(`  ${address.replace('f', 'F')} `)
  await page.getByRole('button', { name: /reset/i }).click()
  await expect(page.getByText('If an account uses this address, we sent a reset link to it.')).toBeVisible()

  const link = await mailedLink(browser, request, address, /Reset your Trunkline password/)

  await page.goto(link)
  await submitPassword(page, 'short')
  await expect(page.getByRole('alert')).toHaveText('Password must be at least 8 characters long')
  await expect(page.getByLabel('Disconnect my phones too')).toBeChecked()
  await submitPassword(page, person.password)
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('Your password has been reset. You can sign in now.')).toBeVisible()
  await signIn(page, person)

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.goto('/login')
  await page.goto(link)
  await submitPassword(page, 'one more time')
  await expect(page.getByRole('alert')).toContainText('This reset link has expired or was already used.')
})

test('an unknown address gets the same message', async ({ page }) => {
  await page.goto('/forgot-password')
  await page.getByLabel(/email/i).fill('nobody@example.com')
  await page.getByRole('button', { name: /reset/i }).click()
  await expect(page.getByText('If an account uses this address, we sent a reset link to it.')).toBeVisible()
})

test('a failed request shows an error', async ({ page }) => {
  await page.goto('/forgot-password')
  await page.getByLabel(/email/i).fill('nobody@example.com')
  await page.route('**/api/auth/forgot-password', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('button', { name: /reset/i }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to send reset email')
  await page.route('**/api/auth/reset-password', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/reset-password#token=whatever')
  await page.getByLabel('New password').fill('long enough')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to reset password')
  await expect(page.getByLabel('New password')).toHaveValue('long enough')
})
