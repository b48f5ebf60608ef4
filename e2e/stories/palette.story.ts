import type { Locator, Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { demo, expect, heldAnswer, signIn, test } from '../support/story.ts'

/** With motion, as most users see it. */
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' })
const hint = (page: Page) => page.getByRole('banner').getByRole('button', { name: /Go to/ })

async function choose(page: Page, words: string, name: string | RegExp) {
  await expect(hint(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(words)
  await expect(palette(page).getByRole('option', { name, exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
}

/** The palette may still be closing when the first key is pressed. */
const closeByKey = (page: Page, dialog: Locator) =>
  expect(async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden({ timeout: 1_000 })
  }).toPass()

test('the palette reaches every screen by keyboard', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  for (const [name, path] of [
    ['Profile', '/dashboard/profile'],
    ['Trunks', '/dashboard/trunks'],
    ['Numbers', '/dashboard/numbers'],
    ['Flows', '/dashboard/flows'],
    ['Voicemail', '/dashboard/voicemail'],
    ['CDR Report', '/dashboard/cdr-report'],
    ['Support', '/dashboard/support'],
    ['Top Up', '/dashboard/topup'],
    ['Statement', '/dashboard/statement'],
    ['Upgrade', '/dashboard/upgrade'],
    ['Home', '/dashboard'],
  ] as const) {
    await choose(page, name, name)
    await expect(page).toHaveURL((url) => url.pathname === path)
  }
})

test('the palette keeps its input while a slow screen loads behind it', async ({ page, newcomer }) => {
  const { answer } = await heldAnswer(page, /assets\/Profile-.*\.js$/)
  await signIn(page, newcomer)
  await choose(page, 'Profile', 'Profile')
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('tru')
  answer()
  await expect(page.getByText('Company', { exact: true })).toBeAttached()
  await page.keyboard.type('nks')
  await expect(palette(page).getByRole('combobox')).toHaveValue('trunks')
})

test('the palette keeps keys that are typed while it loads', async ({ page, newcomer }) => {
  const { asked, answer } = await heldAnswer(page, /assets\/Palette-.*\.js$/)
  await signIn(page, newcomer)
  await expect(hint(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  await asked
  await page.keyboard.type('trux')
  await page.keyboard.press('Backspace')
  await expect(palette(page)).toBeHidden()
  answer()
  const input = palette(page).getByRole('combobox')
  await expect(input).toHaveValue('tru')
  await page.keyboard.type('nks')
  await expect(input).toHaveValue('trunks')
  await closeByKey(page, palette(page))

  // An opening without keys starts empty.
  await page.keyboard.press('Control+k')
  await expect(input).toHaveValue('')
})

test('an administrator types a screen and Enter while the palette loads; Escape closes it unseen', async ({
  page,
}) => {
  const { asked, answer } = await heldAnswer(page, /assets\/Palette-.*\.js$/)
  await signIn(page, demo.admin)
  await expect(hint(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  await asked
  await page.keyboard.type('calls')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('audit log')
  await page.keyboard.press('Enter')
  answer()
  await expect(page).toHaveURL('/admin-panal/audit-log')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the palette reaches the parts of the profile and a new ticket', async ({ page, newcomer }) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await signIn(page, newcomer)
  for (const [words, name, hash, card] of [
    ['spend', 'Call limits', '#limits', 'Call limits'],
    ['refused', 'Alerts', '#alerts', 'Alerts'],
    ['devices', 'Active sessions', '#sessions', 'Active sessions'],
    ['change pass', 'Change password', '#password', 'Change password'],
  ] as const) {
    await choose(page, words, name)
    await expect(page).toHaveURL((url) => url.pathname === '/dashboard/profile' && url.hash === hash)
    await expect(page.getByRole('region', { name: card, exact: true })).toBeInViewport()
  }
  await choose(page, 'credentials', 'SIP password')
  const guide = page.getByRole('dialog', { name: 'Connect a phone' })
  await expect(guide.getByRole('button', { name: 'Create SIP password' })).toBeVisible()
  await closeByKey(page, guide)
  await choose(page, 'problem', 'Open a ticket')
  await expect(page.getByRole('form', { name: 'New ticket' })).toBeVisible()
})

test('the palette runs actions', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/support')
  await choose(page, 'caller', 'Set Caller ID')
  await expect(page.getByRole('region', { name: 'Caller ID' }).getByRole('textbox')).toBeFocused()
  await choose(page, 'asterisk', 'Connect a phone')
  const guide = page.getByRole('dialog', { name: 'Connect a phone' })
  await expect(guide).toBeVisible()
  await closeByKey(page, guide)
  await choose(page, 'light', 'Switch to light theme')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await choose(page, '442079', /Search all calls for “442079”/)
  await expect(page).toHaveURL(/\/dashboard\/cdr-report\?.*442079/)
  await choose(page, 'logout', 'Logout')
  await expect(page).toHaveURL('/')
})

test('the header opens the palette, and Escape returns the focus', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await expect(hint(page)).toContainText('Ctrl K')
  await hint(page).click()
  await expect(palette(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await expect(hint(page)).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(hint(page)).toBeHidden()
})

test('only administrators find the Admin Panel in the palette', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await hint(page).click()
  await palette(page).getByRole('combobox').fill('admin')
  await expect(palette(page).getByRole('option', { name: 'Admin Panel' })).toHaveCount(0)
  await page.evaluate(() => localStorage.clear())
  await signIn(page, demo.admin, '/dashboard')
  await expect(page.getByRole('link', { name: 'Admin Panel' })).toBeVisible()
  await choose(page, 'admin', 'Admin Panel')
  await expect(page).toHaveURL('/admin-panal')
})

test('the sidebar shows the connection status', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar).toContainText('Connected')
  await expect(sidebar).toContainText('Live updates')
  await page.route('**/api/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Refresh Balance' }).click()
  await expect(sidebar).toContainText('Disconnected')
  await page.unroute('**/api/**')
  await expect(sidebar).toContainText('Connected')
})

const adminPalette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })

async function search(page: Page, words: string) {
  await page.keyboard.press('Control+k')
  await adminPalette(page).getByRole('combobox').fill(words)
}

test('an administrator finds a user, a carrier, a route, a code and a ticket, and each opens', async ({
  page,
  request,
  newcomer,
}) => {
  const admin = await asAdmin(request)
  const code = `STORY-${newcomer.username.toUpperCase()}`
  await admin.send('post', '/api/admin/promo-codes', { code, type: 'account_credit', value: 5 })
  const login = await request.post('/api/auth/login', { data: newcomer })
  const headers = { authorization: `Bearer ${(await login.json()).token}` }
  const subject = `Echo for ${newcomer.username}`
  const opened = await request.post('/api/support/tickets', {
    headers,
    data: { subject, message: 'I hear myself.' },
  })
  expect(opened.ok()).toBe(true)
  await signIn(page, demo.admin, '/admin-panal')
  await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible()
  const results = adminPalette(page).getByRole('option')

  await search(page, newcomer.username)
  await expect(adminPalette(page).getByRole('group', { name: 'Users' })).toContainText(newcomer.username)
  await expect(adminPalette(page).getByRole('group', { name: 'Tickets' })).toContainText(subject)
  await expect(results.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin-panal\/users\/\d+$/)
  await expect(page.getByRole('heading', { name: newcomer.username })).toBeVisible()

  await search(page, subject)
  await expect(adminPalette(page).getByRole('group', { name: 'Tickets' })).toContainText(subject)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin-panal\/support\?ticket=\d+/)
  await expect(page.getByText('I hear myself.')).toBeVisible()

  await search(page, 'Rheinfunk Frankfurt')
  await expect(adminPalette(page).getByRole('group', { name: 'Carriers' })).toContainText('Rheinfunk')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Carriers' }).getByRole('listitem').first()).toContainText(
    'Rheinfunk Frankfurt',
  )

  await search(page, 'Japan Gold CLI')
  await expect(adminPalette(page).getByRole('group', { name: 'Routes' })).toContainText('Japan Gold CLI')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Edit')
  await page.keyboard.press('Escape')

  await search(page, code.toLowerCase())
  await expect(adminPalette(page).getByRole('group', { name: 'Promo codes' })).toContainText(code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText(code)
})

test('the palette never shows an answer for earlier text, and a failed search can be repeated', async ({
  page,
  newcomer,
}) => {
  await signIn(page, demo.admin, '/admin-panal')
  await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible()
  const slow = await heldAnswer(page, /api\/admin\/search\?q=Meridian$/)
  await search(page, 'Meridian')
  await slow.asked
  await expect(adminPalette(page).getByRole('status')).toHaveText('Searching…')
  await adminPalette(page).getByRole('combobox').fill(newcomer.username)
  await expect(adminPalette(page).getByRole('option', { name: newcomer.username }).first()).toBeVisible()
  slow.answer()
  await expect(adminPalette(page).getByRole('group', { name: 'Carriers' })).toHaveCount(0)

  await page.route(/api\/admin\/search/, (route) => route.fulfill({ status: 500, body: '{}' }))
  await adminPalette(page).getByRole('combobox').fill('Albion')
  await expect(adminPalette(page).getByRole('status')).toContainText('The search failed.')
  await page.unroute(/api\/admin\/search/)
  await adminPalette(page).getByRole('button', { name: 'Try again' }).click()
  await expect(adminPalette(page).getByRole('group', { name: 'Carriers' })).toContainText('Albion London')
})
