import type { Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { bearerOf } from '../support/payments.ts'
import { expect, signIn, test } from '../support/story.ts'

const SERVER = 'sip.trunkline.example'

/** Set per customer, because another story changes the address of the service. */
test.beforeEach(async ({ request, newcomer }) => {
  const headers = await bearerOf(request, newcomer)
  const { user } = await (await request.get('/api/auth/me', { headers })).json()
  const admin = await asAdmin(request)
  await admin.send('patch', '/api/admin/user/update', { id: user.id, websiteip: SERVER })
})

async function openGuide(page: Page) {
  await page.getByRole('button', { name: 'Make test Call' }).click()
  const guide = page.getByRole('dialog', { name: 'Make test Call' })
  await expect(guide.getByRole('heading', { name: 'Server settings' })).toBeVisible()
  return guide
}

const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()')

test('a customer copies the settings of a phone', async ({ page, context, newcomer }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, newcomer)
  const guide = await openGuide(page)
  for (const [name, value] of [
    ['server', SERVER],
    ['port', '5060'],
    ['username', newcomer.username],
    ['realm', 'trunkline'],
  ] as const) {
    await guide.getByRole('button', { name: `Copy ${name}`, exact: true }).click()
    await expect.poll(() => clipboard(page)).toBe(value)
  }
  await expect(guide).toContainText('UDP, TCP, TLS')
  await expect(guide).toContainText('No phones registered')
})

test('a SIP password is shown once, also in the examples, until the guide is closed', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer)
  const guide = await openGuide(page)
  await expect(guide).toContainText('YOUR-SIP-PASSWORD')
  await guide.getByRole('button', { name: 'Create SIP password' }).click()
  await expect(guide).toContainText('Copy this password now')
  const password = (await guide.locator('code').first().textContent()) ?? ''
  expect(password).not.toBe('')
  for (const system of ['Asterisk', 'FreePBX', 'FreeSWITCH', '3CX', 'Softphone']) {
    await guide.getByRole('tab', { name: system }).click()
    await expect(guide.getByRole('tabpanel')).toContainText(password)
    await expect(guide.getByRole('tabpanel')).toContainText(SERVER)
    await expect(guide.getByRole('tabpanel')).toContainText(newcomer.username)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Make test Call' })).toBeFocused()
  const again = await openGuide(page)
  await expect(again).not.toContainText(password)
  await expect(again).toContainText('YOUR-SIP-PASSWORD')
})

test('replacing a SIP password asks for confirmation', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  const guide = await openGuide(page)
  await guide.getByRole('button', { name: 'Create SIP password' }).click()
  await expect(guide).toContainText('Copy this password now')
  const first = (await guide.locator('code').first().textContent()) ?? ''
  await guide.getByRole('button', { name: 'Create new SIP password' }).click()
  await expect(guide).toContainText('The old password stops working immediately')
  await guide.getByRole('button', { name: 'Keep current password' }).click()
  await expect(guide.locator('code').first()).toHaveText(first)
  await guide.getByRole('button', { name: 'Create new SIP password' }).click()
  await guide.getByRole('button', { name: 'Replace password' }).click()
  await expect(guide.locator('code').first()).not.toHaveText(first)
})

test('the guide says when the provider has not set a server address', async ({ page, newcomer }) => {
  await page.route('**/api/user/sip', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), server: null } })
  })
  await signIn(page, newcomer)
  const guide = await openGuide(page)
  await expect(guide).toContainText('Your provider has not set the server address yet')
  await expect(guide.getByRole('tabpanel')).toContainText('SERVER-ADDRESS')
})

test('registered phones are listed with device, address and registration time', async ({
  page,
  newcomer,
}) => {
  const registered_at = new Date().toISOString()
  const phone = { contact: 'sip:a@198.51.100.7', address: '198.51.100.7', device: 'Desk phone 9' }
  await page.route('**/api/registrations', (route) =>
    route.fulfill({ json: { registrations: [{ ...phone, registered_at, expires_at: registered_at }] } }),
  )
  await signIn(page, newcomer)
  const listed = (await openGuide(page)).getByRole('listitem').filter({ hasText: 'Desk phone 9' })
  await expect(listed).toContainText('198.51.100.7')
  await expect(listed).toContainText('Since')
})

test('a guide that fails to load shows an error and a retry', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await page.route('**/api/user/sip', (route) => route.fulfill({ status: 400, json: {} }))
  await page.getByRole('button', { name: 'Make test Call' }).click()
  const guide = page.getByRole('dialog', { name: 'Make test Call' })
  await expect(guide.getByRole('alert')).toContainText('The connection settings could not be loaded.')
  await page.unroute('**/api/user/sip')
  await guide.getByRole('button', { name: 'Try again' }).click()
  await expect(guide).toContainText(SERVER)
})
