import type { Page } from '@playwright/test'
import { signIn } from '../support/calls.ts'
import { createFlow, node, publish } from '../support/flows.ts'
import { expect, test } from '../support/phone.ts'
import { openPublicNetwork } from '../support/public-network.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Step', exact: true })
const simulator = (page: Page) => page.getByRole('region', { name: 'Simulator' })

const PACKET_MS = 20
const SECOND_MS = 1_000

test('a customer draws, tries, publishes and calls a flow', async ({ page, request, portal, caller }) => {
  const network = await openPublicNetwork(request, portal, caller)
  await signIn(page, caller, '/dashboard/flows')
  await createFlow(page, 'Evening', 'Voicemail only')
  await node(page, 'Voicemail').click()
  await panel(page).getByLabel('Name').fill('Take a message')
  await page.getByRole('button', { name: 'Close step' }).click()
  await expect(node(page, 'Take a message')).toBeVisible()

  await page.getByRole('button', { name: 'Try it' }).click()
  await simulator(page).getByRole('button', { name: 'Start call' }).click()
  const path = simulator(page).getByRole('list', { name: 'Path of the call' })
  await expect(path).toContainText('Take a message')
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
  let call = await network.dial()
  while ((await call.ended).status !== 200) call = await network.dial()
  // The caller speaks all the time: during the greeting, and after the beep.
  const talking = setInterval(() => call.speech.say(1), PACKET_MS)
  await expect.poll(() => call.speech.heard()).toBeGreaterThan((12 * SECOND_MS) / PACKET_MS)
  clearInterval(talking)
  await call.hangUp()

  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Voicemail/ })
    .click()
  const message = page.getByRole('listitem', { name: /^Message from/ })
  await expect(message).toContainText('Paula')
  await message.getByRole('button', { name: 'Play the message' }).click()
  await expect(message.getByRole('button', { name: 'Pause the message' })).toBeVisible()

  await page.goto('/dashboard/cdr-report?direction=in')
  // The newest call is first.
  await page
    .getByRole('link', { name: /^Details of/ })
    .first()
    .click()
  const flow = page.getByRole('dialog', { name: /Call from/ }).getByRole('region', { name: 'Flow' })
  await expect(flow).toContainText('Evening, version 1')
  await expect(flow.getByRole('listitem').first()).toContainText('Take a message')
  network.close()
})
