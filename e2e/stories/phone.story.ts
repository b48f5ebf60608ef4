import { createPhone } from '../../sip/test/phone.ts'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, demo, LONDON, LONDON_AS_SHOWN, signIn } from '../support/calls.ts'
import {
  canConnect,
  dial,
  expect,
  keepConnections,
  liveCallsOf,
  openPhone,
  packetsOf,
  recordsOf,
  refuseMicrophone,
  startNetwork,
  test,
} from '../support/phone.ts'

const BUSY = '+442079460186'
const PARIS = '+33140205050'

test('a customer calls from the browser at the price shown before dialing', async ({
  page,
  browser,
  portal,
  carrier,
  caller,
  request,
}) => {
  const scripts: string[] = []
  page.on('request', (asked) => asked.resourceType() === 'script' && scripts.push(asked.url()))
  await keepConnections(page)
  await signIn(page, caller)
  await expect(page.getByText('No active calls')).toBeVisible()
  await expect(page.getByText('Live updates')).toBeVisible()
  const isPhones = (url: string) => /PhonePanel/.test(url)
  expect(scripts.some(isPhones)).toBe(false)
  const phone = await openPhone(page)
  await expect(phone.getByText('Ready')).toBeVisible()
  expect(scripts.some(isPhones)).toBe(true)

  await phone.getByLabel('Number').fill(LONDON)
  await expect(phone).toContainText('United Kingdom')
  await expect(phone).toContainText('/ min')
  await expect(phone).toContainText('Shown as +12025550100')
  await expectNoViolations(page, 'section[aria-label="Phone"]')
  await phone.getByLabel('Number').press('Enter')
  await expect(phone).toContainText('In a call')
  const row = page.getByRole('row').filter({ hasText: LONDON })
  await expect(row).toContainText('Answered')
  await expect(row).toContainText('Web phone')
  await expect.poll(async () => (await packetsOf(page)).received).toBeGreaterThan(50)
  await expect.poll(async () => (await packetsOf(page)).sent).toBeGreaterThan(50)
  expect((await packetsOf(page)).codec).toBe('audio/opus')
  expect(carrier.requests.findLast(({ method }) => method === 'INVITE')?.headers.join()).toContain(
    '12025550100',
  )

  // The phone stays open while the screens change.
  await page.getByRole('link', { name: 'CDR Report' }).first().click()
  await expect(page).toHaveURL(/cdr-report/)
  await phone.getByRole('button', { name: 'Keypad' }).click()
  for (const key of ['1', '2', 'Hash']) await phone.getByRole('button', { name: key, exact: true }).click()
  await page.keyboard.press('9')
  await expect.poll(() => carrier.digits()).toBe('12#9')
  await expect(phone.getByText(/(Good|Fair) quality/)).toBeVisible()
  await expect(phone).toContainText('round trip')

  await phone.getByRole('button', { name: 'Hang up' }).click()
  await expect(phone.getByText('You hung up.')).toBeVisible()
  const headers = await bearerOf(request, caller)
  await expect.poll(() => recordsOf(request, headers)).toHaveLength(1)
  const [record] = await recordsOf(request, headers)
  expect(record).toMatchObject({ status: 'completed', reason: 'The caller hung up.' })
  const details = await (await request.get(`/api/cdr/${record?.id}`, { headers })).json()
  const { rate, billed_seconds } = details.record
  expect(record?.cost).toBeCloseTo((rate.price_per_minute * billed_seconds) / 60, 5)
  await expect(phone).toContainText(`$${record?.cost}`)
  await expect.poll(() => liveCallsOf(request, headers)).toBe(0)

  // An administrator ends the call.
  const admin = await browser.newPage({ baseURL: portal.url })
  await signIn(admin, demo.admin)
  await phone.getByRole('button', { name: 'Call again' }).click()
  await expect(phone).toContainText('In a call')
  await admin.getByRole('button', { name: `Hang up ${LONDON_AS_SHOWN}` }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Hang up', exact: true }).click()
  await expect(phone.getByText('Ended by an administrator.')).toBeVisible()
  await admin.close()
  await phone.getByRole('button', { name: 'Done' }).click()
  await dial(phone, BUSY)
  await expect(phone.getByText('The called party was busy.')).toBeVisible()

  // A dismissed call stays dismissed when its record arrives.
  const held = Promise.withResolvers<void>()
  const search = /\/api\/cdr\?limit=10$/
  await page.route(search, async (route) => {
    await held.promise
    await route.continue()
  })
  await phone.getByRole('button', { name: 'Call again' }).click()
  await expect(phone.getByText('The number is busy.')).toBeVisible()
  await phone.getByRole('button', { name: 'Done' }).click()
  const found = page.waitForResponse(search)
  held.resolve()
  await found
  await page.unroute(search)
  await phone.getByLabel('Number').fill(PARIS)
  await expect(phone.getByText('No route is selected for this country.')).toBeVisible()
  await phone.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(phone.getByText('No route is selected for this country.')).toBeVisible()
  await expect(phone.getByRole('link', { name: 'Choose a route' })).toBeVisible()
})

test('the echo test is free and reports its findings; the phone reports a blocked microphone and an empty balance', async ({
  page,
  caller,
  newcomer,
  request,
}) => {
  const headers = await bearerOf(request, caller)
  const admin = await bearerOf(request, demo.admin)
  // Call control receives changes in order, so it knows this route before the credentials of the phone.
  const dear = { country: 'FR', name: 'Dear', planname: 'Gold CLI', price: 0.6 }
  const { route } = await (await request.post('/api/routes', { headers: admin, data: dear })).json()
  await request.post('/api/user-selected-route', { headers, data: { route_id: route.id } })
  await signIn(page, caller)
  await page.getByRole('button', { name: 'Make test Call' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Echo test' }).click()
  const phone = page.getByRole('region', { name: 'Phone' })
  for (const words of ['The microphone works.', 'carries audio both ways', 'We can hear your echo.'])
    await expect(phone).toContainText(words)
  await expect(phone).toContainText('Free')
  expect(await liveCallsOf(request, headers)).toBe(0)
  await phone.getByRole('button', { name: 'Hang up' }).click()
  await expect(phone.getByText('You hung up.')).toBeVisible()
  expect(await recordsOf(request, headers)).toEqual([])
  await phone.getByRole('button', { name: 'Done' }).click()

  // Leaves a balance for six seconds on an expensive route.
  const { user } = await (await request.get('/api/auth/me', { headers })).json()
  const take = { user_id: user.id, amount: -19.94, reason: 'for a story', request_key: newcomer.username }
  expect((await request.post('/api/admin/balance-adjustments', { headers: admin, data: take })).ok()).toBe(
    true,
  )
  await dial(phone, PARIS)
  await expect(phone).toContainText('In a call')
  await expect(phone.getByText('The balance ran out.')).toBeVisible()
  await expect(phone).toContainText('0:06, $0.06')
  await expect(phone.getByRole('link', { name: 'Top Up' })).toBeVisible()
  await phone.getByRole('button', { name: 'Call again' }).click()
  await expect(phone.getByText('The balance does not cover this call.')).toBeVisible()
  await phone.getByRole('button', { name: 'Done' }).click()

  await refuseMicrophone(page)
  await dial(phone, PARIS)
  await expect(phone.getByText('Microphone access is blocked.')).toBeVisible()
})

test('a second tab, a reload, a lost network and a sign-out end the call and revoke the credentials of the phone', async ({
  page,
  context,
  portal,
  caller,
  request,
}) => {
  const headers = await bearerOf(request, caller)
  const gone = 'Ended because the browser was closed, signed out or lost its connection.'
  const isOver = async (count: number, reasons = [gone]) => {
    await expect.poll(() => liveCallsOf(request, headers)).toBe(0)
    await expect.poll(async () => (await recordsOf(request, headers)).length).toBe(count)
    const [newest] = await recordsOf(request, headers)
    expect(reasons).toContain(newest?.reason)
  }
  await signIn(page, caller)
  const phone = await openPhone(page)
  await dial(phone, LONDON)
  await expect(phone).toContainText('In a call')

  const second = await context.newPage()
  const made = second
    .waitForResponse((response) => response.url().endsWith('/api/phone') && response.ok())
    .then((response) => response.json())
  await second.goto('/dashboard')
  const other = await openPhone(second)
  // A busy portal may not respond to the first attempt.
  const retry = other.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 })
    await expect(other.getByText('open in another tab')).toBeVisible({ timeout: 10_000 })
  }).toPass()
  expect(await liveCallsOf(request, headers)).toBe(1)
  await other.getByRole('button', { name: 'Use phone here' }).click()
  await expect(phone.getByText('it was opened in another tab')).toBeVisible()
  await isOver(1)

  await dial(other, LONDON)
  await expect(other).toContainText('In a call')
  second.on('dialog', (dialog) => void dialog.accept())
  await second.reload()
  await isOver(2)

  const third = await openPhone(second)
  await dial(third, LONDON)
  await expect(third).toContainText('In a call')
  await second.getByRole('button', { name: 'Logout' }).click()
  // The browser may hang up before the server ends the call.
  await isOver(3, [gone, 'The caller hung up.'])
  const { name, password, socket_token } = await made
  const elsewhere = await createPhone({ switchPort: portal.sipPort, account: { user: name, password } })
  expect((await (await elsewhere.call(LONDON)).ended).status).toBe(403)
  elsewhere.close()
  expect(await canConnect(second, socket_token)).toBe(false)

  const network = await startNetwork(portal.port)
  const far = await context.newPage()
  await far.goto(`${network.url}/favicon.svg`)
  const { token } = await (await request.post('/api/auth/login', { data: caller })).json()
  await far.evaluate(`localStorage.setItem('token', '${token}')`)
  await far.goto(`${network.url}/dashboard`)
  const lost = await openPhone(far)
  await dial(lost, LONDON)
  await expect(lost).toContainText('In a call')
  network.cut()
  await expect(
    lost.getByText('Connection lost. Reconnecting…').or(lost.getByText('In a call')).first(),
  ).toBeVisible()
  await isOver(4)
  await far.close()
  network.close()
})

test('during a call the payment page opens in a new tab, and the call goes on', async ({
  page,
  context,
  caller,
  visited,
}) => {
  await signIn(page, caller, '/dashboard/topup')
  const phone = await openPhone(page)
  await dial(phone, LONDON)
  await expect(phone).toContainText('In a call')
  await phone.getByRole('button', { name: 'Minimize phone' }).click()
  await page.getByRole('button', { name: '$1000', exact: true }).click()
  await page.getByRole('button', { name: 'Top Up Now' }).click()
  const link = page.getByRole('link', { name: 'Open payment page' })
  visited.add(new URL((await link.getAttribute('href')) ?? '').origin)
  await expectNoViolations(page, 'main')
  const opening = context.waitForEvent('page')
  await link.click()
  await expect(await opening).toHaveURL(/\/pay\/\d+$/)
  await expect(page.getByRole('button', { name: 'Top Up Now' })).toBeEnabled()
  await expect(page.getByRole('link', { name: /^Pay now/ })).toHaveAttribute('target', '_blank')
  await expect(phone).toContainText('In a call')

  await phone.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByRole('link', { name: /^Pay now/ })).not.toHaveAttribute('target')
})
