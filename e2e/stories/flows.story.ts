import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, expect, LONDON, signIn, test } from '../support/calls.ts'
import { createFlow, entranceOf, exitOf, node, publish } from '../support/flows.ts'
import { rentedNumber } from '../support/numbers.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Step', exact: true })
const outline = (page: Page) => page.getByRole('region', { name: 'Steps' }).first()
const simulator = (page: Page) => page.getByRole('region', { name: 'Simulator' })

test('a customer draws a flow from a template, tries it, publishes it and leads a number to it', async ({
  page,
  request,
  caller,
}) => {
  test.slow()
  const offered = await rentedNumber(request, caller)
  await signIn(page, caller)
  await page.getByRole('navigation').getByRole('link', { name: 'Flows' }).click()
  await expect(page.getByRole('heading', { name: 'Flows', level: 1 })).toBeVisible()
  await expect(page.getByText('No flows yet')).toBeVisible()
  await expectNoViolations(page)
  await createFlow(page, 'Main line', 'Reception')
  await expect(node(page, 'Opening hours')).toContainText('Weekdays 09:00–17:00')
  await expectNoViolations(page)

  // By mouse: a new step where an exit is dropped, and a connection to an existing step.
  await exitOf(node(page, 'Welcome'), 'wrong_key').hover()
  await page.mouse.down()
  await page.mouse.move(900, 700, { steps: 8 })
  await page.mouse.up()
  await page.getByRole('combobox', { name: 'Add a step' }).fill('play')
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('Plays a sound or a text')
  await panel(page).getByLabel('Name').fill('Try again')
  await panel(page).getByLabel('Text', { exact: true }).fill('Please press 1 or 2.')
  await page.getByRole('button', { name: 'Close step' }).click()
  await page.getByRole('button', { name: 'Arrange steps' }).click()
  await page.getByRole('button', { name: 'Fit view' }).click()
  await exitOf(node(page, 'Try again'), 'next').dragTo(entranceOf(node(page, 'Welcome')))
  await expect(page.getByLabel('Try again, Then: leads to Welcome')).toBeAttached()

  // By keyboard: the name, a key of the menu and where it leads.
  await page.getByRole('button', { name: 'Steps', exact: true }).focus()
  await page.keyboard.press('Enter')
  await outline(page)
    .getByRole('button', { name: /^Welcome/ })
    .focus()
  await page.keyboard.press('Enter')
  await panel(page).getByLabel('Key 3', { exact: true }).focus()
  await page.keyboard.press('Space')
  await panel(page).getByLabel('Key 3', { exact: true }).last().focus()
  await page.getByRole('combobox', { name: 'Key 3' }).selectOption({ label: 'Hang up' })
  await expect(page.getByLabel('Welcome, Key 3: leads to Hang up')).toBeAttached()
  await page.getByRole('button', { name: 'Close step' }).click()

  // The simulator follows the same path as a call. November 17, 2026 is a Tuesday.
  await page.getByRole('button', { name: 'Try it' }).click()
  await simulator(page).getByLabel('Time of the call').fill('2026-11-17T10:00')
  await simulator(page).getByRole('button', { name: 'Start call' }).click()
  const path = simulator(page).getByRole('list', { name: 'Path of the call' })
  await expect(path).toContainText('Plays “Welcome. To talk to us, press 1. To leave a message, press 2.”')
  await simulator(page).getByRole('button', { name: '7', exact: true }).click()
  await simulator(page).getByRole('button', { name: 'Wait 5 s' }).click()
  await expect(path).toContainText('0:03The sound ends.')
  await simulator(page).getByRole('button', { name: '1', exact: true }).click()
  await expect(path).toContainText('Exit: Key 1')
  await expect(simulator(page).getByRole('list', { name: 'Now' })).toContainText('Rings')
  await expectNoViolations(page)
  await simulator(page).getByRole('button', { name: 'No answer' }).click()
  await expect(path).toContainText('Exit: No answer')
  await simulator(page).getByRole('button', { name: 'Hang up' }).click()
  await expect(simulator(page)).toContainText('The call is over')
  await page.getByRole('button', { name: 'Close simulator' }).click()

  await publish(page, 'First version')
  await expect(page.getByText('Version 1 is published. New calls use it.')).toBeVisible()
  await expect(page.getByText('Published version 1')).toBeVisible()

  await page.goto('/dashboard/numbers')
  await page.getByRole('link', { name: `Where it rings: ${offered.shown}` }).click()
  const rings = page.getByRole('region', { name: 'Rings' })
  await rings.getByLabel('Destination').selectOption('A flow')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(rings).toContainText('Choose a flow.')
  await rings.getByLabel('Flow', { exact: true }).selectOption('Main line')
  await page.getByRole('region', { name: 'If nobody answers' }).getByLabel('Then').selectOption('Voicemail')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem', { name: offered.shown })).toContainText(
    'Runs the flow “Main line”, then takes a message.',
  )
  await page.goto('/dashboard/flows')
  await expect(page.getByRole('row', { name: /Main line/ })).toContainText(offered.shown)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Delete Main line' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete flow' }).click()
  await expect(page.getByRole('dialog')).toContainText('A number still leads to this flow.')
})

test('edits can be undone, problems are shown while drawing, and unsaved work is not lost', async ({
  page,
  caller,
}) => {
  test.slow()
  await signIn(page, caller, '/dashboard/flows')
  await createFlow(page, 'Evening', 'Voicemail only')
  const voicemail = node(page, 'Voicemail')
  const nodes = page.locator('.react-flow__node')
  await voicemail.click()
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await expect(nodes).toHaveCount(3)
  await page.getByRole('button', { name: 'Close step' }).click()
  await expect(page.getByRole('button', { name: '1 warning' })).toBeVisible()
  await voicemail.first().click()
  await panel(page).getByLabel('After the message').selectOption('New step…')
  await page.getByRole('combobox', { name: 'Add a step' }).fill('another number')
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('Calls another number')
  await page.getByRole('button', { name: 'Close step' }).click()
  await expect(page.getByRole('button', { name: /problem/ })).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const refusal = page.getByRole('dialog', { name: 'Fix the problems first' })
  await expectNoViolations(page, '[role="dialog"]')
  await refusal
    .getByRole('button', { name: /Forward/ })
    .first()
    .click()
  await expect(panel(page).getByRole('list', { name: 'Problems of this step' })).toBeVisible()
  await panel(page).getByRole('button', { name: 'Delete' }).click()
  await expect(nodes).toHaveCount(3)
  for (const count of [4, 3, 2]) {
    await page.keyboard.press('Control+z')
    await expect(nodes).toHaveCount(count)
  }
  await page.keyboard.press('Control+Shift+z')
  await expect(nodes).toHaveCount(3)
  await nodes.last().focus()
  await page.keyboard.press('Enter')
  const before = await nodes.last().getAttribute('style')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => nodes.last().getAttribute('style')).not.toBe(before)
  await page.keyboard.press('Delete')
  await expect(nodes).toHaveCount(2)
  // The deletion, the move and the copy.
  for (let edit = 0; edit < 3; edit += 1) await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Unsaved changes')).toBeHidden()

  // Undo reaches the fields of a step that rings devices.
  await voicemail.click()
  await panel(page).getByLabel('After the message').selectOption('New step…')
  await page.getByRole('combobox', { name: 'Add a step' }).fill('your devices')
  await page.keyboard.press('Enter')
  const order = panel(page).getByLabel('How they ring')
  await order.selectOption('In order')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(order).toHaveValue('once')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Unsaved changes')).toBeHidden()

  // A value that is not valid.
  await voicemail.click()
  const length = panel(page).getByLabel('Longest message (seconds)')
  await length.fill('3')
  await expect(panel(page)).toContainText('Please enter a number from 5 to 300.')
  await length.fill('90')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Trunks' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('The draft was saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to flows' }).click()
  await expect(page.getByRole('row', { name: /Evening/ })).toContainText('Draft')
  // The user stays signed in on the landing page too.
  await page.getByRole('link', { name: /start page$/ }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
})

test('a session that ends while a flow is changed leads to the sign-in', async ({
  page,
  request,
  caller,
}) => {
  await signIn(page, caller, '/dashboard/flows')
  await createFlow(page, 'Late', 'Voicemail only')
  await node(page, 'Voicemail').click()
  await panel(page).getByLabel('Name').fill('Changed')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${token}` } })
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('alert').first()).toHaveText('Session expired. Please login again.')
})

test('a number that cannot be called is a problem while it is drawn, and the server refuses it too', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer, '/dashboard/flows')
  await page.route('**/api/flow-checks*', (route) => route.abort())
  await createFlow(page, 'Forward', 'Voicemail only')
  await node(page, 'Voicemail').click()
  await panel(page).getByLabel('After the message').selectOption('New step…')
  await page.getByRole('combobox', { name: 'Add a step' }).fill('forward')
  await page.keyboard.press('Enter')
  await panel(page).getByLabel('Name').fill('My mobile')
  const number = panel(page).getByLabel('Number', { exact: true })
  await number.fill('+44 20 7946 0958')
  for (const exit of ['No answer', 'Busy', 'Failed'])
    await panel(page).getByLabel(exit, { exact: true }).selectOption('Hang up')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish version 1' })
  await dialog.getByRole('button', { name: 'Publish' }).click()
  // A newcomer has no route and no balance.
  await expect(dialog.getByRole('alert')).toContainText(/Fix the problems .* My mobile: /)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.unroute('**/api/flow-checks*')
  await number.fill('+44 20 7946 0959')
  const problems = panel(page).getByRole('list', { name: 'Problems of this step' })
  await expect(problems).toContainText('Calls to +442079460959 are not possible.')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Fix the problems first' })).toContainText('My mobile')
})

test('a forward that the balance does not cover, and two equal keys, are shown while drawing', async ({
  page,
  request,
  caller,
}) => {
  const headers = await bearerOf(request, caller)
  const { user } = await (await request.get('/api/auth/me', { headers })).json()
  const { send } = await asAdmin(request)
  const taken = {
    user_id: user.id,
    amount: -20,
    reason: 'for a story',
    request_key: `gone-${caller.username}`,
  }
  await send('post', '/api/admin/balance-adjustments', taken)
  const at = { x: 0, y: 0, name: '' }
  const sound = { kind: 'text', text: 'Press 1.', language: 'en' }
  const number = { number: LONDON, callerId: 'number', seconds: 20 }
  const [toEnd, toForward] = ['end', 'forward']
  const steps = [
    {
      ...at,
      id: 'menu',
      kind: 'menu',
      sound,
      keys: ['1', '1'],
      repeats: 1,
      seconds: 5,
      exits: { key_1: toForward, timeout: toEnd, wrong_key: toEnd, failed: toEnd },
    },
    {
      ...at,
      ...number,
      x: 400,
      id: toForward,
      kind: 'forward',
      exits: { no_answer: toEnd, busy: toEnd, failed: toEnd },
    },
    { ...at, x: 800, id: toEnd, kind: 'hangup', exits: {} },
  ]
  const data = { name: 'Poor', flow: { start: 'menu', steps } }
  const { flow } = await (await request.post('/api/flows', { headers, data })).json()
  await signIn(page, caller, `/dashboard/flows/${flow.id}`)
  await node(page, 'Forward').click()
  await expect(panel(page)).toContainText(`Your balance does not cover a call to ${LONDON}. Top up first.`)
  await node(page, 'Menu').click()
  await expect(panel(page)).toContainText('Two choices have the key 1.')
  const key = panel(page).getByRole('checkbox', { name: 'Key 1', exact: true })
  await key.press('Space')
  await expect(key).not.toBeChecked()
  await key.press('Space')
  await expect(panel(page)).not.toContainText('Two choices have the key 1.')
})

test('a draft that was saved in another window is not replaced unseen', async ({ page, request, caller }) => {
  await signIn(page, caller, '/dashboard/flows')
  await createFlow(page, 'Shared', 'Voicemail only')
  const id = Number(page.url().split('/').at(-1))
  const headers = await bearerOf(request, caller)
  const { flow } = await (await request.get(`/api/flows/${id}`, { headers })).json()
  const steps = flow.draft.steps.map((step: object) => ({ ...step, name: 'Theirs' }))
  const data = { version: flow.version, flow: { ...flow.draft, steps } }
  expect((await request.patch(`/api/flows/${id}`, { headers, data })).ok()).toBe(true)
  await node(page, 'Voicemail').click()
  await panel(page).getByLabel('Name').fill('Mine')
  await page.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog', { name: 'Someone else just changed this flow' })
  await expectNoViolations(page, '[role="dialog"]')
  await question.getByRole('button', { name: 'Load the other version' }).click()
  await expect(page.locator('.react-flow__node').first()).toContainText('Theirs')

  // The other window saves again while the list is open here.
  await page.getByRole('link', { name: 'Back to flows' }).click()
  await expect(page.getByRole('button', { name: 'New flow' })).toBeVisible()
  const { flow: second } = await (await request.get(`/api/flows/${id}`, { headers })).json()
  const newer = second.draft.steps.map((step: object) => ({ ...step, name: 'Newer' }))
  const again = { version: second.version, flow: { ...second.draft, steps: newer } }
  expect((await request.patch(`/api/flows/${id}`, { headers, data: again })).ok()).toBe(true)
  await page.getByRole('link', { name: 'Shared' }).click()
  await expect(page.locator('.react-flow__node').first()).toContainText('Newer')
})

test('versions are listed, compared and brought back, and a flow is exported and imported', async ({
  page,
  caller,
}) => {
  test.slow()
  await signIn(page, caller, '/dashboard/flows')
  await createFlow(page, 'Holidays', 'Voicemail only')
  await publish(page, 'First')
  await node(page, 'Voicemail').click()
  await panel(page).getByLabel('Longest message (seconds)').fill('60')
  await expect(page.getByText('Published version 1')).toBeVisible()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish version 2' })
  await expect(dialog.getByRole('list', { name: 'Differences' })).toContainText('120 → 60')
  await dialog.getByLabel('Note').fill('Shorter messages')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published version 2')).toBeVisible()

  await page.getByRole('button', { name: 'Versions' }).click()
  const drawer = page.getByRole('dialog', { name: 'Versions' })
  await expect(drawer.getByRole('listitem', { name: 'Version 2' })).toContainText('Shorter messages')
  await drawer.getByLabel('From').selectOption('Version 1')
  await drawer.getByLabel('To', { exact: true }).selectOption('Version 2')
  await expect(drawer.getByRole('list', { name: 'Differences' })).toContainText('120 → 60')
  await expectNoViolations(page, '[role="dialog"]')
  await drawer.getByRole('button', { name: 'Go back to version 1' }).click()
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changed since version 2')).toBeVisible()

  await page.getByRole('button', { name: 'Export and import' }).click()
  const downloads = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as JSON' }).click()
  const file = await (await downloads).path()
  const exported = JSON.parse(await readFile(file, 'utf8'))
  expect(exported).toMatchObject({ name: 'Holidays', start: 'voicemail' })
  await page.getByRole('link', { name: 'Back to flows' }).click()
  await expect(page.getByRole('button', { name: 'New flow' })).toBeVisible()
  const input = page.getByLabel('Flow file')
  const bytes = (content: string) => Buffer.from(content)
  await input.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: bytes('no flow') })
  await expect(page.getByText('This file is not JSON.')).toBeVisible()
  exported.steps[0].kind = 'dance'
  const wrong = bytes(JSON.stringify(exported))
  await input.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: wrong })
  await expect(page.getByText(/The flow could not be imported\. steps\.0/)).toBeVisible()
  await page.getByRole('link', { name: 'Holidays' }).click()
  await node(page, 'Voicemail').waitFor()
  await input.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: wrong })
  await expect(page.getByText(/The flow could not be imported\. steps\.0/)).toBeVisible()
  exported.steps[0].kind = 'voicemail'
  exported.steps[0].name = 'Imported'
  const right = bytes(JSON.stringify(exported))
  await input.setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer: right })
  await expect(node(page, 'Imported')).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  await page.getByRole('link', { name: 'Back to flows' }).click()
  await expect(page.getByRole('button', { name: 'New flow' })).toBeVisible()
  await input.setInputFiles(file)
  await expect(page.getByRole('heading', { name: 'Holidays 2', level: 2 })).toBeVisible()
})

test('on a phone a flow is read, tried and published', async ({ page, caller }) => {
  test.slow()
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, caller, '/dashboard/flows')
  await createFlow(page, 'Pocket', 'Reception')
  const steps = page.getByRole('list', { name: 'Steps' })
  await expect(steps.getByRole('listitem').first()).toContainText('Calls start here')
  await expect(page.locator('.react-flow')).toHaveCount(0)
  await steps.getByRole('button', { name: 'Welcome' }).first().click()
  await expect(steps.getByRole('listitem', { name: 'Welcome' })).toBeInViewport()
  await page.getByRole('button', { name: 'Try it' }).click()
  await simulator(page).getByLabel('Time of the call').fill('2026-11-15T10:00')
  await simulator(page).getByRole('button', { name: 'Start call' }).click()
  // A Sunday.
  await expect(simulator(page)).toContainText('Exit: Closed')
  await expectNoViolations(page)
  await publish(page, 'From my phone')
  await expect(page.getByText('Published version 1')).toBeVisible()
})
