import type { Page } from '@playwright/test'
import { bearerOf, demo, expect, LONDON, placeCall, signIn, test } from '../support/calls.ts'
import { createOperator } from '../support/operator.ts'

const CARRIER = 'Albion London'
const busy = { to: LONDON, carriers: [{ code: 486, afterMs: 20, ringAfterMs: null }] }

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Admin panel' }).getByRole('link', { name, exact: true })
const said = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const begin = (page: Page) => signIn(page, demo.admin, '/admin-panal')

test('today against yesterday, and margin by country of a month', async ({ page, callEnds }) => {
  await callEnds({ to: LONDON })
  await begin(page)
  const looking = createOperator()
  await expect(page.getByRole('region', { name: 'Today' })).toContainText('Margin')
  await looking.isDone('Compare revenue and margin of today with yesterday and last week')

  const operator = createOperator()
  await operator.click(tab(page, 'Analysis'))
  await operator.choose(page.getByLabel('Group by'), 'Country')
  await operator.choose(page.getByLabel('Period', { exact: true }), 'This month')
  await expect(page.getByRole('row', { name: /^United Kingdom / })).toBeVisible()
  await operator.isDone('See the margin of each country this month against the month before')
})

test('why a call failed, the other calls of its carrier, and the number tried again', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds(busy)
  await begin(page)
  const finding = createOperator()
  await finding.click(page.getByRole('banner').getByRole('button', { name: /Go to/ }))
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill(caller.username)
  await finding.click(palette.getByRole('group', { name: 'Users' }).getByRole('option').first())
  await finding.click(page.getByRole('tab', { name: 'Calls' }))
  await finding.click(page.getByRole('row').filter({ hasText: 'Busy' }).first())
  await expect(page.getByRole('dialog')).toContainText('486')
  await finding.isDone('Find out why the last call of a customer failed')

  const trying = createOperator()
  await trying.click(page.getByRole('dialog').getByRole('link', { name: 'Try this number now' }))
  await expect(page.getByRole('list', { name: 'Routes to this number' })).toBeVisible()
  await trying.isDone('See how that number would be routed now')

  await page.goto('/admin-panal')
  const operator = createOperator()
  await operator.click(tab(page, 'Calls'))
  await operator.click(page.getByRole('button', { name: /^Filter/ }))
  await operator.choose(page.getByLabel('Carrier', { exact: true }), CARRIER)
  await operator.fill(page.getByLabel('SIP code'), '486')
  await operator.click(page.getByRole('button', { name: 'Apply' }))
  await expect(page.getByRole('row').filter({ hasText: caller.username }).first()).toBeVisible()
  await operator.isDone('List the calls of a carrier that ended with one SIP code')
})

test('a live call is ended, and a carrier taken out of service', async ({ page, request, caller }) => {
  await placeCall(request, caller.username)
  await begin(page)
  const ending = createOperator()
  // Other tables of the dashboard name the customer too.
  const live = page.getByRole('table', { name: 'Live calls of all customers' })
  const row = live.getByRole('row').filter({ hasText: caller.username })
  await ending.click(row.getByRole('button', { name: /^Hang up/ }))
  const asking = page.getByRole('dialog')
  await ending.click(asking.getByRole('button', { name: 'Hang up', exact: true }))
  // An open dialog hides the rows behind it.
  await expect(asking).toBeHidden()
  await expect(row).toBeHidden()
  await ending.isDone('End a live call')

  const headers = await bearerOf(request, demo.admin)
  const name = `Story ${caller.username}`
  const data = { name, host: 'sip.carrier.example', buy_rate: 0.01 }
  expect((await request.post('/api/trunks', { headers, data })).ok()).toBe(true)
  const stopping = createOperator()
  await stopping.click(tab(page, 'Trunks & Plans'))
  await stopping.click(page.getByRole('button', { name: `Deactivate ${name}` }))
  await expect(page.getByRole('button', { name: `Activate ${name}` })).toBeVisible()
  await stopping.isDone('Take a carrier out of service')
})

test('rates for next Monday', async ({ page, request, newcomer }) => {
  const headers = await bearerOf(request, demo.admin)
  const name = `Story ${newcomer.username}`
  const data = { name, host: 'sip.carrier.example', buy_rate: 0.01 }
  expect((await request.post('/api/trunks', { headers, data })).ok()).toBe(true)
  await begin(page)
  const operator = createOperator()
  await operator.click(tab(page, 'Trunks & Plans'))
  await operator.click(page.getByRole('link', { name: new RegExp(`^No prefix rates of ${name}`) }))
  await operator.click(page.getByRole('button', { name: 'Import CSV' }))
  const dialog = page.getByRole('dialog')
  await operator.upload(dialog.getByLabel('Rate deck'), 'deck.csv', 'prefix,price\n44,0.007\n')
  await operator.choose(dialog.getByLabel('Takes effect'), 'At a later time')
  await operator.click(dialog.getByRole('button', { name: 'Plan 1 change' }))
  await expect(page.getByRole('list', { name: 'Planned imports' })).toContainText('1 rate')
  await operator.isDone('Plan the new rates of a carrier for next Monday')
})

test('a ticket is taken and answered, and customers are tagged', async ({ page, request, newcomer }) => {
  const customer = await bearerOf(request, newcomer)
  const subject = `Daily ${newcomer.username}`
  const opened = { subject, message: 'I hear nothing.' }
  expect((await request.post('/api/support/tickets', { headers: customer, data: opened })).ok()).toBe(true)
  await begin(page)
  const answering = createOperator()
  await answering.click(tab(page, 'Support'))
  await answering.click(page.getByRole('link', { name: subject }))
  await answering.fill(page.getByRole('textbox', { name: 'Your reply' }), 'We are looking into it.')
  await answering.click(page.getByRole('button', { name: 'Send reply' }))
  await expect(page.getByText('We are looking into it.')).toBeVisible()
  await expect(
    page.getByLabel('Assignee', { exact: true }).getByRole('option', { selected: true }),
  ).toHaveText('admin (you)')
  await answering.isDone('Take a ticket and answer it')

  const tagging = createOperator()
  await tagging.click(tab(page, 'User Management'))
  await tagging.fill(page.getByRole('searchbox', { name: 'Search users' }), newcomer.username)
  await expect(page.getByRole('table').getByRole('link')).toHaveCount(1)
  await tagging.click(page.getByRole('checkbox', { name: 'Select all users on this page' }))
  const bar = page.getByRole('region', { name: 'Selected users' })
  await tagging.click(bar.getByRole('button', { name: 'Change users' }))
  const dialog = page.getByRole('dialog')
  await tagging.fill(dialog.getByLabel('Tag'), 'daily')
  await tagging.click(dialog.getByRole('button', { name: 'Preview' }))
  await tagging.click(dialog.getByRole('button', { name: 'Apply to 1 user' }))
  await expect(said(page, '1 user changed.')).toBeVisible()
  await tagging.isDone('Tag all customers that a search finds')
})
