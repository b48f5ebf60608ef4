import type { Locator, Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, signIn } from '../support/calls.ts'
import {
  test as base,
  expect,
  hearsCaller,
  keepConnections,
  openPhone,
  packetsOf,
  refuseMicrophone,
} from '../support/phone.ts'
import { openPublicNetwork, type PublicNetwork } from '../support/public-network.ts'

const test = base.extend<{ network: PublicNetwork }>({
  network: async ({ request, portal, caller }, use) => {
    const network = await openPublicNetwork(request, portal, caller)
    // The checks of the ringing card may take longer than the default of 25 seconds.
    const headers = await bearerOf(request, caller)
    const { numbers } = await (await request.get('/api/numbers', { headers })).json()
    const [{ id, version, ring_plan }] = numbers
    const destination = { kind: 'phones', steps: [{ devices: 'all', seconds: 120 }] }
    const data = { ring_plan: { ...ring_plan, destination }, version }
    expect((await request.patch(`/api/numbers/${id}`, { headers, data })).ok()).toBe(true)
    await use(network)
    network.close()
  },
})

const cardOf = (page: Page): Locator => page.getByRole('region', { name: 'Incoming call' })
const receives = (page: Page) =>
  expect(page.getByRole('banner').getByRole('button', { name: 'Phone: Receives calls' })).toBeVisible()

/** A screen with a field, where the customer may be typing. */
async function openSupport(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Support' }).first().click()
  await expect(page.getByRole('heading', { name: 'Support', exact: true }).first()).toBeVisible()
}

test('a call rings in the browser, is answered, and a second one holds the first', async ({
  page,
  caller,
  network,
}) => {
  await keepConnections(page)
  await signIn(page, caller)
  await receives(page)
  await openSupport(page)
  const first = await network.dial()
  const card = cardOf(page)
  await expect(card).toContainText('Paula')
  await expect(card).toContainText('+33140506070')
  await expect(card).toContainText('France')
  await expect(card).toContainText(network.number)
  await expect(page).toHaveTitle('Call from Paula, +33 1 40 50 60 70')
  await expectNoViolations(page, 'section[aria-label="Incoming call"]')
  await first.rings()
  await card.getByRole('button', { name: 'Silence' }).click()
  await expect(card).toContainText('silenced')
  await card.getByRole('button', { name: 'Answer' }).click()
  const phone = page.getByRole('region', { name: 'Phone' })
  await expect(phone).toContainText('In a call')
  expect((await first.ended).status).toBe(200)
  await expect(card).toBeHidden()
  await expect(page).not.toHaveTitle(/Call from/)
  await hearsCaller(page, first.speech)
  await expect.poll(() => first.speech.heard()).toBeGreaterThan(30)
  expect((await packetsOf(page)).codec).toBe('audio/opus')

  const second = await network.dial('<sip:anonymous@anonymous.invalid>')
  await expect(card).toContainText('Withheld number')
  await expect(card).toContainText('puts your current call on hold')
  await page.keyboard.press('Control+Alt+KeyA')
  expect((await second.ended).status).toBe(200)
  const held = phone.getByRole('region', { name: 'Call on hold' })
  await expect(held).toContainText('Paula')
  const isHeld = (body: string) => /a=(sendonly|inactive)/.test(body)
  await expect.poll(() => first.requests('INVITE').some(({ body }) => isHeld(body))).toBe(true)
  await expectNoViolations(page, 'section[aria-label="Phone"]')

  await held.getByRole('button', { name: 'Swap' }).click()
  await expect(held).toContainText('Withheld number')
  await expect.poll(() => second.requests('INVITE').some(({ body }) => isHeld(body))).toBe(true)
  await expect.poll(() => isHeld(first.requests('INVITE').at(-1)?.body ?? '')).toBe(false)

  await phone.getByRole('button', { name: 'Hang up', exact: true }).click()
  await first.isHungUp()
  await expect(phone).toContainText('Withheld number')
  await expect(phone).toContainText('On hold')
  await phone.getByRole('button', { name: 'Resume' }).click()
  await expect(phone).toContainText('In a call')
  await expect.poll(() => isHeld(second.requests('INVITE').at(-1)?.body ?? '')).toBe(false)
  await second.hangUp()
  await expect(phone.getByText('The other party hung up.')).toBeVisible()
  await phone.getByRole('button', { name: 'Done' }).click()
  await receives(page)
})

test('a refused hold does not end the call, and is offered again', async ({ page, caller, network }) => {
  await keepConnections(page)
  await signIn(page, caller)
  await receives(page)
  const call = await network.dial()
  await cardOf(page).getByRole('button', { name: 'Answer' }).click()
  expect((await call.ended).status).toBe(200)
  await hearsCaller(page, call.speech)

  call.refuseOffers(true)
  const phone = page.getByRole('region', { name: 'Phone' })
  await phone.getByRole('button', { name: 'Hold' }).click()
  await expect.poll(() => call.requests('INVITE').length).toBeGreaterThan(1)
  call.refuseOffers(false)
  const offers = call.requests('INVITE').length
  await expect.poll(() => call.requests('INVITE').length).toBeGreaterThan(offers)
  expect(call.requests('INVITE').at(-1)?.body).toMatch(/a=(sendonly|inactive)/)
  await expect(phone).toContainText('On hold')

  await phone.getByRole('button', { name: 'Resume' }).click()
  await expect(phone).toContainText('In a call')
  await hearsCaller(page, call.speech)
  await call.hangUp()
  await expect(phone.getByText('The other party hung up.')).toBeVisible()
})

test('a declined, missed or canceled call stops, and do not disturb stops the ringing', async ({
  page,
  caller,
  network,
}) => {
  await signIn(page, caller)
  await receives(page)
  await openSupport(page)
  const card = cardOf(page)
  const declined = await network.dial()
  await card.getByRole('button', { name: 'Decline' }).click()
  await expect(card).toBeHidden()
  expect((await declined.ended).status).toBeGreaterThanOrEqual(480)

  // Typing is not interrupted, also in a dialog.
  await page.keyboard.press('Control+KeyK')
  const search = page.getByRole('dialog').getByRole('combobox')
  await search.fill('sup')
  const canceled = await network.dial()
  await expect(card).toBeVisible()
  await expect(search).toBeFocused()
  await canceled.rings()
  canceled.cancel()
  await expect(card).toBeHidden()
  await expect(page.getByText('Missed call from Paula')).toBeVisible()
  await page.keyboard.press('Escape')

  await refuseMicrophone(page)
  const refused = await network.dial()
  await card.getByRole('button', { name: 'Answer' }).click()
  await expect(card.getByText('Microphone access is blocked.')).toBeVisible()
  await card.getByRole('button', { name: 'Decline' }).click()
  expect((await refused.ended).status).toBeGreaterThanOrEqual(480)

  const phone = await openPhone(page)
  await expect(phone.getByText('Receives calls')).toBeVisible()
  await phone.getByRole('button', { name: 'Do not disturb' }).click()
  await expect(phone.getByRole('status').getByText('Do not disturb')).toBeVisible()
  const unheard = await network.dial()
  expect((await unheard.ended).status).toBe(480)
  await expect(card).toBeHidden()
  await phone.getByRole('button', { name: 'Do not disturb' }).click()
  await expect(phone.getByText('Receives calls')).toBeVisible()
})

test('a permitted desktop notification shows the caller while the tab is hidden, and closes with the ringing', async ({
  page,
  context,
  caller,
  network,
}) => {
  await context.grantPermissions(['notifications'])
  // A browser without a desktop shows none, so the page's own calls are noted.
  await page.addInitScript(() => {
    const shown: { title: string; body: string; isOpen: boolean }[] = []
    Object.assign(globalThis, { shownNotifications: shown })
    class Noted {
      static permission = 'granted'
      static requestPermission = () => Promise.resolve('granted')
      onclick: (() => void) | null = null
      private readonly note
      constructor(title: string, { body }: { body: string }) {
        this.note = { title, body, isOpen: true }
        shown.push(this.note)
      }
      close() {
        this.note.isOpen = false
      }
    }
    Object.defineProperty(globalThis, 'Notification', { value: Noted })
    const { document } = globalThis as unknown as { document: object }
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { get: () => true })
  })
  const notes = () =>
    page.evaluate(() => (globalThis as unknown as { shownNotifications: unknown }).shownNotifications)
  await signIn(page, caller)
  await receives(page)
  const call = await network.dial()
  await call.rings()
  await expect
    .poll(notes)
    .toEqual([{ title: 'Incoming call', body: 'Paula, +33 1 40 50 60 70', isOpen: true }])
  call.cancel()
  await expect
    .poll(notes)
    .toEqual([{ title: 'Incoming call', body: 'Paula, +33 1 40 50 60 70', isOpen: false }])
  expect((await call.ended).status).toBe(487)
})

test('two tabs ring, one makes a sound, and the other stops when one answers', async ({
  page,
  context,
  caller,
  network,
}) => {
  // Counts the ring tones that play.
  await context.addInitScript(`
    window.tones = 0
    window.AudioContext = class extends AudioContext {
      createOscillator() {
        window.tones += 1
        return super.createOscillator()
      }
    }`)
  await signIn(page, caller)
  await receives(page)
  const other = await context.newPage()
  await other.goto('/dashboard/support')
  await receives(other)
  // Browsers play no sound before the first click.
  for (const tab of [page, other]) await openSupport(tab)
  const call = await network.dial()
  for (const tab of [page, other]) await expect(cardOf(tab)).toBeVisible()
  const tones = async () =>
    (await Promise.all([page, other].map((tab) => tab.evaluate('window.tones')))) as number[]
  await expect.poll(async () => (await tones()).toSorted()).toEqual([0, 1])
  await cardOf(other).getByRole('button', { name: 'Silence' }).click()
  await expect(cardOf(page)).toContainText('silenced')
  await cardOf(other).getByRole('button', { name: 'Answer' }).click()
  expect((await call.ended).status).toBe(200)
  await expect(cardOf(page)).toBeHidden()
  await expect(page.getByText('was answered on another device')).toBeAttached()
  await expect(page.getByText('Missed call')).toBeHidden()
  await call.hangUp()
  await expect(other.getByText('The other party hung up.')).toBeVisible()
  // A signed-out browser does not ring.
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/(login)?$/)
  expect((await (await network.dial()).ended).status).toBe(480)
})

test('a call stops ringing when the tab is closed, and when the session ends on the server', async ({
  page,
  context,
  request,
  caller,
  network,
}) => {
  const tab = await context.newPage()
  await signIn(tab, caller)
  await receives(tab)
  const first = await network.dial()
  await expect(cardOf(tab)).toBeVisible()
  await tab.close()
  expect((await first.ended).status).toBe(480)

  await page.goto('/dashboard')
  await receives(page)
  const second = await network.dial()
  await expect(cardOf(page)).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${token}` } })
  expect((await second.ended).status).toBe(480)
})

test('an incoming call is among the live calls of Home while it rings, and then in the report', async ({
  page,
  caller,
  network,
}) => {
  await signIn(page, caller)
  await receives(page)
  const call = await network.dial()
  const live = page.getByRole('table', { name: 'Live call details' })
  await expect(live).toContainText('Ringing')
  await expect(live).toContainText('Paula')
  await cardOf(page).getByRole('button', { name: 'Answer' }).click()
  expect((await call.ended).status).toBe(200)
  await expect(live).toContainText('Answered')
  await call.hangUp()
  await expect(live).toBeHidden()
  await page.getByRole('link', { name: 'CDR Report' }).first().click()
  await expect(page.getByRole('row').filter({ hasText: '+33140506070' })).toContainText('In')
})
