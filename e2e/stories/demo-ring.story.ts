import type { Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, demo, signIn } from '../support/calls.ts'
import { test as base, expect, keepConnections, openPhone, packetsOf } from '../support/phone.ts'

const NUMBER = '+1 415 555 0150'

/** With Alice of the demo, whose number rings her phones and browsers. */
const test = base.extend<{ portalOfAlice: Page }>({
  portalOfAlice: async ({ page, request }, use) => {
    // Without sample history her balance is empty.
    const { send } = await asAdmin(request)
    const headers = await bearerOf(request, demo.alice)
    const { user } = await (await request.get('/api/auth/me', { headers })).json()
    const gift = { user_id: user.id, amount: 5, reason: 'for a story', request_key: 'story-alice' }
    await send('post', '/api/admin/balance-adjustments', gift)
    await keepConnections(page)
    await signIn(page, demo.alice, '/dashboard/numbers')
    await expect(
      page.getByRole('banner').getByRole('button', { name: 'Phone: Receives calls' }),
    ).toBeVisible()
    await use(page)
  },
})

const rowOf = (page: Page) =>
  page.getByRole('region', { name: 'My numbers' }).getByRole('listitem', { name: NUMBER })
const cardOf = (page: Page) => page.getByRole('region', { name: 'Incoming call' })
/** The live calls of the public network, or the result of the last one. */
const callsOf = (network: Page) =>
  network.locator('section').filter({ has: network.getByRole('heading', { name: 'Calls', exact: true }) })

test('one click on a number rings this browser, and the call is answered and heard', async ({
  portalOfAlice: page,
  context,
}) => {
  const opened = context.waitForEvent('page')
  await rowOf(page)
    .getByRole('link', { name: `Test ${NUMBER}` })
    .click()
  const network = await opened
  await expect(callsOf(network)).toContainText(/calling|ringing/)
  await expect(cardOf(page)).toContainText('Grace Hopper')
  await expect(callsOf(network)).toContainText('ringing')
  // A reload does not call again.
  await network.reload()
  await expect(callsOf(network).getByRole('article')).toHaveCount(1)
  await cardOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect(callsOf(network)).toContainText('answered')
  // The caller repeats what it hears.
  await expect.poll(async () => (await packetsOf(page)).received).toBeGreaterThan(30)
  await network.reload()
  await expect(callsOf(network)).toContainText('Hears sound.')
  await expectNoViolations(network)
  await network.getByRole('button', { name: 'Press 5' }).click()
  await network.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('The other party hung up.')).toBeVisible()
  await expect(callsOf(network)).toContainText('Answered')
  await expectNoViolations(network)
})

test('the printed link and the buttons of the page ring too, and show that nobody answers', async ({
  portalOfAlice: page,
  context,
  portal,
}) => {
  const network = await context.newPage()
  await network.goto(portal.ringUrl)
  await expect(cardOf(page)).toContainText('Grace Hopper')
  await network.getByRole('button', { name: 'Hang up' }).click()
  await expect(cardOf(page)).toBeHidden()
  await expect(callsOf(network)).toContainText('Canceled')

  await network.getByRole('button', { name: `Call ${NUMBER}, alice` }).click()
  await cardOf(page).getByRole('button', { name: 'Decline' }).click()
  await expect(callsOf(network)).toContainText('Declined')

  const phone = await openPhone(page)
  await phone.getByRole('button', { name: 'Do not disturb' }).click()
  await expect(phone.getByRole('status').getByText('Do not disturb')).toBeVisible()
  await network.getByRole('button', { name: `Call ${NUMBER}, alice` }).click()
  await expect(callsOf(network)).toContainText('No answer')
})

/** The portal as it is outside the demo. */
async function withoutPublicNetwork(page: Page): Promise<void> {
  await page.addInitScript(`
    const parse = JSON.parse
    JSON.parse = (...given) => {
      const value = parse(...given)
      if (value?.demo?.dial_url) value.demo.dial_url = null
      return value
    }`)
  await page.reload()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Phone: Receives calls' })).toBeVisible()
}

test('without the public network, a click calls the number through the switch and this browser rings', async ({
  portalOfAlice: page,
}) => {
  await withoutPublicNetwork(page)
  const row = rowOf(page)
  const testButton = row.getByRole('button', { name: `Test ${NUMBER}` })
  await testButton.click()
  await expect(cardOf(page)).toContainText('Test call')
  await expect(row.getByRole('status')).toContainText('Ringing. Answer on any phone that rings.')
  await expect(testButton).toBeDisabled()
  await expectNoViolations(page)
  await cardOf(page).getByRole('button', { name: 'Answer' }).click()
  // The message is heard, then the test call hangs up.
  await expect.poll(async () => (await packetsOf(page)).received).toBeGreaterThan(30)
  await expect(page.getByText('The other party hung up.')).toBeVisible()
  await expect(row.getByRole('status')).toContainText('The test call was answered.')
  await page.getByRole('button', { name: 'Close phone' }).click()
  await testButton.click()
  await cardOf(page).getByRole('button', { name: 'Decline' }).click()
  await expect(row.getByRole('status')).toContainText('The test call was declined, or the number was busy.')

  await row.getByRole('link', { name: 'CDR Report' }).click()
  await page.getByRole('row').filter({ hasText: 'Test call' }).first().getByRole('link').click()
  await expect(page.getByRole('dialog')).toContainText('Test call. Always:')
})

test('if no test call is possible, the phone of the browser calls the number', async ({
  portalOfAlice: page,
}) => {
  await withoutPublicNetwork(page)
  await page.route('**/api/numbers/*/test-calls', (route) =>
    route.fulfill({
      status: 503,
      json: { error: { code: 'test_call_unavailable', message: 'Test calls are not available right now.' } },
    }),
  )
  await rowOf(page)
    .getByRole('button', { name: `Test ${NUMBER}` })
    .click()
  await expect(rowOf(page).getByRole('alert')).toContainText('Test calls are not available right now.')
  await rowOf(page).getByRole('button', { name: 'Call from this browser' }).click()
  const phone = page.getByRole('region', { name: 'Phone' })
  await expect(phone).toContainText('Test call to your number')
  await expect(phone).toContainText(/Rings all devices for \d+ seconds/)
  await expect(phone).toContainText('This browser doesn’t ring for its own call.')
  await expect(phone.getByLabel('Number')).toHaveValue(NUMBER.replaceAll(' ', ''))
  await expectNoViolations(page, 'section[aria-label="Phone"]')
  // The notice belongs to that number.
  await phone.getByLabel('Number').fill('+442079460958')
  await expect(phone).not.toContainText('Test call to your number')
})
