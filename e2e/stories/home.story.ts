import type { Page } from '@playwright/test'
import {
  answerCall,
  bearerOf,
  demo,
  expect,
  LONDON,
  LONDON_AS_SHOWN,
  NEW_YORK,
  placeCall,
  signIn,
  test,
} from '../support/calls.ts'

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rowTo = (page: Page, number: string) =>
  region(page, 'Live call details').getByRole('row').filter({ hasText: number })

/** Rings until the story answers it. */
const ringing = { carriers: [{ code: 200, afterMs: null, ringAfterMs: 10 }] }

test.describe('live calls', () => {
  test('a call rings, is answered, costs money and is hung up, all without a reload', async ({
    page,
    request,
    caller,
  }) => {
    await signIn(page, caller)
    const balance = region(page, 'Account Balance')
    await expect(balance).toContainText('$20.00')
    await expect(region(page, 'Live Calls')).toContainText('No active calls')
    const call = await placeCall(request, caller.username, ringing)

    const row = rowTo(page, LONDON)
    await expect(row).toContainText('Ringing')
    await expect(row).toContainText('United Kingdom')
    await expect(row).toContainText(caller.username)
    await expect(region(page, 'Live call details')).toHaveCSS('max-height', '300px')
    await expect(region(page, 'Active Calls')).toContainText('1')
    await expect(page.getByRole('link', { name: 'Home 1 live call' })).toBeVisible()

    await answerCall(request, call)
    await expect(row).toContainText('Answered')
    await expect(row).toContainText(/\d:(0[2-9]|[1-5]\d)/)
    await expect(row).toContainText(/\$0\.\d*[1-9]/)
    await page.getByRole('button', { name: 'Refresh Balance' }).click()
    await expect(balance).toContainText(/\$\d+\.\d\d held for live calls, \$19\.\d\d available/)

    await row.getByRole('button', { name: `Hang up ${LONDON_AS_SHOWN}` }).click()
    const question = page.getByRole('dialog', { name: 'Hang up this call?' })
    await question.getByRole('button', { name: 'Keep talking' }).click()
    await expect(row).toContainText('Answered')
    await row.getByRole('button', { name: `Hang up ${LONDON_AS_SHOWN}` }).click()
    await question.getByRole('button', { name: 'Hang up' }).click()
    await expect(region(page, 'Live Calls')).toContainText('No active calls')
    // The cost depends on how fast the machine is.
    await expect(balance).toContainText(/\$19\.\d\d/)
    await expect(balance).not.toContainText('held for live calls')
    await expect(region(page, 'Active Calls')).toContainText('Total calls1')
    await expect(page.getByText('1 call, 1 completed')).toBeVisible()
  })

  test('a ringing call is hung up without a confirmation', async ({ page, request, caller }) => {
    await signIn(page, caller)
    await placeCall(request, caller.username, { to: NEW_YORK, ...ringing })
    await rowTo(page, NEW_YORK).getByRole('button', { name: 'Hang up +1 212 555 0123' }).click()
    await expect(region(page, 'Live Calls')).toContainText('No active calls')
  })

  test('are polled every five seconds while the event stream is down', async ({ page, request, caller }) => {
    await page.route('**/api/live-calls/stream*', (route) => route.fulfill({ status: 503, body: '{}' }))
    await signIn(page, caller)
    await expect(page.getByText('Updates every 5 seconds')).toBeVisible()
    await placeCall(request, caller.username)
    await expect(rowTo(page, LONDON)).toContainText('Answered')
    // The list ends at 1000 calls, the count does not.
    await page.route('**/api/live-calls', (route) => route.fulfill({ json: { liveCalls: 1234 } }))
    await expect(region(page, 'Active Calls')).toContainText('1234')
    await page.unroute('**/api/live-calls')
    await page.unroute('**/api/live-calls/stream*')
    await expect(page.getByText('Live updates')).toBeVisible()
  })

  test('become empty without an error when they cannot be loaded', async ({ page, request, caller }) => {
    await placeCall(request, caller.username)
    await page.route('**/api/live-calls**', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.route('**/api/live-calls/**', (route) => route.fulfill({ status: 500, body: '{}' }))
    await signIn(page, caller)
    await expect(page.getByText('Live updates unavailable')).toBeVisible()
    await expect(region(page, 'Live Calls')).toContainText('No active calls')
    await expect(region(page, 'Active Calls')).toContainText('0')
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test.describe('the caller ID', () => {
  const INVALID = 'Please enter a valid phone number (country code + number, 7-16 digits)'

  test('is not set, is set, is changed, and reverts on Cancel', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    const card = region(page, 'Caller ID')
    await expect(card).toContainText('Not Set')
    await card.getByRole('button', { name: 'Set Caller ID' }).click()
    const input = card.getByRole('textbox')
    await expect(input).toBeFocused()
    await input.pressSequentially('+1 (23) x')
    await expect(input).toHaveValue('123')
    await card.getByRole('button', { name: 'Save' }).click()
    await expect(card.getByRole('alert')).toHaveText(INVALID)
    await expect(input).toHaveValue('123')

    await input.fill('12345678901234567890')
    await expect(input).toHaveValue('1234567890123456')
    await expect(card.getByRole('alert')).toHaveCount(0)
    await input.fill('+44 20 7946 0958')
    await page.keyboard.press('Enter')
    await expect(card).toContainText('+442079460958')
    await page.reload()
    await expect(card).toContainText('+442079460958')

    await card.getByRole('button', { name: 'Change' }).click()
    await expect(input).toHaveValue('442079460958')
    await input.fill('1')
    await card.getByRole('button', { name: 'Cancel' }).click()
    await expect(card).toContainText('+442079460958')
    await expect(card.getByRole('button', { name: 'Change' })).toBeFocused()
  })

  test('that cannot be saved shows the reason and keeps the input', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    await page.route('**/api/user/callerid', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Out for lunch.' } } })
        : route.continue(),
    )
    const card = region(page, 'Caller ID')
    await card.getByRole('button', { name: 'Set Caller ID' }).click()
    await card.getByRole('textbox').fill('442079460958')
    await card.getByRole('button', { name: 'Save' }).click()
    const said = page.getByRole('alert').filter({ hasText: 'Failed to update Caller ID on server.' })
    await expect(said).toHaveText(/Failed to update Caller ID on server\.\s+Out for lunch\./)
    await expect(card.getByRole('textbox')).toHaveValue('442079460958')
    await said.getByRole('button', { name: 'Dismiss' }).click()
    await page.route('**/api/user/callerid', (route) => route.fulfill({ status: 500, json: {} }))
    await card.getByRole('button', { name: 'Save' }).click()
    await expect(said).toContainText('Failed to update caller ID')
  })
})

test.describe('the charts', () => {
  test('show real calls and have a table for screen readers', async ({ page, caller, callEnds }) => {
    await callEnds({ to: LONDON }, { to: LONDON, carriers: [{ code: 486, afterMs: 50 }] })
    await signIn(page, caller)
    const rowsOf = (name: string) => page.getByRole('table', { name }).getByRole('row')
    await expect(rowsOf('Call Volume (24h)')).toHaveCount(25)
    // The hour may change while the story runs.
    await expect(rowsOf('Call Volume (24h)').filter({ hasText: /[12][01]$/ })).not.toHaveCount(0)
    await expect(region(page, 'Call Volume (24h)')).toContainText('2 calls, 1 completed')
    await expect(rowsOf('Trunk Usage').last()).toHaveText(/Gold CLI2100.0%$/)
    await expect(rowsOf('Monthly Usage')).toHaveCount(13)
    await expect(rowsOf('Cost by day (30 days)')).toHaveCount(31)
    await expect(region(page, 'Cost by day (30 days)')).toContainText(/\$0\.\d\d this month/)
    await expect(rowsOf('Countries (30 days), in order').last()).toHaveText(/^United Kingdom250\.0%/)

    const readout = region(page, 'Monthly Usage').getByText(' min, ')
    await expect(readout).toContainText('2 calls')
    await page.getByRole('img', { name: /^Monthly Usage/ }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(readout).toContainText('0 calls')
  })

  test('show an empty state without recent calls', async ({ page, caller, callEnds }) => {
    await callEnds({ to: LONDON })
    // The only call becomes older than 30 days.
    await page.route('**/api/dashboard/charts*', async (route) => {
      const response = await route.fetch()
      const { charts } = await response.json()
      const hours = charts.call_volume.map((hour: object) => ({ ...hour, calls: 0, completed: 0 }))
      const older = { ...charts, call_volume: hours, trunk_usage: [] }
      await route.fulfill({ response, json: { charts: older } })
    })
    await page.route('**/api/dashboard/usage*', async (route) => {
      const response = await route.fetch()
      const { usage } = await response.json()
      const days = usage.days.map((day: object) => ({ ...day, calls: 0, minutes: 0, cost: 0 }))
      await route.fulfill({ response, json: { usage: { ...usage, days, countries: [] } } })
    })
    await signIn(page, caller)
    for (const [words, count] of [
      ['in the last 24 hours', 1],
      ['in the last 30 days', 3],
    ] as const) {
      await expect(page.getByText(`No calls ${words}`)).toHaveCount(count)
      await expect(page.getByText(`No calls ${words}`).first()).toBeVisible()
    }
  })

  test('are examples for a new customer', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    for (const chart of ['Call Volume (24h)', 'Trunk Usage', 'Monthly Usage', 'Cost by day (30 days)'])
      await expect(region(page, chart)).toContainText('Example')
    await expect(region(page, 'Account Balance')).toContainText('Prepaid.')
  })

  test('show an error on failure and load on retry', async ({ page, caller, callEnds }) => {
    await callEnds({ to: LONDON })
    await page.route('**/api/dashboard/charts*', (route) => route.fulfill({ status: 400, json: {} }))
    await signIn(page, caller)
    const volume = region(page, 'Call Volume (24h)')
    await expect(volume).toContainText('The charts could not be loaded.')
    await page.unroute('**/api/dashboard/charts*')
    await volume.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('table', { name: 'Call Volume (24h)' })).toBeAttached()
  })

  test('follow the theme', async ({ page, caller, callEnds }) => {
    await callEnds({ to: LONDON })
    await signIn(page, caller)
    const line = region(page, 'Call Volume (24h)').locator('path').last()
    const color = () => line.evaluate((path) => path.ownerDocument.defaultView?.getComputedStyle(path).stroke)
    await expect(line).toBeAttached()
    const dark = await color()
    await page.getByRole('button', { name: 'Switch to light theme' }).click()
    await expect.poll(color).not.toBe(dark)
  })
})

test.describe('Home', () => {
  test('quick actions lead where they say', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    const actions = region(page, 'Quick Actions')
    for (const [name, path] of [
      ['Add Credit', '/dashboard/topup'],
      ['CDR Report', '/dashboard/cdr-report'],
      ['Manage Trunk', '/dashboard/trunks'],
      ['Upgrade', '/dashboard/upgrade'],
    ] as const)
      await expect(actions.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
    await actions.getByRole('button', { name: 'Make test Call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make test Call' })
    await expect(dialog).toContainText(/log in to your SIP client with your username and SIP password/i)
    await expect(dialog).toContainText('A Caller ID must be added in the dashboard before calling')
    await dialog.getByRole('link', { name: 'Set Caller ID' }).click()
    await expect(dialog).toBeHidden()
    await expect(region(page, 'Caller ID').getByRole('textbox')).toBeFocused()
  })

  test('premium is offered to regular customers', async ({ page, newcomer }) => {
    await signIn(page, newcomer)
    const banner = region(page, 'Premium')
    await expect(banner).toContainText('Unlock advanced features, unlimited trunks and priority support')
    await banner.getByRole('link', { name: 'Upgrade Now' }).click()
    await expect(page).toHaveURL('/dashboard/upgrade')
  })

  test('premium is not offered to premium customers', async ({ page }) => {
    await signIn(page, demo.paula)
    await expect(region(page, 'Quick Actions')).toBeVisible()
    await expect(region(page, 'Premium')).toHaveCount(0)
    await expect(region(page, 'Quick Actions').getByRole('link', { name: 'Upgrade' })).toHaveCount(0)
  })

  test('the balance is refreshed every ten seconds', async ({ page, request, newcomer }) => {
    await page.clock.install()
    await signIn(page, newcomer)
    await expect(region(page, 'Account Balance')).toContainText('$0.00')
    const mine = await bearerOf(request, newcomer)
    const { user } = await (await request.get('/api/auth/me', { headers: mine })).json()
    const headers = await bearerOf(request, demo.admin)
    const data = { user_id: user.id, amount: 7.5, reason: 'a gift', request_key: `gift-${newcomer.username}` }
    expect((await request.post('/api/admin/balance-adjustments', { headers, data })).ok()).toBe(true)
    await page.clock.runFor(10_000)
    await expect(region(page, 'Account Balance')).toContainText('$7.50')
  })

  test('a failed refresh of the balance shows an error and keeps the last value', async ({
    page,
    newcomer,
  }) => {
    await signIn(page, newcomer)
    await expect(region(page, 'Account Balance')).toContainText('$0.00')
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 500, json: {} }))
    await page.getByRole('button', { name: 'Refresh Balance' }).click()
    await expect(page.getByRole('alert')).toContainText('Failed to get current user')
    await expect(region(page, 'Account Balance')).toContainText('$0.00')
  })
})
