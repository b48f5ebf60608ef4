import type { APIRequestContext } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, demo, expect, signIn, test, toastOf, toppedUp } from '../support/payments.ts'
import type { Person } from '../support/story.ts'

const SETTINGS = '/api/admin/alert-settings'

async function adjust(request: APIRequestContext, who: Person, amount: number): Promise<void> {
  const { user } = await (await request.get('/api/auth/me', { headers: await bearerOf(request, who) })).json()
  const answer = await request.post('/api/admin/balance-adjustments', {
    headers: await bearerOf(request, demo.admin),
    data: { user_id: user.id, amount, reason: 'a story', request_key: crypto.randomUUID() },
  })
  expect(answer.ok()).toBe(true)
}

test('an administrator reads alerts, follows their links, and acknowledges one and then all', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const { id: payment } = await toppedUp(request, newcomer, 600)
  await adjust(request, newcomer, -598)
  // Before the rate limit blocks further attempts.
  const customer = await bearerOf(request, newcomer)
  for (let n = 0; n < 5; n++)
    await request.post('/api/auth/login', { data: { ...newcomer, password: 'a wrong one' } })

  await signIn(page, demo.admin, `/admin-panal/alerts?user=${newcomer.username}`)
  const alerts = page.getByRole('region', { name: 'Alerts' })
  const large = alerts.getByRole('article', { name: /^Large Top-up Alert: A top-up of \$600\.00/ })
  const low = alerts.getByRole('article', { name: /^Low Balance Alert: .* \$2\.00 is left/ })
  const guessed = alerts.getByRole('article', { name: /^Failed Sign-in Alert: 5 sign-ins to the account/ })
  for (const one of [large, low, guessed]) await expect(one).toBeVisible()
  await expect(large.getByRole('link', { name: `Payment ${payment}` })).toHaveAttribute(
    'href',
    new RegExp(`/admin-panal/payments\\?payment=${payment}$`),
  )
  await expectNoViolations(page, 'main')
  await low.getByRole('link', { name: newcomer.username }).click()
  await expect(page).toHaveURL(/\/admin-panal\/users\/\d+$/)
  await page.goBack()

  await page.getByLabel('Type').selectOption('Large Top-up Alert')
  await expect(page).toHaveURL(/topic=large_top_up/)
  await expect(alerts.getByRole('article')).toHaveCount(1)
  const before = await openAlerts(request)
  await large.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(page.getByText('No matching alerts')).toBeVisible()
  // Other stories raise alerts at the same time.
  const openedBefore = async () => {
    const { count, ids } = await openAlerts(request)
    return count - ids.filter((id) => id > Math.max(...before.ids)).length
  }
  await expect.poll(openedBefore).toBeLessThan(before.count)
  await page.getByLabel('Type').selectOption('All types')
  await expect(alerts.getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: 'Acknowledge all shown' }).click()
  await expect(toastOf(page, '2 alerts acknowledged.')).toBeVisible()
  await expect(page.getByText('No matching alerts')).toBeVisible()
  await page.getByLabel('State').selectOption('Acknowledged')
  await expect(low).toContainText('Acknowledged by admin')
  await expect(alerts.getByRole('article')).toHaveCount(3)

  // Customers see only the alerts that concern them.
  const own = await request.get('/api/alerts', { headers: customer })
  const kinds = (await own.json()).alerts.map(({ kind }: { kind: string }) => kind)
  expect(kinds.sort()).toEqual(['failed_sign_ins', 'low_balance'])
})

async function openAlerts(request: APIRequestContext): Promise<{ count: number; ids: number[] }> {
  const headers = await bearerOf(request, demo.admin)
  const { open, alerts } = await (await request.get('/api/admin/alerts', { headers })).json()
  return { count: open, ids: alerts.map(({ id }: { id: number }) => id) }
}

test('an alert is one line that a click or Enter opens to its whole text', async ({
  page,
  request,
  newcomer,
}) => {
  await toppedUp(request, newcomer, 50, { pays: 20 })
  await signIn(page, demo.admin, `/admin-panal/alerts?user=${newcomer.username}`)
  const alert = page.getByRole('article', { name: /^Payment Review Alert/ })
  const height = async () => Math.round((await alert.boundingBox())?.height ?? 0)
  const toggle = alert.getByRole('button', { name: 'Whole text' })

  await page.setViewportSize({ width: 1024, height: 800 })
  await expect.poll(height).toBe(36)
  await alert.click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expect.poll(height).toBeGreaterThan(40)
  await expectNoViolations(page, 'main')
  await toggle.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect.poll(height).toBe(36)

  await page.setViewportSize({ width: 390, height: 844 })
  const folded = await height()
  expect(folded).toBeLessThan(130)
  await toggle.press('Enter')
  await expect.poll(height).toBeGreaterThan(folded)
  await expectNoViolations(page, 'main')
  await toggle.press('Shift+Tab')
  await expect(alert.getByRole('button', { name: 'Acknowledge' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(alert).toHaveCount(0)
})

test('an administrator changes the alert settings; a second one sees the conflict before saving', async ({
  page,
  request,
}) => {
  const headers = await bearerOf(request, demo.admin)
  const read = async () => (await (await request.get(SETTINGS, { headers })).json()).settings
  await signIn(page, demo.admin, '/admin-panal/alerts')
  await page.getByRole('button', { name: 'Alert settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Alert settings' })
  const large = dialog.getByLabel('Large top-up, from ($)')
  await expect(large).toHaveValue('500')
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByLabel('Per account').fill('none')
  await dialog.getByLabel('Recipients').fill('nowhere')
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await expect(dialog.getByText('Please enter a whole number, 1 or more.')).toBeVisible()
  await expect(dialog.getByText('Please enter a valid email address')).toBeVisible()

  const { version } = await read()
  const theirs = await request.patch(SETTINGS, { headers, data: { version, low_balance: 4 } })
  expect(theirs.ok()).toBe(true)
  await dialog.getByLabel('Per account').fill('6')
  await dialog.getByLabel('Recipients').fill('ops@example.com')
  await dialog.getByLabel('Trunk Down Alert').uncheck()
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await expect(dialog.getByText('admin just changed this.')).toBeVisible()
  await expect(dialog.getByLabel('Recipients')).toHaveValue('ops@example.com')
  expect(await read()).toMatchObject({ low_balance: 4, mail_to: [], failed_sign_ins_account: 5 })
  await dialog.getByRole('button', { name: 'Discard my changes' }).click()
  await expect(dialog.getByLabel('Low balance, below ($)')).toHaveValue('4')
  await dialog.getByLabel('Low balance, below ($)').fill('5')
  await dialog.getByLabel('Recipients').fill('ops@example.com')
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await expect(toastOf(page, 'The alert settings were saved.')).toBeVisible()
  const saved = await read()
  expect(saved).toMatchObject({ low_balance: 5, mail_to: ['ops@example.com'], large_top_up: 500 })
  await request.patch(SETTINGS, { headers, data: { version: saved.version, mail_to: [] } })
})
