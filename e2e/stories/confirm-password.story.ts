import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { expect, signIn, test } from '../support/story.ts'

/** The first change is answered as the server answers it ten minutes after sign-in; all other requests reach the server. */
async function forgetProof(page: Page, path: string): Promise<void> {
  const answer = {
    error: { code: 'password_needed', message: 'Enter your password to confirm this change.' },
    message: 'Enter your password to confirm this change.',
    request_id: 'story',
  }
  let isForgotten = true
  await page.route(path, (route) => {
    if (!isForgotten || route.request().method() === 'GET') return route.fallback()
    isForgotten = false
    return route.fulfill({ status: 403, json: answer })
  })
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" })

test('a sensitive change asks for the password and then continues', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await forgetProof(page, '**/api/user/callerid')
  await page.getByRole('button', { name: 'Set Caller ID' }).click()
  await page.getByRole('textbox', { name: 'Caller ID' }).fill('12025550100')
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  const dialog = dialogOf(page)
  await expect(dialog).toContainText('Enter your password to confirm this change.')
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await expectNoViolations(page)
  await dialog.getByLabel('Password', { exact: true }).fill('not my password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Current password is incorrect')
  await dialog.getByLabel('Password', { exact: true }).fill(newcomer.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('+12025550100')).toBeVisible()
})

test('a canceled password dialog changes nothing and says why', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/profile')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await page.getByLabel('Company').fill('Example')
  await page.getByPlaceholder('Enter new password').fill('another long one')
  await forgetProof(page, '**/api/user/profile')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Enter your password to confirm this change.')).toBeVisible()
  await expect(page.getByPlaceholder('Enter new password')).toHaveValue('another long one')
})

test('a password dialog that cannot be loaded fails the change and leaves the page usable', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer)
  await forgetProof(page, '**/api/user/callerid')
  await page.route(/\/ProofDialog[^/]*\.js/, (route) => route.abort())
  await page.getByRole('button', { name: 'Set Caller ID' }).click()
  await page.getByRole('textbox', { name: 'Caller ID' }).fill('12025550100')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This could not be loaded. Please try again.')).toBeVisible()
  await expect(page.getByText('Enter your password to confirm this change.')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('+12025550100')).toBeVisible()
})
