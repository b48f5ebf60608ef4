import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { downloadFrom } from '../support/downloads.ts'
import { bearerOf } from '../support/payments.ts'
import { demo, expect, signIn, test } from '../support/story.ts'

const REYKJAVIK = '+354 515 0300'

/** Creates a plan, a route and a trunk in a country that only this story uses. */
async function createCatalogue(request: APIRequestContext, country = 'IS') {
  const headers = await bearerOf(request, demo.admin)
  const name = `Story ${randomBytes(4).toString('hex')}`
  const ask = async (method: 'get' | 'post' | 'patch' | 'put', path: string, data?: object) => {
    const answer = await request[method](`/api/${path}`, { headers, ...(data && { data }) })
    expect(answer.ok(), await answer.text()).toBe(true)
    return answer.json()
  }
  await ask('post', 'plans', { name })
  const addTrunk = async (of: string, given: object = {}) => {
    const trunk = {
      name: `${name} ${of}`,
      host: 'sip.carrier.example',
      buy_rate: 0.01,
      plans: [name],
      country,
    }
    return (await ask('post', 'trunks', { ...trunk, ...given })).trunk as { id: number; name: string }
  }
  const addRoute = async (given: object = {}) =>
    (await ask('post', 'routes', { country, name: `${name} route`, planname: name, price: 0.02, ...given }))
      .route
  return { name, ask, addTrunk, addRoute }
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
/** Opens the details of a carrier below its row. */
async function openCard(page: Page, name: string) {
  await cardOf(page, name).getByRole('button', { name, exact: true }).click()
  return cardOf(page, name)
}
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const open = (page: Page, view: string) => page.goto(`/admin-panal/trunks?view=${view}`)

test('an administrator adds a plan and a carrier; a second one sees the conflict before saving', async ({
  page,
  request,
}) => {
  const { name, ask } = await createCatalogue(request)
  await signIn(page, demo.admin)
  await page.getByRole('link', { name: 'Trunks & Plans' }).click()
  // Not the "Add Trunk/Route" of the dashboard, which is visible until this screen loads.
  await page.getByRole('button', { name: 'Add trunk', exact: true }).click()
  const form = dialogOf(page, 'Add trunk')
  await form.getByLabel('Name', { exact: true }).fill(`${name} North`)
  await form.getByLabel('Host').fill('not a host')
  await form.getByLabel('Username').fill('us')
  await form.getByLabel('Password', { exact: true }).fill('carrier-secret')
  await form.getByLabel('Country').selectOption('Iceland')
  await form.getByRole('checkbox', { name }).check()
  await form.getByLabel('Capacity').fill('none')
  await form.getByRole('button', { name: 'Add trunk' }).click()
  await expect(form.getByText('Please enter an IP address or a hostname.')).toBeVisible()
  await expect(form.getByLabel('Host')).toBeFocused()
  await expect(form.getByText('Please enter a whole number from 1 to 100000.')).toBeVisible()
  await expect(form.getByText('Please enter a price in dollars per minute')).toBeVisible()
  await form.getByLabel('Host').fill('sip.north.example')
  await form.getByLabel('Capacity').fill('40')
  await form.getByLabel('Buy rate').fill('0.0125')
  await form.getByRole('button', { name: 'Add trunk' }).click()
  await expect(page.getByRole('alert')).toHaveText(`${name} North was added.`)

  const card = await openCard(page, `${name} North`)
  await expect(card).toContainText('sip.north.example:5060')
  await expect(card).toContainText('UDP · authenticated')
  await expect(card).toContainText('$0.0125 / min')
  await expect(card).toContainText('0 of 40 calls')
  await card.getByRole('button', { name: 'Make' }).click()
  await expect(card).toContainText('Primary for Iceland')

  await card.getByRole('button', { name: 'Edit' }).click()
  const edit = dialogOf(page, `Edit ${name} North`)
  await expect(edit.getByLabel('Password', { exact: true })).toHaveValue('')
  await expect(page.locator('body')).not.toContainText('carrier-secret')
  await edit.getByLabel('Provider').fill('North Telecom')
  const { trunks } = await ask('get', 'trunks')
  const { id } = trunks.find((trunk: { name: string }) => trunk.name === `${name} North`)
  await ask('patch', `trunks/${id}`, { capacity: 55 })
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByRole('alert')).toContainText('Someone else just changed this.')
  await expect(edit.getByRole('alert')).toContainText('Capacity: 40 → 55')
  await expect(edit.getByLabel('Provider')).toHaveValue('North Telecom')
  await expect(edit.getByLabel('Capacity')).toHaveValue('55')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('North Telecom')
  await expect(card).toContainText('0 of 55 calls')

  await card.getByRole('button', { name: 'Deactivate' }).click()
  await expect(card.getByText('Inactive', { exact: true })).toBeVisible()
  await card.getByRole('button', { name: 'Activate' }).click()
  await expect(card.getByText('Inactive', { exact: true })).toBeHidden()

  // The demo switch does not contact carriers.
  await card.getByRole('button', { name: 'Test' }).click()
  await expect(card).toContainText('no switch with carrier access is connected')
  await expect(card).toContainText('The demo switch simulates calls')

  await open(page, 'plans')
  const plan = page.getByRole('listitem', { name, exact: true })
  await expect(plan).toContainText(`${name} North`)
  await expect(plan.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await plan.getByRole('button', { name: 'Rename' }).click()
  await ask('patch', `plans/${(await planOf(ask, name)).id}`, { name: `${name} B` })
  const rename = dialogOf(page, `Rename ${name}`)
  await rename.getByLabel('Name').fill(`${name} C`)
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect(rename.getByRole('alert')).toContainText(`Name: ${name} → ${name} B`)
  // The list of trunks still has the old name when the new one is on the screen.
  const late = Promise.withResolvers<void>()
  await page.route('**/api/trunks', (route) => late.promise.then(() => route.continue()))
  await rename.getByRole('button', { name: 'Rename' }).click()
  const renamed = page.getByRole('listitem', { name: `${name} C` })
  await renamed.getByRole('button', { name: 'Trunks' }).click()
  await dialogOf(page, `Trunks of ${name} C`)
    .getByRole('checkbox', { name: `${name} North` })
    .uncheck()
  await dialogOf(page, `Trunks of ${name} C`).getByRole('button', { name: 'Save' }).click()
  await expect(renamed).toContainText('No trunks')
  late.resolve()
  await renamed.getByRole('button', { name: 'Delete' }).click()
  await dialogOf(page, `Delete ${name} C?`).getByRole('button', { name: 'Delete plan' }).click()
  await expect(page.getByText('Plan deleted.')).toBeVisible()
  await expect(renamed).toBeHidden()
})

const planOf = async (ask: Awaited<ReturnType<typeof createCatalogue>>['ask'], name: string) =>
  (await ask('get', 'admin/plans')).plans.find((plan: { name: string }) => plan.name === name)

test('an administrator changes the failover order by keyboard, traces a number, and sees dependent routes before deleting', async ({
  page,
  request,
}) => {
  const { name, ask, addTrunk, addRoute } = await createCatalogue(request)
  await addRoute()
  const [first, second, dear] = [
    await addTrunk('First', { priority: 300 }),
    await addTrunk('Second', { priority: 301, strip_digits: 3, add_prefix: '77' }),
    await addTrunk('Dear', { priority: 299, buy_rate: 0.5 }),
  ]
  await signIn(page, demo.admin, `/admin-panal/trunks?view=order&plan=${encodeURIComponent(name)}&country=IS`)
  const order = page.getByRole('list', { name: 'Trunks in the order they are tried' })
  const names = () => order.getByRole('listitem').allInnerTexts()
  await expect
    .poll(async () => (await names()).map((text) => text.match(/First|Second|Dear/)?.[0]))
    .toEqual([...['Dear', 'First', 'Second']])
  await order.getByRole('button', { name: `Try ${second.name} earlier` }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(`${second.name} is now tried before ${first.name}.`)
  await expect
    .poll(async () => (await names()).map((text) => text.match(/First|Second|Dear/)?.[0]))
    .toEqual([...['Dear', 'Second', 'First']])

  await page.getByRole('textbox', { name: 'Try a number' }).fill(REYKJAVIK)
  await page.getByRole('button', { name: 'Trace route' }).click()
  const way = page.getByRole('list', { name: `Trunks of ${name} route in order` })
  await expect(way.getByRole('listitem').first()).toContainText(second.name)
  await expect(way.getByRole('listitem').first()).toContainText('775150300')
  await expect(way.getByRole('listitem').last()).toContainText(first.name)
  await expect(page.getByRole('list', { name: `Skipped on ${name} route` })).toContainText(
    `${dear.name} costs more than the price of the route ($0.50)`,
  )
  await ask('patch', `trunks/${first.id}`, { status: 'inactive' })
  await page.getByRole('button', { name: 'Trace route' }).click()
  await expect(page.getByRole('list', { name: `Skipped on ${name} route` })).toContainText(
    `${first.name} is inactive`,
  )
  await page.getByRole('textbox', { name: 'Try a number' }).fill('12')
  await page.getByRole('button', { name: 'Trace route' }).click()
  await expect(page.getByText('This number is not valid.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Try a number' }).fill(REYKJAVIK.replace(/^\+?354/, ''))
  await page.getByRole('combobox', { name: 'Home country of the caller' }).selectOption('IS')
  await page.getByRole('button', { name: 'Trace route' }).click()
  await expect(way.getByRole('listitem').first()).toContainText(second.name)

  await ask('patch', `trunks/${dear.id}`, { status: 'inactive' })
  await open(page, 'carriers')
  await page.getByRole('searchbox', { name: 'Search carriers' }).fill(name)
  await (await openCard(page, second.name)).getByRole('button', { name: 'Delete' }).click()
  const ask1 = dialogOf(page, `Delete ${second.name}?`)
  await expect(ask1).toContainText('1 route has no other active trunk')
  await expect(ask1).toContainText(`${name} route (Iceland)`)
  await ask1.getByRole('button', { name: 'Cancel' }).click()
  await (await openCard(page, first.name)).getByRole('button', { name: 'Delete' }).click()
  await expect(dialogOf(page, `Delete ${first.name}?`)).toContainText('has another active trunk')
  await dialogOf(page, `Delete ${first.name}?`).getByRole('button', { name: 'Delete trunk' }).click()
  await expect(page.getByText('Trunk deleted.')).toBeVisible()
  await expect(cardOf(page, first.name)).toBeHidden()
})

const file = (text: string) => ({ name: 'deck.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

test('a rate deck is previewed and then applied exactly as shown', async ({ page, request }) => {
  const { name, ask, addTrunk, addRoute } = await createCatalogue(request)
  await addRoute({ price: 0.02 })
  const trunk = await addTrunk('Deck')
  const rates = [
    { prefix: '354', price: 0.01 },
    { prefix: '3546', price: 0.015 },
    { prefix: '47', price: 0.004 },
  ]
  await ask('put', `trunks/${trunk.id}/rates`, { rates })
  await signIn(page, demo.admin, `/admin-panal/trunks?view=rates&list=trunk-${trunk.id}`)
  await expect(page.getByText('3 prefixes, $0.01 / min otherwise')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search by prefix or number' }).fill('354612345')
  await expect(page.getByText('2 prefixes found')).toBeVisible()
  await expect(page).toHaveURL(/find=%22354612345%22/)
  await page.getByRole('button', { name: 'Clear search' }).click()

  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = dialogOf(page, `Import rates for ${trunk.name}`)
  const deck =
    'Dial Code;Country;Rate\r\n354;Iceland;0,03\r\n3546;"Iceland; mobile";0,012\r\n45;Denmark;0,003\r\n'
  await dialog.getByLabel('Rate deck').setInputFiles(file(`${deck}46;Sweden;free\r\n`))
  await expect(dialog.getByRole('list', { name: 'Invalid lines' })).toHaveText(
    'Line 5: “free” isn’t a price in dollars.',
  )
  await expect(dialog.getByRole('button', { name: 'Apply 4 changes' })).toBeDisabled()
  await expect(dialog).toContainText('Columns used: Dial Code, Rate. Ignored: Country.')
  await expect(dialog.getByRole('list', { name: 'Losses' })).toContainText(
    `${name} route over ${trunk.name}: 1 prefix, such as +354 at $0.03, sold at $0.02`,
  )
  for (const [tab, row] of [
    ['New 1', /\+45.*–.*\$0\.003/],
    ['Higher 1', /\+354.*\$0\.01.*\$0\.03/],
    ['Lower 1', /\+3546.*\$0\.015.*\$0\.012/],
    ['Removed 1', /\+47.*\$0\.004.*–/],
  ] as const) {
    await dialog.getByRole('tab', { name: tab }).click()
    await expect(dialog.getByRole('table').getByRole('row').last()).toHaveText(row)
  }
  const search = dialog.getByRole('searchbox', { name: 'Search the changes by prefix' })
  await search.fill('999')
  await expect(dialog.getByText('No matching rates.')).toBeVisible()
  await expect(search).toHaveValue('999')
  await expect(search).toBeFocused()
  await dialog.getByLabel('Prefixes not in the file').selectOption('merge')
  await expect(dialog.getByRole('tab', { name: 'Removed 0' })).toBeVisible()
  await expect(dialog.getByRole('tab', { name: 'Unchanged 1' })).toBeVisible()

  // Someone else changes a rate after the preview.
  await dialog.getByLabel('Rate deck').setInputFiles(file(deck))
  await expect(dialog.getByRole('button', { name: 'Apply 3 changes' })).toBeEnabled()
  await ask('put', `trunks/${trunk.id}/rates`, { rates: [...rates, { prefix: '46', price: 0.002 }] })
  await dialog.getByRole('button', { name: 'Apply 3 changes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The rates changed after you checked this file.')
  await dialog.getByRole('button', { name: 'Check again' }).click()
  await expect(dialog.getByRole('tab', { name: 'Unchanged 2' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Apply 3 changes' }).click()
  await expect(page.getByRole('alert')).toHaveText(`${trunk.name} now has 5 prefix rates.`)
  await expect(page.getByRole('table').getByRole('row')).toHaveText([
    'PrefixTermsPrice',
    ...[/\+354.*\$0\.03/, /\+3546.*\$0\.012/, /\+45.*\$0\.003/, /\+46.*\$0\.002/, /\+47.*\$0\.004/],
  ])

  const { text } = await downloadFrom(page.getByRole('button', { name: 'Export CSV' }))
  expect(text).toBe(
    [
      'prefix,price,connect fee,first increment,next increment',
      ...['354,0.03', '3546,0.012', '45,0.003', '46,0.002', '47,0.004'].map((rate) => `${rate},0.00,1,1`),
      '',
    ].join('\r\n'),
  )
})

test('a deck for next week is planned, shown until then, and can be canceled', async ({
  page,
  request,
}, info) => {
  const { ask, addTrunk } = await createCatalogue(request)
  const trunk = await addTrunk('Later')
  await ask('put', `trunks/${trunk.id}/rates`, { rates: [{ prefix: '354', price: 0.01 }] })
  await signIn(page, demo.admin, `/admin-panal/trunks?view=rates&list=trunk-${trunk.id}`)
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = dialogOf(page, `Import rates for ${trunk.name}`)
  const day = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10)
  const deck = `Code,Rate,Increments,Effective Date\n354,0.02,60/60,${day}\n47,0.003,60/60,${day}\n`
  await dialog.getByLabel('Rate deck').setInputFiles(file(deck))
  await expect(dialog.getByText('The file has rates from')).toBeVisible()
  await dialog.getByRole('button', { name: 'Plan for that day' }).click()
  await expect(dialog.getByLabel('Date and time')).toHaveValue(`${day}T00:00`)
  await dialog.getByLabel('Date and time').fill(`${day}T06:30`)
  await expect(dialog.getByRole('button', { name: 'Plan 2 changes' })).toBeEnabled()
  await page.screenshot({ path: info.outputPath('import.png') })
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Plan 2 changes' }).click()
  await expect(page.getByRole('alert')).toContainText(`The rates of ${trunk.name} change on `)
  const planned = page.getByRole('list', { name: 'Planned imports' })
  await expect(planned).toContainText('2 rates replace the list: 1 new, 1 higher. By admin')
  await expect(page.getByRole('table').getByRole('row').last()).toHaveText(/\+354.*\$0\.01/)
  await page.screenshot({ path: info.outputPath('planned.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: info.outputPath('narrow.png') })
  await expectNoViolations(page)
  await planned.getByRole('button', { name: 'Cancel the 2 planned rates' }).click()
  await expect(planned).toBeHidden()
  await page.getByText('1 earlier import').click()
  await expect(page.getByRole('list', { name: 'Earlier imports' })).toContainText('Canceled')
})

test('axe finds no violations on Trunks & Plans', async ({ page }) => {
  // Checks seven screens.
  test.slow()
  await signIn(page, demo.admin)
  await open(page, 'carriers')
  await openCard(page, 'Meridian Global')
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Edit Meridian Global' }).click()
  await expect(page.getByRole('checkbox', { name: 'Gold CLI' })).toBeChecked()
  await expectNoViolations(page, '[role="dialog"]')
  await page.goto(`/admin-panal/trunks?view=order&number=${encodeURIComponent('+442079460958')}`)
  await expect(page.getByRole('list', { name: 'Routes to this number' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Trunks in the order they are tried' })).toBeVisible()
  await expectNoViolations(page)
  await open(page, 'plans')
  await page.getByRole('button', { name: 'Gold CLI', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Routes of Gold CLI' })).toContainText('United Kingdom')
  await expectNoViolations(page)
  await open(page, 'rates')
  await expect(page.getByRole('table')).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Import CSV' }).click()
  await page.getByLabel('Rate deck').setInputFiles(file('prefix,price\n44,0.9\n447,x\n1,0.0001\n'))
  await expect(page.getByRole('list', { name: 'Invalid lines' })).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
})
