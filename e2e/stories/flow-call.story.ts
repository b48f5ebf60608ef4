import type { APIRequestContext, Page } from '@playwright/test'
import { mediaTarget } from '../../sandbox/carriers/sip-message.ts'
import { openSoundEnd } from '../../sip/test/sound-end.ts'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, signIn } from '../support/calls.ts'
import { createFlow, node, publish } from '../support/flows.ts'
import { expect, test } from '../support/phone.ts'
import { CARRIER, openPublicNetwork } from '../support/public-network.ts'
import { heldAnswer, type Person } from '../support/story.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Step', exact: true })
const simulator = (page: Page) => page.getByRole('region', { name: 'Simulator' })

/** The signature that the caller plays as speech. */
const VOICE = 20
/** Enough for the beep and a message, after a key has skipped the greeting. */
const MESSAGE_SECONDS = 6

test('a customer draws, tries, publishes and calls a flow', async ({ page, request, portal, caller }) => {
  const network = await openPublicNetwork(request, portal, caller)
  await signIn(page, caller, '/dashboard/flows')
  await createFlow(page, 'Evening', 'Voicemail only')
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('combobox', { name: 'Add a step' }).fill('play')
  await page.keyboard.press('Enter')
  await panel(page).getByLabel('Name').fill('Thank you')
  await panel(page).getByLabel('Text', { exact: true }).fill('Thank you. Goodbye.')
  for (const exit of ['Then', 'Failed'])
    await panel(page).getByLabel(exit, { exact: true }).selectOption('Hang up')
  await page.getByRole('button', { name: 'Close step' }).click()
  await node(page, 'Voicemail').click()
  await panel(page).getByLabel('Name').fill('Take a message')
  await panel(page).getByLabel('After the message').selectOption('Thank you')
  await page.getByRole('button', { name: 'Close step' }).click()
  await expect(page.getByLabel('Take a message, After the message: leads to Thank you')).toBeAttached()
  await expect(page.getByLabel('Thank you, Then: leads to Hang up')).toBeAttached()
  await expectNoViolations(page)

  await page.getByRole('button', { name: 'Try it' }).click()
  await simulator(page).getByRole('button', { name: 'Start call' }).click()
  const path = simulator(page).getByRole('list', { name: 'Path of the call' })
  await expect(path).toContainText('Take a message')
  await simulator(page).getByRole('button', { name: 'The sound ends' }).click()
  await simulator(page).getByRole('button', { name: 'Leave a message' }).click()
  await expect(path).toContainText('Plays “Thank you. Goodbye.”')
  await simulator(page).getByRole('button', { name: 'The sound ends' }).click()
  await expect(simulator(page)).toContainText('The call is over')
  await page.getByRole('button', { name: 'Close simulator' }).click()
  await publish(page, 'For the evening')
  await expect(page.getByText('Published version 1')).toBeVisible()

  await page.goto('/dashboard/numbers')
  await page.getByRole('link', { name: /^Where it rings: / }).click()
  const rings = page.getByRole('region', { name: 'Rings' })
  await rings.getByLabel('Destination').selectOption('A flow')
  await rings.getByLabel('Flow', { exact: true }).selectOption('Evening')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem')).toContainText(['Runs the flow “Evening”.'])

  // Call control learns of the new plan a moment after the portal has saved it.
  const sound = await openSoundEnd(CARRIER)
  const dial = () => network.dial(undefined, sound.describe)
  let call = await dial()
  while ((await call.ended).status !== 200) call = await dial()
  sound.aim(mediaTarget((await call.ended).body))
  sound.plays(VOICE)
  sound.press('1')
  sound.forget()
  await expect.poll(sound.heardSeconds).toBeGreaterThan(MESSAGE_SECONDS)
  sound.press('#')
  // The flow thanks and hangs up.
  await call.isHungUp()
  sound.close()

  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Voicemail/ })
    .click()
  const message = page.getByRole('listitem', { name: /^Message from/ })
  await expect(message).toContainText('Paula')
  await message.getByRole('button', { name: 'Play the message' }).click()
  await expect(message.getByRole('button', { name: 'Pause the message' })).toBeVisible()

  await page.goto('/dashboard/cdr-report?direction=in&status=completed')
  // The newest call is first.
  await page
    .getByRole('link', { name: /^Details of/ })
    .first()
    .click()
  const flow = page.getByRole('dialog', { name: /Call from/ }).getByRole('region', { name: 'Flow' })
  await expect(flow).toContainText('Evening, version 1')
  await expect(flow.getByRole('listitem').first()).toContainText('Take a message')
  await expect(flow).toContainText(/Take a message.*Thank you.*The flow hangs up/)
  network.close()
})

/** Publishes a flow with a queue and leads the customer's number to it. */
async function openQueue(request: APIRequestContext, customer: Person): Promise<void> {
  const headers = await bearerOf(request, customer)
  const send = async (method: 'post' | 'patch', path: string, data: object) => {
    const answer = await request[method](path, { headers, data })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return answer.json()
  }
  const at = { x: 0, y: 0, exits: {} }
  const queue = {
    ...at,
    id: 'queue',
    name: 'Sales',
    kind: 'queue',
    music: { kind: 'text', text: 'Please wait.', language: 'en' },
    announcesPosition: true,
    devices: 'phones',
    ringSeconds: 20,
    maxSeconds: 600,
    maxWaiting: 5,
  }
  const exits = { timeout: 'end', full: 'end', failed: 'end' }
  const steps = [
    { ...queue, exits },
    { ...at, id: 'end', name: '', kind: 'hangup' },
  ]
  const { flow } = await send('post', '/api/flows', { name: 'Shop', flow: { start: 'queue', steps } })
  await send('post', `/api/flows/${flow.id}/publish`, { version: 1 })
  const [rented] = (await (await request.get('/api/numbers', { headers })).json()).numbers
  const destination = { kind: 'flow', flowId: flow.id }
  const ring_plan = { ...rented.ring_plan, destination, fallback: null }
  await send('patch', `/api/numbers/${rented.id}`, { ring_plan, version: rented.version })
}

test('callers who wait in a queue are shown live', async ({ page, request, portal, caller }) => {
  test.slow()
  const network = await openPublicNetwork(request, portal, caller)
  await page.route('**/api/queues', (route) => route.abort())
  await signIn(page, caller, '/dashboard/flows/queues')
  await expect(page.getByRole('alert')).toContainText('Try again')
  await page.unroute('**/api/queues')
  const held = await heldAnswer(page, '**/api/queues')
  await page.getByRole('button', { name: 'Try again' }).click()
  await held.asked
  held.answer()
  await expect(page.getByText('No queues yet')).toBeVisible()
  await expectNoViolations(page)
  await page.unroute('**/api/queues')

  await openQueue(request, caller)
  const sales = page.getByRole('region', { name: 'Sales in Shop' })
  await expect(sales).toContainText('Nobody is waiting.')
  const wait = async (from: string) => {
    // Call control learns of the new plan a moment after the portal has saved it.
    for (;;) {
      const call = await network.dial(from)
      if ((await call.ended).status === 200) return call
    }
  }
  const first = await wait('"Paula" <sip:+33140506070@carrier.example>')
  const rows = sales.getByRole('row')
  await expect(rows).toHaveText([/Position/, /^1\+33 1 40 50 60 70Paula.*\d:\d\d$/])
  const second = await wait('<sip:+33140506071@carrier.example>')
  await expect(rows).toHaveText([/Position/, /^1\+33 1 40 50 60 70/, /^2\+33 1 40 50 60 71/])
  await expectNoViolations(page)
  await sales.getByRole('link', { name: 'Shop' }).click()
  await expect(page.getByRole('link', { name: '2 waiting' })).toBeVisible()
  await first.hangUp()
  await page.getByRole('link', { name: '1 waiting' }).click()
  await expect(rows).toHaveText([/Position/, /^1\+33 1 40 50 60 71/])

  // What was read stays, and the reader learns that it is old.
  await page.route('**/api/queues', (route) => route.abort())
  await expect(page.getByText('This list is not being updated.')).toBeVisible()
  await expect(rows).toHaveCount(2)
  await page.unroute('**/api/queues')
  await second.hangUp()
  await expect(sales).toContainText('Nobody is waiting.')
  network.close()
})
