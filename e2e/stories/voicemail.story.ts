import type { Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, expect, LONDON, signIn, test } from '../support/calls.ts'
import { rentedNumber } from '../support/numbers.ts'
import { closeSounds, leaveMessage, recordCall } from '../support/sounds.ts'
import { heldAnswer } from '../support/story.ts'

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const message = (page: Page, caller: string) =>
  messages(page).getByRole('listitem', { name: `Message from ${caller}` })
const badge = (page: Page) => page.getByRole('link', { name: /^Voicemail \d+ new/ })

test.afterAll(closeSounds)

test('a customer sees new messages, listens to one, and deletes it', async ({ page, request, newcomer }) => {
  await leaveMessage(request, newcomer, { seconds: 45 })
  await leaveMessage(request, newcomer, { caller: '442079460958', name: '', seconds: 2 })
  await signIn(page, newcomer)
  await expect(badge(page)).toHaveAccessibleName('Voicemail 2 new messages')
  await badge(page).click()
  await expect(page.getByRole('heading', { name: 'Voicemail', level: 1 })).toBeVisible()
  const berlin = message(page, '+49 30 123456')
  await expect(berlin).toContainText('Berlin office, Germany')
  await expect(berlin).toContainText('0:45')
  await expect(berlin).toContainText('New')
  await expect(messages(page).getByRole('listitem').first()).toContainText('United Kingdom')
  await expect(messages(page)).toContainText('Dial *97 from your phone to listen. Press 9 there')
  await expectNoViolations(page)

  await berlin.getByRole('button', { name: 'Play the message' }).click()
  await expect(berlin.getByRole('button', { name: 'Pause the message' })).toBeVisible()
  await expect(berlin.getByText('New')).toBeHidden()
  await expect(badge(page)).toHaveAccessibleName('Voicemail 1 new message')
  const position = berlin.getByRole('slider', { name: 'Position in the message' })
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(0.5)
  await berlin.getByRole('button', { name: 'Pause the message' }).click()
  await position.fill('2')
  await expect(position).toHaveAttribute('aria-valuetext', '0:02 of 0:45')

  await page.getByRole('link', { name: /^New/ }).click()
  await expect(messages(page).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('link', { name: /^All/ }).click()
  await berlin.getByRole('button', { name: 'Delete the message' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this message?' })
  await expectNoViolations(page, '[role="dialog"]')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(berlin).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Voicemail', level: 1 })).toBeFocused()
  await expect(messages(page).getByRole('listitem')).toHaveCount(1)
})

test('a new message stays in the list of new messages while it plays', async ({
  page,
  request,
  newcomer,
}) => {
  await leaveMessage(request, newcomer, { seconds: 45 })
  await signIn(page, newcomer, '/dashboard/voicemail?show=new')
  const berlin = message(page, '+49 30 123456')
  await berlin.getByRole('button', { name: 'Play the message' }).click()
  await expect(page.getByRole('link', { name: 'Voicemail', exact: true })).toBeVisible()
  await expect(berlin.getByText('New')).toBeHidden()
  const position = berlin.getByRole('slider', { name: 'Position in the message' })
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(0.5)
  await berlin.getByRole('button', { name: 'Pause the message' }).click()
  await page.getByRole('link', { name: /^All/ }).click()
  await page.getByRole('link', { name: /^New/ }).click()
  await expect(messages(page)).toContainText('No new messages')
})

test('a message that loads after the user has left stays silent', async ({ page, request, newcomer }) => {
  await page.addInitScript(`
    const { play } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.play = function () {
      document.documentElement.dataset.played = 'yes'
      return play.call(this)
    }
  `)
  await leaveMessage(request, newcomer, { seconds: 45 })
  await signIn(page, newcomer, '/dashboard/voicemail')
  const late = await heldAnswer(page, '**/api/voicemail/*/audio')
  await message(page, '+49 30 123456').getByRole('button', { name: 'Play the message' }).click()
  await late.asked
  await page.getByRole('link', { name: /^Heard/ }).click()
  const select = page.getByRole('checkbox', { name: /^Select the message/ })
  await expect(select).toBeVisible()
  const loaded = page.waitForResponse('**/api/voicemail/*/audio')
  late.answer()
  await (await loaded).finished()
  await select.check()
  await page.getByRole('button', { name: 'Mark as new' }).click()
  await expect(messages(page)).toContainText('No heard messages')
  await expect(page.locator('html')).not.toHaveAttribute('data-played')
})

test('several messages are marked and deleted at once, by keyboard', async ({ page, request, newcomer }) => {
  for (const caller of ['4930123456', '442079460958', '12125550123'])
    await leaveMessage(request, newcomer, { caller, seconds: 1 })
  await signIn(page, newcomer, '/dashboard/voicemail')
  for (const caller of ['+49 30 123456', '+44 20 7946 0958']) {
    await page.getByRole('checkbox', { name: `Select the message from ${caller}` }).focus()
    await page.keyboard.press('Space')
  }
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Mark as heard' }).click()
  await expect(badge(page)).toHaveAccessibleName('Voicemail 1 new message')
  for (const box of await page.getByRole('checkbox', { name: /^Select the message/ }).all()) await box.check()
  await page.getByRole('group', { name: 'Selected messages' }).getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete 3 messages?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(messages(page)).toContainText('No messages yet')
  await expectNoViolations(page)
})

test('the mailbox gets a greeting and a retention, at phone width', async ({ page, request, newcomer }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await leaveMessage(request, newcomer)
  await signIn(page, newcomer, '/dashboard/voicemail')
  const settings = page.getByRole('form', { name: 'Mailbox settings' })
  await expect(settings).toContainText('confirm your email address')
  await settings.getByLabel('Greeting').selectOption('Spoken text')
  await settings.getByLabel('Days kept').fill('0')
  await settings.getByRole('button', { name: 'Save settings' }).click()
  await expect(settings).toContainText('Enter 1 to 365 days.')
  await expect(settings).toContainText('Enter a text.')
  await settings.getByRole('textbox', { name: 'Text' }).fill('Please leave a message after the tone.')
  await settings.getByLabel('Days kept').fill('90')
  await settings.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Mailbox settings saved.')).toBeVisible()
  await expectNoViolations(page)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(390)
  await page.reload()
  await expect(settings.getByRole('textbox', { name: 'Text' })).toHaveValue(
    'Please leave a message after the tone.',
  )
  await expect(settings.getByLabel('Days kept')).toHaveValue('90')
})

test('a failed list of messages can be loaded again', async ({ page, newcomer }) => {
  await page.route('**/api/voicemail?*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.route('**/api/voicemail', (route) => route.fulfill({ status: 500, json: {} }))
  await signIn(page, newcomer, '/dashboard/voicemail')
  await expect(page.getByText('Your messages could not be loaded.')).toBeVisible()
  await page.unrouteAll()
  await messages(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(messages(page)).toContainText('No messages yet')
})

test('an operator allows recording, and the customer plays, saves and deletes the recording of a call', async ({
  page,
  request,
  caller,
  callEnds,
  browser,
}) => {
  test.slow()
  await callEnds({ to: LONDON })
  const offered = await rentedNumber(request, caller)
  const headers = await bearerOf(request, caller)
  const { records } = await (await request.get('/api/cdr', { headers })).json()
  await recordCall(request, caller, records[0].uniqueid, 45)
  await leaveMessage(request, caller, { callId: records[0].uniqueid })

  const admin = await asAdmin(request)
  const { users } = await admin.get(`/api/users?search=${caller.username}`)
  const desk = await browser.newPage()
  await desk.addInitScript(
    `localStorage.setItem('token', '${admin.headers.authorization.replace('Bearer ', '')}')`,
  )
  await desk.goto(`${process.env.TRUNKLINE_STORY_URL}/admin-panal/users/${users[0].id}`)
  const consent = desk.getByRole('region', { name: 'Call recording' })
  await expect(consent).toContainText('Not allowed')
  await consent.getByRole('button', { name: 'Allow recording' }).click()
  await expect(desk.getByRole('dialog')).toContainText('By default, the other side hears an announcement.')
  await expectNoViolations(desk, '[role="dialog"]')
  await desk.getByRole('dialog').getByRole('button', { name: 'Allow recording' }).click()
  await expect(consent).toContainText('This customer can record calls.')
  await expectNoViolations(desk)
  await desk.close()

  await signIn(page, caller, '/dashboard/voicemail')
  const settings = page.getByRole('form', { name: 'Call recording' })
  await settings.getByLabel('Announce the recording').uncheck()
  await expect(settings).toContainText('You are responsible')
  await settings.getByLabel('Record all incoming calls').check()
  await settings.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Recording settings saved.')).toBeVisible()
  await expectNoViolations(page)

  await page.goto('/dashboard/numbers')
  const number = page.getByRole('listitem', { name: offered.shown })
  await number.getByLabel('Record calls to this number').check()
  await expect(page.getByText('Calls to this number are recorded.')).toBeVisible()
  await expectNoViolations(page)
  await page.reload()
  await expect(number.getByLabel('Record calls to this number')).toBeChecked()

  await page.goto('/dashboard/cdr-report')
  await page
    .getByRole('link', { name: /^Details of/ })
    .first()
    .click()
  const recording = page.getByRole('region', { name: 'Recording' })
  await expect(recording).toContainText('0:45')
  await expect(recording.getByRole('figure')).toHaveCount(2)
  await expectNoViolations(page, '[role="dialog"]')
  await recording.getByRole('button', { name: 'Play the recording' }).click()
  const position = recording.getByRole('slider')
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(0.5)
  await recording.getByRole('button', { name: 'Pause the recording' }).click()
  const saving = page.waitForEvent('download')
  await recording.getByRole('button', { name: 'Download' }).click()
  expect((await saving).suggestedFilename()).toMatch(/^recording-.*\.wav$/)
  const { entries } = await admin.get(`/api/admin/audit-log?user=${users[0].id}`)
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['recording.allow', 'recording.listen', 'recording.download']),
  )

  await recording.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete recording' }).click()
  await expect(recording).toBeHidden()
  await page.getByRole('link', { name: 'Open voicemail' }).click()
  await expect(page.getByRole('listitem', { name: /^Message from/ })).toHaveAttribute('aria-current', 'true')
})

test('the link of a mail opens a message beyond the first page, or says that it was deleted', async ({
  page,
  request,
  newcomer,
}) => {
  const callers = ['4930123456', '442079460958', '12025550100']
  for (const caller of callers) await leaveMessage(request, newcomer, { caller, name: '' })
  const headers = await bearerOf(request, newcomer)
  const listed = await (await request.get('/api/voicemail', { headers })).json()
  const oldest: number = listed.messages.at(-1).id
  await page.route(/\/api\/voicemail(\?|$)/, (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '1')
    return route.continue({ url: url.href })
  })
  await signIn(page, newcomer, `/dashboard/voicemail?message=${oldest}`)
  await expect(message(page, '+49 30 123456')).toHaveAttribute('aria-current', 'true')
  await expect(page.getByText('The message you opened was deleted.')).toBeHidden()
  expect((await request.post('/api/voicemail/delete', { headers, data: { ids: [oldest] } })).ok()).toBe(true)
  await page.reload()
  await expect(page.getByText('The message you opened was deleted.')).toBeVisible()
  await expect(messages(page).getByRole('listitem')).toHaveCount(2)
  await expectNoViolations(page)
})
