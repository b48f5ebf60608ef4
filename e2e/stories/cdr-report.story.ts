import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { CALLER_ID, expect, LONDON, NEW_YORK, signIn, test } from '../support/calls.ts'

const rowsOf = (page: Page) =>
  page.getByRole('table', { name: 'Your calls, newest first' }).getByRole('row', { name: /^Details of/ })
const totalsOf = (page: Page) => page.getByRole('region', { name: 'Totals' })
const filter = (page: Page) => page.getByRole('button', { name: /^Filter/ })

const busy = { to: NEW_YORK, carriers: [{ code: 486, afterMs: 20, ringAfterMs: null }] }
const failed = { to: NEW_YORK, carriers: [{ code: 503, afterMs: 20, ringAfterMs: null }] }

test('an ended call appears on top of the report without a reload', async ({ page, caller, callEnds }) => {
  await signIn(page, caller)
  await page.getByRole('link', { name: 'CDR Report' }).first().click()
  await expect(page.getByRole('heading', { name: 'CDR Reports' })).toBeVisible()
  await expect(page.getByText('Call Detail Records and Analytics')).toBeVisible()
  await expect(page.getByText('No calls today')).toBeVisible()
  await callEnds({ to: LONDON })

  const row = rowsOf(page).first()
  await expect(row).toContainText(LONDON)
  await expect(row).toContainText(`+${CALLER_ID}`)
  await expect(row).toContainText('Completed')
  await expect(row).toContainText('$0.00')
  await expect(row).toContainText(/\w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}:\d{2} [AP]M/)
  for (const column of ['Date & Time', 'Caller', 'Destination', 'Duration', 'Cost', 'Status'])
    await expect(page.getByRole('columnheader', { name: column })).toBeVisible()
  await expect(totalsOf(page)).toContainText('Calls1')
  await expect(totalsOf(page)).toContainText('Answer rate100.0%')
})

test('completed is green, failed red, busy yellow, other statuses gray', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON }, busy, failed, { to: '+81312345678' })
  await signIn(page, caller, '/dashboard/cdr-report')
  const looks = { Completed: '--success', Failed: '--danger', Busy: '--pending', Refused: '--muted' }
  for (const [status, token] of Object.entries(looks)) {
    const badge = rowsOf(page).getByText(status, { exact: true }).locator('visible=true')
    await expect(badge).toHaveCSS('color', await colourOf(page, token))
  }
})

test('calls are searched and filtered, and the URL keeps the selection', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON }, busy, failed)
  await signIn(page, caller, '/dashboard/cdr-report')
  await expect(rowsOf(page)).toHaveCount(3)
  await page.getByPlaceholder('Search calls...').fill('4420')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(page).toHaveURL(/search=/)
  await expect(totalsOf(page)).toContainText('Calls1')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(rowsOf(page)).toHaveCount(3)

  await filter(page).click()
  await page.getByLabel('Status', { exact: true }).selectOption('Busy')
  await page.getByLabel('Country', { exact: true }).selectOption('United States')
  await page.getByLabel('Maximum duration in seconds').fill('5')
  await page.getByLabel('Maximum cost in dollars').fill('0.10')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('Busy')
  for (const part of ['status=busy', 'country=US', 'max_duration=5', 'max_cost=0.1'])
    expect(page.url()).toContain(part)

  await page.reload()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(filter(page)).toHaveAccessibleName('Filter 4 active')
  await page.getByRole('button', { name: 'Remove Status: Busy' }).click()
  await expect(rowsOf(page)).toHaveCount(2)
  await page.goBack()
  await expect(rowsOf(page)).toHaveCount(1)

  await page.getByPlaceholder('Search calls...').fill('nobody')
  await expect(page.getByText('No matching calls')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(rowsOf(page)).toHaveCount(3)
})

test('a search also matches the caller, in any letter case', async ({ page, caller, callEnds }) => {
  await callEnds({ to: LONDON })
  await signIn(page, caller, '/dashboard/cdr-report')
  await page.getByPlaceholder('Search calls...').fill(`+${CALLER_ID}`.toUpperCase())
  await expect(page).toHaveURL(/search=/)
  await expect(rowsOf(page)).toHaveCount(1)
})

test('an invalid filter shows an error and keeps the input', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/cdr-report')
  await filter(page).click()
  await page.getByLabel('Minimum duration in seconds').fill('90')
  await page.getByLabel('Maximum duration in seconds').fill('10')
  await page.getByLabel('Minimum cost in dollars').fill('much')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('The maximum is less than the minimum.')).toBeVisible()
  await expect(page.getByText('Please enter an amount in dollars, such as 0.50.')).toBeVisible()
  await expect(page.getByLabel('Minimum cost in dollars')).toHaveValue('much')
})

test.describe('in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('periods and times follow the time zone of the viewer', async ({ page, caller, callEnds }) => {
    await callEnds({ to: LONDON })
    await signIn(page, caller)
    const asked = (wanted: (query: URLSearchParams) => boolean) =>
      page.waitForRequest((request) => {
        const { pathname, searchParams } = new URL(request.url())
        return pathname === '/api/cdr' && wanted(searchParams)
      })
    const ago = (query: URLSearchParams, days: number) =>
      Math.abs(Date.now() - days * 86_400_000 - Date.parse(query.get('from') ?? '')) < 60_000
    const today = asked(
      // Midnight in Tokyo is 15:00 UTC.
      (query) => /T15:00:00.000Z$/.test(query.get('from') ?? '') && query.get('timezone') === 'Asia/Tokyo',
    )
    await page.goto('/dashboard/cdr-report')
    await today
    const tokyo = new Date().toLocaleDateString('en-US', { timeZone: 'Asia/Tokyo', dateStyle: 'medium' })
    await expect(rowsOf(page)).toContainText(tokyo)
    await expect(page.getByText('Times in Asia/Tokyo')).toBeVisible()

    const period = page.getByLabel('Period')
    await expect(period.getByRole('option', { selected: true })).toHaveText('Today')
    const week = asked((query) => ago(query, 7) && !query.has('to'))
    await period.selectOption('This Week')
    await week
    const back = new Date()
    const day = back.getDate()
    back.setMonth(back.getMonth() - 1)
    if (back.getDate() !== day) back.setDate(0)
    const month = asked(
      (query) => Math.abs(Date.parse(query.get('from') ?? '') - back.getTime()) < 86_400_000,
    )
    await period.selectOption('This Month')
    await month

    const anytime = asked((query) => !query.has('from') && !query.has('to'))
    await period.selectOption('Custom Range')
    await anytime
    await expect(page).toHaveURL(/period=custom/)
    const days = asked(
      (query) =>
        query.get('from') === '2026-01-01T15:00:00.000Z' && query.get('to') === '2026-01-03T15:00:00.000Z',
    )
    await page.getByLabel('From', { exact: true }).fill('2026-01-02')
    await page.getByLabel('To', { exact: true }).fill('2026-01-03')
    await days
    await expect(page.getByText('No calls on these days')).toBeVisible()
    await page.getByRole('button', { name: 'Show all calls' }).click()
    await expect(rowsOf(page)).toHaveCount(1)
  })
})

test('the details of a call show its price breakdown and its timeline', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({
    to: LONDON,
    carriers: [
      { code: 503, afterMs: 20, ringAfterMs: null },
      { code: 200, afterMs: 50, ringAfterMs: 10 },
    ],
  })
  await signIn(page, caller, '/dashboard/cdr-report')
  await rowsOf(page).first().getByRole('link').click()
  const drawer = page.getByRole('dialog', { name: `Call to ${LONDON}` })
  await expect(drawer).toContainText('Price breakdown')
  await expect(drawer).toContainText('$0.0145 a minute')
  await expect(drawer).toContainText('Cost: $0.00')
  await expect(drawer).toContainText('Carrier 1 answered 503 Service Unavailable.')
  await expect(drawer).toContainText('Answered over Carrier 2.')
  await expect(drawer).toContainText('The caller hung up.')

  await page.reload()
  await expect(drawer).toBeVisible()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(drawer).toBeHidden()
  await expect(page).not.toHaveURL(/call=/)
})

test('older calls are on the next page, and newer ones on the previous page', async ({
  page,
  caller,
  callEnds,
  request,
}) => {
  await callEnds({ to: LONDON })
  // Up to 60 refusals of one kind per minute get their own record.
  const load = { callsPerSecond: 57, seconds: 1, users: [caller.username], numbers: ['+81312345678'] }
  await request.post(`${process.env.TRUNKLINE_STORY_SWITCH_URL}/sandbox/load`, { data: load })
  await signIn(page, caller, '/dashboard/cdr-report')
  await expect(totalsOf(page)).toContainText('Calls58')
  await expect(rowsOf(page)).toHaveCount(50)
  await expect(page.getByRole('button', { name: 'Newer' })).toBeDisabled()
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(rowsOf(page)).toHaveCount(8)
  await expect(rowsOf(page).last()).toContainText(LONDON)
  await expect(page).toHaveURL(/cursor=/)
  await expect(page.getByRole('button', { name: 'Older' })).toBeDisabled()
  await page.reload()
  await expect(rowsOf(page)).toHaveCount(8)
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(rowsOf(page)).toHaveCount(50)
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(rowsOf(page)).toHaveCount(8)
  await page.getByRole('button', { name: 'Newer' }).click()
  await expect(rowsOf(page)).toHaveCount(50)
  await expect(page.getByText('Page 1')).toBeVisible()
})

test('a failed load shows the specified error, and a retry loads the records', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON })
  await signIn(page, caller)
  await page.route('**/api/cdr?*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/dashboard/cdr-report')
  await expect(page.getByRole('alert')).toContainText(
    'Failed to load CDR records. Please check your connection or login status.',
  )
  await expect(page.getByRole('table')).toBeHidden()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rowsOf(page)).toHaveCount(1)
})

test('without a token the report is not shown', async ({ page }) => {
  await page.goto('/dashboard/cdr-report')
  await expect(page).toHaveURL('/login')
})

test('a new customer sees how to make a first call', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/cdr-report?period=custom')
  await expect(page.getByText('No calls yet')).toBeVisible()
  await page.getByRole('link', { name: 'How to connect a phone' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('axe finds nothing in the report, its filters and its details, in both themes, wide and narrow', async ({
  page,
  caller,
  callEnds,
}) => {
  test.slow()
  await callEnds({ to: LONDON }, busy)
  await signIn(page, caller, '/dashboard/cdr-report?period=custom&max_duration=999')
  await expect(rowsOf(page)).toHaveCount(2)
  await filter(page).click()
  await expectNoViolations(page)
  await rowsOf(page).first().getByRole('link').click()
  await expect(page.getByText('Price breakdown')).toBeVisible()
  await expectNoViolations(page)
})

/** The color that a theme token resolves to. */
const colourOf = (page: Page, token: string): Promise<string> =>
  page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(${token})'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })()`)

test('details whose code could not be loaded open at the next try', async ({ page, caller, callEnds }) => {
  await callEnds({ to: LONDON })
  await page.route('**/assets/CallDrawer-*', (route) => route.abort())
  await signIn(page, caller, '/dashboard/cdr-report')
  const details = rowsOf(page).getByRole('link').first()
  await details.click()
  await expect(page.getByText('This could not be loaded. Please try again.')).toHaveCount(1)
  await expect(page).not.toHaveURL(/call=/)
  await page.unroute('**/assets/CallDrawer-*')
  await details.click()
  await expect(page.getByRole('dialog')).toContainText('Call to')
})
