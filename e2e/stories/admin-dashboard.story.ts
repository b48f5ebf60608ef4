import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { bearerOf, demo, expect, LONDON, LONDON_AS_SHOWN, placeCall, signIn, test } from '../support/calls.ts'
import { heldAnswer } from '../support/story.ts'

const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })
const cardOf = (page: Page, name: string) =>
  summary(page).locator('div', { has: page.getByRole('term').filter({ hasText: name }) })
const liveTable = (page: Page) => page.getByRole('table', { name: 'Live calls of all customers' })
const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Alerts/ })

test('the summary shows ... while loading, then the figures of the ledger, or an error', async ({
  page,
  request,
}) => {
  // Other stories can only increase these figures.
  const admin = await asAdmin(request)
  const figures = async (): Promise<number[]> => {
    const { total_credit } = await admin.get('/api/total-payments')
    const { count } = await admin.get('/api/successful-payments')
    const { total_users, active_users } = await admin.get('/api/user-stats')
    return [Math.floor(total_credit * 100) / 100, count, total_users, active_users]
  }
  const least = await figures()
  const { answer } = await heldAnswer(page, /\/api\/(total-payments|successful-payments|user-stats)/)
  await signIn(page, demo.admin)
  for (const name of ['Total Payments', 'Successful', 'Total Users', 'Active Users'])
    await expect(cardOf(page, name).getByText('...', { exact: true })).toBeVisible()
  answer()
  await expect(summary(page).getByText('...', { exact: true })).toHaveCount(0)
  const shown = await summary(page).getByRole('paragraph').allTextContents()
  expect(shown).toEqual([
    expect.stringMatching(/^\$\d+\.\d\d$/),
    ...Array(3).fill(expect.stringMatching(/^[\d,]+$/)),
  ])
  const most = await figures()
  for (const [index, text] of shown.entries()) {
    const figure = Number(text.replace(/[$,]/g, ''))
    expect(figure).toBeGreaterThanOrEqual(least[index] ?? Number.NaN)
    expect(figure).toBeLessThanOrEqual(most[index] ?? Number.NaN)
  }
  await page.unrouteAll({ behavior: 'wait' })

  await page.route('**/api/total-payments', (route) => route.fulfill({ status: 400, json: {} }))
  await page.reload()
  await expect(cardOf(page, 'Total Payments')).toContainText('Could not load')
  await expect(cardOf(page, 'Total Users')).toContainText(/\d/)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Load Total Payments again' }).click()
  await expect(cardOf(page, 'Total Payments')).toContainText('$')
})

test('the top bar shows the role and the number of open alerts, and links to them', async ({
  page,
  request,
  caller,
  callEnds,
}) => {
  const admin = await asAdmin(request)
  const { user } = await (
    await request.get('/api/auth/me', { headers: await bearerOf(request, caller) })
  ).json()
  await admin.send('patch', `/api/admin/users/${user.id}/guards`, { max_price: 0.0001 })
  await callEnds({ to: LONDON })
  await signIn(page, demo.admin)
  await expect(page.getByRole('banner').getByText('Administrator')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
  const open = async () => (await admin.get('/api/admin/alerts?limit=1')).open as number
  // The record of a refused call appears shortly before its alert.
  const own = async () => (await admin.get(`/api/admin/alerts?user=${user.id}`)).alerts
  await expect.poll(async () => (await own()).length).toBeGreaterThan(0)
  const agrees = () =>
    expect(async () => {
      const now = await open()
      await expect(bell(page)).toHaveAccessibleName(`Alerts, ${now} open`, { timeout: 500 })
      await expect(bell(page)).toHaveText(now > 99 ? '99+' : String(now), { timeout: 500 })
    }).toPass({ timeout: 90_000 })
  await agrees()
  const [alert] = await own()
  await admin.send('post', `/api/admin/alerts/${alert.id}/acknowledge`)
  await agrees()
  await bell(page).click()
  await expect(page).toHaveURL('/admin-panal/alerts')
})

test('an administrator sets the website IP; a second one sees the conflict before saving', async ({
  page,
  request,
  newcomer,
}) => {
  const other = await asAdmin(request)
  await other.send('post', '/api/admin/websiteip', { websiteip: '198.51.100.4' })
  await signIn(page, demo.admin)
  const open = () => page.getByRole('button', { name: 'Add/Update Website IP' }).first().click()
  await open()
  const dialog = page.getByRole('dialog', { name: 'Add/Update Website IP' })
  await expect(dialog).toContainText('Current: 198.51.100.4')
  const field = dialog.getByLabel('New address')
  const save = dialog.getByRole('button', { name: 'Save' })
  for (const wrong of ['', '1.2.3', '300.1.1.1', 'not an address']) {
    await field.fill(wrong)
    await save.click()
    await expect(dialog.getByText('Please enter an IP address or a hostname.')).toBeVisible()
  }
  await field.fill('198.51.100.5')
  await page.route('**/api/admin/websiteip', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await save.click()
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to update Website IP' })
  await expect(failed).toBeVisible()
  await expect(field).toHaveValue('198.51.100.5')
  await page.unrouteAll()
  await page.route('**/api/admin/websiteip', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await save.click()
  await expect(failed.filter({ hasText: 'Unable to connect' })).toBeVisible()
  await page.unrouteAll()

  await other.send('post', '/api/admin/websiteip', { websiteip: '198.51.100.6' })
  await save.click()
  await expect(dialog).toContainText('Someone else just changed this.')
  await expect(dialog).toContainText('Current: 198.51.100.6')
  await expect(field).toHaveValue('198.51.100.5')
  await save.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Website IP updated successfully!' })).toBeVisible()
  await expect(dialog).toBeHidden()
  const me = await (await request.get('/api/auth/me', { headers: await bearerOf(request, newcomer) })).json()
  expect(me.user.websiteip).toBe('198.51.100.5')
})

test('an administrator sees the live calls of all customers and ends one', async ({
  page,
  request,
  caller,
}) => {
  await placeCall(request, caller.username)
  await signIn(page, demo.admin)
  const row = liveTable(page).getByRole('row').filter({ hasText: caller.username })
  for (const cell of [LONDON, 'United Kingdom', 'Answered', 'Albion London'])
    await expect(row).toContainText(cell)
  // The counter runs; its exact value depends on the load of the machine.
  await expect(row).toContainText(/\d:(0[1-9]|[1-5]\d)/)
  await expect(row).toContainText(/\$0\.\d*[1-9]/)
  await expect(row.getByRole('link', { name: caller.username })).toHaveAttribute('href', /\/users\/\d+$/)
  await row.getByRole('button', { name: `Hang up ${LONDON_AS_SHOWN}` }).click()
  const asking = page.getByRole('dialog', { name: 'Hang up this call?' })
  await expect(asking).toContainText(`the call of ${caller.username} to ${LONDON_AS_SHOWN}`)
  await asking.getByLabel('Reason').fill(`asked by ${caller.username}`)
  await asking.getByRole('button', { name: 'Hang up', exact: true }).click()
  // An open dialog hides the rows behind it.
  await expect(asking).toBeHidden()
  await expect(row).toBeHidden()
  const admin = await asAdmin(request)
  const entries = async () => JSON.stringify(await admin.get('/api/admin/audit-log?limit=100'))
  await expect.poll(entries).toContain(`asked by ${caller.username}`)
})

test('new payments appear on the dashboard, and quick actions open their screens', async ({
  page,
  request,
  newcomer,
}) => {
  const headers = await bearerOf(request, newcomer)
  await signIn(page, demo.admin)
  const recent = page.getByRole('region', { name: 'Recent Payments' })
  // Only the newest are shown, and other stories create payments too.
  await expect(async () => {
    expect((await request.post('/api/topup', { headers, data: { amount: 12.34 } })).ok()).toBe(true)
    const own = recent.getByRole('listitem').filter({ hasText: newcomer.username }).first()
    await expect(own).toContainText('$12.34', { timeout: 15_000 })
  }).toPass()
  // Every state is shown as one of the three statuses.
  await page.route(/\/api\/admin\/payments\?limit=/, async (route) => {
    const response = await route.fetch()
    const { payments, ...rest } = await response.json()
    const expired = payments.map((payment: object) => ({ ...payment, state: 'expired' }))
    await route.fulfill({ response, json: { ...rest, payments: expired } })
  })
  await page.reload()
  await expect(recent.getByRole('listitem').first()).toContainText('Failed')
  await page.unrouteAll()
  const actions = page.getByRole('region', { name: 'Quick Actions' })
  const follow = async (name: string, address: RegExp) => {
    await actions.getByRole('link', { name }).click()
    await expect(page).toHaveURL(address)
  }
  await follow('Process Refund', /\/admin-panal\/payments\?refundable=1/)
  await page.goBack()
  await follow('Generate Promo Code', /\/admin-panal\/promo-codes\?new=1/)
  await page.goBack()
  await follow('View Analytics', /\/admin-panal#analytics$/)
  await expect(page.getByRole('heading', { name: 'Analytics' })).toBeInViewport()
  await recent.getByRole('link', { name: 'All Payments' }).click()
  await expect(page).toHaveURL('/admin-panal/payments')
})

test('reports are exported for a period', async ({ page, request, caller, callEnds }) => {
  await callEnds({ to: LONDON })
  const headers = await bearerOf(request, caller)
  expect((await request.post('/api/topup', { headers, data: { amount: 21.43 } })).ok()).toBe(true)
  await signIn(page, demo.admin)
  await page.getByRole('button', { name: 'Export Reports' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export Reports' })
  const download = async () => {
    const arrives = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download CSV' }).click()
    const file = await arrives
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const payments = await download()
  expect(payments.name).toBe('payments.csv')
  expect(payments.text).toContain(caller.username)
  expect(payments.text).toContain('21.43')

  await dialog.getByLabel('Call records').check()
  await dialog.getByLabel('Period').selectOption('Last 7 days')
  const calls = await download()
  expect(calls.name).toBe('call_records.csv')
  expect(calls.text).toContain(caller.username)
  await dialog.getByLabel('Period').selectOption('Custom range')
  await dialog.getByLabel('From', { exact: true }).fill('2020-01-01')
  await dialog.getByLabel('To', { exact: true }).fill('2020-01-02')
  expect((await download()).text).not.toContain(caller.username)
  await dialog.getByLabel('From', { exact: true }).fill('2020-01-03')
  await expect(dialog.getByText('The end date is before the start date.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
})

test('the charts show real calls of the selected period', async ({ page, request, callEnds }) => {
  await callEnds(
    { to: LONDON, talkMs: 2_000 },
    { to: LONDON, carriers: [{ code: 503 }, { code: 200, afterMs: 50 }] },
  )
  await signIn(page, demo.admin)
  const rows = (name: string) => page.getByRole('table', { name, exact: true }).locator('tbody tr')
  const ranked = (name: string) => rows(`${name}, in order`)
  await expect(rows('Revenue and margin by day')).toHaveCount(30)
  await expect(rows('Calls and answer rate (24h)')).toHaveCount(24)
  const business = async (days: number) =>
    (await (await asAdmin(request)).get(`/api/admin/dashboard/business?days=${days}`)).business
  const { top_countries } = await business(7)
  await page.getByRole('button', { name: '7 days' }).click()
  await expect(page).toHaveURL(/days=7/)
  await expect(rows('Revenue and margin by day')).toHaveCount(7)
  await expect(page.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(rows('Revenue and margin by day')).toHaveCount(7)
  for (const { country } of top_countries)
    await expect(ranked('Top countries').filter({ hasText: country })).toBeVisible()
  await expect(ranked('Top customers').first()).toContainText('$')
  await expect(ranked('Failing trunks').filter({ hasText: 'Albion London' })).toContainText(/\d+(\.\d)?%/)

  const chart = page.getByRole('img', { name: /^Revenue and margin by day chart/ })
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText(/: \$\d+\.\d\d revenue, \$\d+\.\d\d margin, \d+ calls?/)).toBeVisible()

  await page.route('**/api/admin/dashboard/business**', (route) => route.fulfill({ status: 400, json: {} }))
  await page.reload()
  await expect(page.getByText('These figures could not be loaded.').first()).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('region', { name: 'Top countries' }).getByRole('button', { name: 'Try again' }).click()
  await expect(ranked('Top countries').first()).toBeVisible()

  // A figure leads to the calls behind it.
  await ranked('Top countries').getByRole('link', { name: 'United Kingdom' }).click()
  await expect(page).toHaveURL(/\/admin-panal\/calls\?.*country=GB/)
  await expect(page.getByRole('row').filter({ hasText: LONDON }).first()).toBeVisible()
  await page.goBack()
  await ranked('Failing trunks').getByRole('link', { name: 'Albion London' }).click()
  await expect(page).toHaveURL(/\/admin-panal\/calls\?.*trunk=\d+&status=failed/)
})

test('an administrator searches all calls, filters by user and opens a call', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON, talkMs: 2_000 })
  await signIn(page, demo.admin)
  await page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Calls' }).click()
  await expect(page.getByRole('heading', { name: 'Calls', level: 1 })).toBeVisible()
  const table = page.getByRole('table', { name: 'Calls of all customers, newest first' })
  await expect(table.getByRole('columnheader')).toHaveText([
    ...['Date & Time', 'User', 'Caller', 'Destination', 'Carrier'],
    ...['Duration', 'Cost', 'Margin', 'SIP code', 'Status'],
  ])
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('2079460958')
  await expect(page).toHaveURL(/search=/)
  await table.getByRole('link', { name: caller.username }).first().click()
  await expect(page).toHaveURL(/user=\d+/)
  await expect(table.locator('tbody tr')).toHaveCount(1)
  await page.getByRole('link', { name: /^Details of the call/ }).click()
  const drawer = page.getByRole('dialog', { name: /^Call to/ })
  for (const fact of ['Carrier cost', 'Margin', 'Albion London', caller.username])
    await expect(drawer).toContainText(fact)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Remove User: ${caller.username}` }).click()
  await expect(page).not.toHaveURL(/user=/)
})

test('the palette reaches every tab and every action', async ({ page }) => {
  await signIn(page, demo.admin)
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const choose = async (words: string, option: string) => {
    await expect(page.getByRole('button', { name: /Go to/ })).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.type(words)
    await expect(palette.getByRole('option', { name: option, exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await page.keyboard.press('Enter')
    await expect(palette).toBeHidden()
  }
  await choose('audit', 'Audit Log')
  await expect(page).toHaveURL('/admin-panal/audit-log')
  await choose('add trunk', 'Add Trunk/Route')
  await expect(page.getByRole('dialog', { name: 'Add Trunk/Route' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/admin-panal')
  await choose('website', 'Add/Update Website IP')
  await expect(page.getByRole('dialog', { name: 'Add/Update Website IP' })).toBeVisible()
  await page.keyboard.press('Escape')
  await choose('promo gen', 'Generate Promo Code')
  await expect(page).toHaveURL(/promo-codes\?new=1/)
  await expect(page.getByRole('dialog', { name: 'New promo code' })).toBeVisible()
  await page.keyboard.press('Escape')
  // A number that no story calls, because a live call would be listed first.
  await choose('+4930', 'Search all calls for “+4930”')
  await expect(page).toHaveURL(/\/admin-panal\/calls\?.*4930/)
})

test('the top bar names the administrator in every size of the window', async ({ page }) => {
  await signIn(page, demo.admin)
  const label = page.getByText('Administrator', { exact: true }).filter({ visible: true })
  for (const [width, height] of [
    [1280, 800],
    [700, 400],
    [700, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(label, `${width} x ${height}`).toHaveCount(1)
  }
})
