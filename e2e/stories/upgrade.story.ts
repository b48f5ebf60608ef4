import {
  demo,
  expect,
  isMarked,
  markPage,
  panelOf,
  payAndReturn,
  returnToPortal,
  signIn,
  test,
} from '../support/payments.ts'

test('a customer upgrades and sees You are a Premium User!', async ({ page, newcomer, provider }) => {
  await provider.set({ confirmation_seconds: 60 })
  await signIn(page, newcomer)
  await page.getByRole('banner').getByRole('link', { name: 'Upgrade' }).click()
  await expect(page.getByRole('heading', { name: 'Upgrade to Premium' })).toBeVisible()
  for (const benefit of [
    'Access to premium routes',
    'Priority support',
    'Better call quality',
    'Early access to new features',
  ])
    await expect(page.getByRole('heading', { name: benefit })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Total cost$149.99')
  await page.getByRole('button', { name: 'Upgrade Now' }).click()
  await page.waitForURL(/\/pay\/\d+$/)
  await payAndReturn(page)

  await expect(page).toHaveURL(/\/dashboard\/upgrade\?success=1&invoice=\d+$/)
  await expect(panelOf(page)).toContainText('Your payment is being confirmed')
  await expect(page.getByText('You are a Premium User!')).toBeHidden()
  await markPage(page)
  await provider.advance(61)
  await expect(page.getByRole('heading', { name: 'You are a Premium User!' })).toBeVisible()
  await expect(page.getByRole('banner').getByText('Premium', { exact: true })).toBeVisible()
  expect(await isMarked(page)).toBe(true)
  await panelOf(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(page).toHaveURL('/dashboard/upgrade')
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a second payment for the upgrade is added to the balance', async ({ page, newcomer, provider: _ }) => {
  await signIn(page, newcomer)
  const begin = async () => {
    await page.goto('/dashboard/upgrade')
    await page.getByRole('button', { name: 'Upgrade Now' }).click()
    await page.waitForURL(/\/pay\/\d+$/)
    return page.url()
  }
  const first = await begin()
  await begin()
  await payAndReturn(page)
  await expect(page.getByRole('heading', { name: 'You are a Premium User!' })).toBeVisible()
  await page.goto(first)
  await payAndReturn(page)
  await expect(panelOf(page)).toContainText('$149.99 added to your balance')
  await expect(panelOf(page)).toContainText(
    'You were already premium, so the payment was added to your balance.',
  )
})

test('an unpaid upgrade is shown as waiting', async ({ page, newcomer, provider: _ }) => {
  await signIn(page, newcomer, '/dashboard/upgrade')
  await page.getByRole('button', { name: 'Upgrade Now' }).click()
  await page.waitForURL(/\/pay\/\d+$/)
  await returnToPortal(page)
  await expect(panelOf(page)).toContainText('Waiting for your payment')
  await expect(page.getByRole('button', { name: 'Upgrade Now' })).toBeVisible()
})

test('a provider failure shows the texts of the specification', async ({ page, newcomer, provider }) => {
  await signIn(page, newcomer, '/dashboard/upgrade')
  await provider.set({ create: { kind: 'error', message: 'Merchant is closed', times: 1 } })
  await page.getByRole('button', { name: 'Upgrade Now' }).click()
  await expect(page.getByRole('alert')).toHaveText('Payment error: Merchant is closed')
})

test('a premium user sees the premium message and a link to the dashboard', async ({ page }) => {
  await signIn(page, demo.paula, '/dashboard/upgrade')
  await expect(page.getByRole('heading', { name: 'You are a Premium User!' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upgrade Now' })).toBeHidden()
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})
