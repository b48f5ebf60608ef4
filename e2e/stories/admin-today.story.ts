import type { APIRequestContext, Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { demo, expect, LONDON, signIn, test } from '../support/calls.ts'
import { bearerOf, makePromoCode, toppedUp } from '../support/payments.ts'
import { expectAbove, expectLines, expectRowInView, expectTwelveRows } from '../support/rows.ts'
import type { Person } from '../support/story.ts'

const today = (page: Page) => page.getByRole('region', { name: 'Today' })
const figureOf = (page: Page, name: string) =>
  today(page)
    .locator('div', { has: page.getByRole('term').filter({ hasText: name }) })
    .getByRole('definition')
    .getByRole('paragraph')
    .first()

test('the dashboard opens with the figures of today, which follow the calls', async ({
  page,
  request,
  callEnds,
}) => {
  const admin = await asAdmin(request)
  const figures = async () => (await admin.get('/api/admin/dashboard/today')).today
  await signIn(page, demo.admin)
  for (const name of ['Revenue today', 'Margin', 'Top-ups'])
    await expect(figureOf(page, name)).toHaveText(/^-?\$[\d,]+\.\d\d$/)
  await expect(figureOf(page, 'Live calls')).toHaveText(/^[\d,]+$/)
  await expect(today(page).getByText('last week')).toHaveCount(7)

  const before = (await figures()).calls.today
  await callEnds({ to: LONDON })
  await expect.poll(async () => (await figures()).calls.today).toBeGreaterThan(before)
  await expect(figureOf(page, 'Answer rate')).toHaveText(/^[\d.]+%$/)
  await expect(figureOf(page, 'Average call')).toHaveText(/^\d+:\d\d$/)
  await expect(figureOf(page, 'Post-dial delay')).toHaveText(/^[\d.]+ s$/, { timeout: 30_000 })
})

test('figures of today that cannot be loaded can be loaded again', async ({ page }) => {
  await page.route('**/api/admin/dashboard/today*', (route) => route.fulfill({ status: 400, json: {} }))
  await signIn(page, demo.admin)
  await expect(today(page)).toContainText('The figures of today could not be loaded.')
  await page.unrouteAll()
  await today(page).getByRole('button', { name: 'Try again' }).click()
  await expect(figureOf(page, 'Revenue today')).toContainText('$')
})

/** Returns the id. */
async function uploadInvoice(request: APIRequestContext): Promise<number> {
  const admin = await asAdmin(request)
  const { records } = await admin.get('/api/admin/cdr?status=completed&limit=1')
  const [{ trunk_id, destination, started_at, duration, buycost }] = records
  const file = `start time,number,duration,amount\n${[started_at, destination, duration, buycost].join(',')}`
  const data = { trunk_id, name: 'A week of a carrier with a long name', file }
  return (await admin.send('post', '/api/admin/carrier-invoices', data)).invoice.id
}

test('lists of the panel show twelve rows at 1280 x 800, and one at 200 % zoom', async ({
  page,
  request,
  newcomer,
  caller,
  callEnds,
}) => {
  test.slow()
  await callEnds({ to: LONDON })
  // A payment, an alert, a promo code with an audit entry, a ticket, a contact request and an invoice of a carrier.
  await toppedUp(request, newcomer, 600)
  // Its alert has a text that is longer than a line.
  await toppedUp(request, newcomer, 50, { pays: 20 })
  const message = `How much is a number in Germany?\n${'We need forty of them. '.repeat(20)}`
  const question = { name: 'Dana Whitfield', email: 'dana@example.com', message }
  expect((await request.post('/api/contact', { data: question })).ok()).toBe(true)
  const invoice = await uploadInvoice(request)
  await makePromoCode(request, { type: 'percentage', value: 10 })
  const ticket = { subject: 'Echo', message: 'I hear myself.' }
  const headers = await bearerOf(request, newcomer)
  expect((await request.post('/api/support/tickets', { headers, data: ticket })).ok()).toBe(true)
  const number = { callerid: `+1415555${String(Date.now() % 10_000).padStart(4, '0')}` }
  expect((await request.post('/api/user/callerid', { headers, data: number })).ok()).toBe(true)
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, demo.admin)
  const lists = {
    users: 'row',
    calls: 'row',
    payments: 'row',
    'promo-codes': 'row',
    [`support?user=${newcomer.username}`]: 'listitem',
    'support?view=requests': 'listitem',
    'support?view=caller-ids': 'listitem',
    [`alerts?user=${newcomer.username}`]: 'listitem',
    'audit-log?action=promo_code.create': 'listitem',
    'trunks/invoices': 'row',
    [`trunks/invoices/${invoice}?kind=equal`]: 'row',
  } as const
  for (const [list, role] of Object.entries(lists)) {
    await page.goto(`/admin-panal/${list}`)
    const rows = page
      .getByRole('main')
      .getByRole(role)
      .filter({ has: page.getByRole('link') })
    await expectLines(rows, list)
  }
  // Screens with more above their list.
  const idOf = async (person: Person): Promise<number> =>
    (await (await request.get('/api/auth/me', { headers: await bearerOf(request, person) })).json()).user.id
  const [called, paid] = [await idOf(caller), await idOf(newcomer)]
  await page.goto(`/admin-panal/support?user=${newcomer.username}`)
  const tickets = page.getByRole('region', { name: 'Tickets' }).getByRole('listitem')
  await tickets.getByRole('link').first().click()
  await expect(page.getByRole('region', { name: 'Ticket', exact: true })).toContainText('I hear myself.')
  await expectLines(tickets, 'tickets beside an open one')
  for (const [screen, table] of [
    [`users/${called}?tab=calls`, 'List of calls'],
    [`users/${called}?tab=statement`, 'Movements, newest first'],
    [`users/${paid}?tab=payments`, 'List of payments'],
    ['trunks/pricing', /^Prices/],
  ] as const) {
    await page.goto(`/admin-panal/${screen}`)
    const first = page.getByRole('table', { name: table }).locator('tbody tr').first()
    await expect(first).toBeVisible()
    await expectTwelveRows(first, screen)
  }
  await page.goto('/admin-panal/trunks?view=order')
  const order = page.getByRole('list', { name: 'Trunks in the order they are tried' })
  await expectLines(order.getByRole('listitem'), 'failover order')
  await page.goto('/admin-panal/trunks?view=plans')
  await expectLines(page.getByRole('list', { name: 'Plans' }).getByRole('listitem'), 'plans')
  await page.goto('/admin-panal/trunks/routing')
  // The trunks of another rule may be tried last, which opens it.
  await expectLines(page.getByRole('listitem', { name: /^Gold CLI, / }), 'routing rules')
  await page.goto('/admin-panal/trunks/prompts')
  const prompt = page.getByRole('tabpanel').getByRole('listitem').nth(11)
  await expect(prompt).toBeVisible()
  await expectAbove(prompt, 800, 'system prompts')
  await page.goto('/admin-panal/payments?view=reviews')
  const review = page.getByRole('main').locator('li:has(button)').first()
  await expect(review).toBeVisible()
  await expectTwelveRows(review, 'payment reviews')
  for (const tab of ['Tickets', 'Alerts'] as const) {
    await page.goto(`/admin-panal/users/${paid}?tab=${tab.toLowerCase()}`)
    const first = page.getByRole('region', { name: tab }).getByRole('listitem').first()
    await expect(first).toBeVisible()
    await expectTwelveRows(first, `${tab} of a user`)
  }
  await page.goto('/admin-panal')
  const routes = page.getByRole('table', { name: 'All trunks/routes' }).locator('tbody tr')
  await expectLines(routes, 'routes')

  // 200 % zoom of the same screen.
  await page.setViewportSize({ width: 640, height: 400 })
  const zoomed = {
    users: 'tbody tr',
    calls: 'tbody tr',
    payments: 'tbody tr',
    'payments?view=cash': 'tbody tr',
    'promo-codes': 'tbody tr',
    balances: 'tbody tr',
    trunks: 'li:has(a)',
    'trunks?view=plans': 'li',
    'trunks/numbers': 'tbody tr',
    'trunks/pricing': 'tbody tr',
    'trunks/routing': 'li',
    'trunks/prompts': 'li',
    [`support?user=${newcomer.username}`]: '[aria-label=Tickets] li',
    [`alerts?user=${newcomer.username}`]: 'li:has(a)',
    'audit-log': 'li',
    'trunks/invoices': 'tbody tr',
    [`trunks/invoices/${invoice}?kind=equal`]: 'tbody tr',
    'payments?view=reviews': 'li:has(button)',
    'support?view=requests': 'li:has(button)',
    'support?view=caller-ids': 'li:has(button)',
    [`users/${called}?tab=calls`]: '[aria-label="Call records"] tbody tr',
    [`users/${called}?tab=statement`]: 'tbody tr',
    [`users/${paid}?tab=payments`]: 'tbody tr',
    [`users/${paid}?tab=limits`]: 'tbody tr',
    [`users/${paid}?tab=phones`]: 'dl > div >> nth=1',
    [`users/${paid}?tab=sessions`]: '[aria-label=Sessions] li',
    [`users/${paid}?tab=tickets`]: '[aria-label=Tickets] li',
    [`users/${paid}?tab=alerts`]: '[aria-label=Alerts] li',
  }
  for (const [list, row] of Object.entries(zoomed)) {
    await page.goto(`/admin-panal/${list}`)
    const first = page.getByRole('main').locator(row).first()
    await expect(first).toBeVisible()
    await expectRowInView(first, list)
  }
})

test('the cash view shows what was received, paid out and earned by month', async ({ page, callEnds }) => {
  await callEnds({ to: LONDON })
  await signIn(page, demo.admin)
  await page.getByRole('link', { name: 'All Payments' }).first().click()
  await page.getByRole('tab', { name: 'Cash' }).click()
  await expect(page).toHaveURL('/admin-panal/payments?view=cash')
  const cash = page.getByRole('table', { name: 'Cash by month' })
  await expect(cash.getByRole('row')).toHaveCount(13)
  await expect(cash.getByRole('columnheader')).toHaveText([
    'Month',
    'Top-ups',
    'Upgrades',
    'Paid out',
    'Call revenue',
    'Carrier cost',
    'Call margin',
  ])
  await expect(cash.getByRole('row').nth(1)).toContainText(/\$\d+\.\d\d/)
  await expect(page.getByText('Owed to customers now')).toBeVisible()
  await expectNoViolations(page)
})
