import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { demo, expect, LONDON, signIn, test } from '../support/calls.ts'

/** A plan, a route and two trunks in a country that only this story uses. */
async function createPlan(request: APIRequestContext) {
  const { send } = await asAdmin(request)
  const name = `Routing ${randomBytes(4).toString('hex')}`
  await send('post', '/api/plans', { name })
  const route = { country: 'LI', name: `${name} route`, planname: name, price: 0.05 }
  await send('post', '/api/routes', route)
  for (const [of, buy_rate, priority] of [
    ['North', 0.02, 100],
    ['South', 0.01, 200],
  ])
    await send('post', '/api/trunks', {
      name: `${name} ${of}`,
      host: 'sip.carrier.example',
      buy_rate,
      priority,
      plans: [name],
      country: 'LI',
    })
  return name
}

const cardOf = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

test('an administrator simulates a rule, saves it, and a traced number follows it', async ({
  page,
  request,
  callEnds,
}) => {
  const name = await createPlan(request)
  await callEnds({ to: LONDON })
  await signIn(page, demo.admin, '/admin-panal/trunks')
  await page.getByRole('link', { name: 'Routing rules' }).click()
  await expect(page.getByRole('heading', { name: 'Routing rules', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Add rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add routing rule' })

  // The demo's own plan has calls to replay. Nothing of it is saved.
  await dialog.getByLabel('Plan', { exact: true }).selectOption({ index: 1 })
  await dialog.getByLabel('First trunk').selectOption('Least cost')
  await dialog.getByRole('button', { name: 'Simulate last week' }).click()
  const simulation = dialog.getByRole('region', { name: 'Simulation' })
  const trunks = simulation.getByRole('table', { name: 'Trunks before and after' })
  await expect(trunks.getByRole('columnheader')).toHaveText(['Trunk', 'Tried first', 'Cost', 'ASR'])
  await expect(trunks.getByRole('row').nth(1)).toContainText('→')
  await expect(simulation).toContainText('A call that would begin on the same trunk stays as it was.')
  await expectNoViolations(page, '[role=dialog]')

  await dialog.getByLabel('Plan', { exact: true }).selectOption(name)
  await expect(trunks).toBeHidden()
  await dialog.getByLabel('Country').selectOption('LI')
  await dialog.getByLabel('First trunk').selectOption('Shares')
  const share = (of: string) => dialog.getByLabel(`Share of ${name} ${of} in percent`)
  await share('North').fill('30')
  await expect(dialog.getByText('70% remaining')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save rule' }).click()
  await expect(dialog.getByText('The shares must be whole percentages that sum to 100.')).toBeVisible()
  await share('South').fill('70')
  await expect(dialog.getByText('All 100% are assigned.')).toBeVisible()
  await dialog.getByLabel('First trunk').selectOption('Fixed order')
  const order = dialog.getByRole('list', { name: 'Order of the trunks' })
  await expect(order.getByRole('listitem')).toContainText([`${name} North`, `${name} South`])
  // By keyboard.
  await dialog.getByRole('button', { name: `Try ${name} South earlier` }).press('Enter')
  await expect(order.getByRole('listitem')).toContainText([`${name} South`, `${name} North`])
  await dialog.getByRole('checkbox', { name: 'Try a trunk last while its ASR is low' }).check()
  await dialog.getByLabel('Lowest ASR (%)').fill('0')
  await dialog.getByRole('button', { name: 'Save rule' }).click()
  await expect(dialog.getByText('Please enter a threshold from 1 to 100 percent.')).toBeVisible()
  await dialog.getByLabel('Lowest ASR (%)').fill('35')
  await dialog.getByRole('button', { name: 'Save rule' }).click()
  await expect(dialog).toBeHidden()

  const card = cardOf(page, `${name}, Liechtenstein`)
  await expect(card).toContainText(`${name} South, then ${name} North`)
  await expect(card).toContainText('below 35%')
  await expectNoViolations(page)

  await page.goto(`/admin-panal/trunks?view=order&number=${encodeURIComponent('+423 236 7000')}`)
  const traced = page.getByRole('list', { name: `Trunks of ${name} route in order` })
  await expect(traced.getByRole('listitem')).toContainText([`${name} South`, `${name} North`])
  await expect(page.getByText('Routing rule for this country: fixed order')).toBeVisible()

  await page.goto('/admin-panal/trunks/routing')
  await card.getByRole('button', { name: `Delete ${name}, Liechtenstein` }).click()
  const question = page.getByRole('dialog', { name: `Delete the rule of ${name}, Liechtenstein?` })
  await question.getByRole('button', { name: 'Delete rule' }).click()
  await expect(question).toBeHidden()
  await expect(card).toBeHidden()
})

test('the routing rules say when they cannot be loaded', async ({ page }) => {
  const rules = '**/api/admin/routing-rules'
  let fails = true
  await page.route(rules, (route) => (fails ? route.abort() : route.continue()))
  await signIn(page, demo.admin, '/admin-panal/trunks/routing')
  const retry = page.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  const asked = page.waitForRequest(rules)
  await retry.click()
  await asked
  fails = false
  // The page also tries again by itself.
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 })
    await expect(retry).toBeHidden({ timeout: 5_000 })
  }).toPass()
})
