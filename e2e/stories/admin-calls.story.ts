import type { Locator, Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { demo, expect, LONDON, NEW_YORK, signIn, test } from '../support/calls.ts'

const CARRIER = 'Albion London'
const busy = { to: LONDON, carriers: [{ code: 486, afterMs: 20, ringAfterMs: null }] }

const tableOf = (page: Page) => page.getByRole('table', { name: 'Calls of all customers, newest first' })
const rowsOf = (page: Page) => tableOf(page).getByRole('row', { name: /^Details of/ })
const totalsOf = (page: Page) => page.getByRole('region', { name: 'Totals' })
const column = (page: Page, name: string) => tableOf(page).getByRole('columnheader', { name, exact: true })
const chip = (page: Page, text: string) => page.getByRole('button', { name: `Remove ${text}`, exact: true })

/** Other stories make calls too, so the list shows only those of one user. */
async function openCallsOf(page: Page, username: string): Promise<void> {
  await signIn(page, demo.admin, '/admin-panal/calls')
  await tableOf(page).getByRole('link', { name: username }).first().click()
  await expect(chip(page, `User: ${username}`)).toBeVisible()
}

/** The details of a user's only call. */
async function openOnlyCallOf(page: Page, username: string): Promise<Locator> {
  await openCallsOf(page, username)
  // The calls of all customers stay until those of this one have loaded.
  await expect(rowsOf(page)).toHaveCount(1)
  await page.getByRole('link', { name: /^Details of the call/ }).click()
  return page.getByRole('dialog', { name: /^Call to/ })
}

test('an administrator filters calls by carrier and SIP code and hides a column, and a reload keeps both', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON }, busy, { to: NEW_YORK })
  await openCallsOf(page, caller.username)
  await expect(rowsOf(page)).toHaveCount(3)

  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByLabel('Carrier', { exact: true }).selectOption(CARRIER)
  await page.getByLabel('SIP code').fill('486')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('Busy')
  await expect(totalsOf(page)).toContainText('Calls1')
  await expect(page).toHaveURL(/trunk=\d+/)
  await expect(page).toHaveURL(/sip_code=486/)

  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByLabel('Device').fill('another phone')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rowsOf(page)).toHaveCount(0)
  await chip(page, 'Device: another phone').click()
  await expect(rowsOf(page)).toHaveCount(1)
  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByLabel('Device').fill('DEMO')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/device=DEMO/)
  await expect(rowsOf(page)).toHaveCount(1)

  await chip(page, 'SIP code: 486').click()
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(totalsOf(page)).toContainText('Calls2')
  await expect(page).not.toHaveURL(/sip_code/)

  await page.getByRole('button', { name: 'Columns' }).press('Enter')
  const menu = page.getByRole('dialog', { name: 'Columns' })
  // The panel takes the focus a frame after it is shown.
  await expect(menu).toBeFocused()
  await menu.getByLabel('Margin').press('Space')
  await menu.getByLabel('Route').press('Space')
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
  await expect(column(page, 'Margin')).toBeHidden()
  await expect(column(page, 'Route')).toBeVisible()

  await page.reload()
  await expect(chip(page, `Carrier: ${CARRIER}`)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(column(page, 'Status')).toBeVisible()
  await expect(column(page, 'Margin')).toBeHidden()
  await expect(column(page, 'Route')).toBeVisible()

  await page.getByRole('button', { name: 'Columns' }).click()
  await menu.getByRole('button', { name: 'Reset columns' }).click()
  await expect(column(page, 'Margin')).toBeVisible()
  await expect(column(page, 'Route')).toBeHidden()
})

test('a filter that is not valid shows an error and keeps the input', async ({ page }) => {
  await signIn(page, demo.admin, '/admin-panal/calls')
  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByLabel('SIP code').fill('99')
  await page.getByLabel('Caller ID', { exact: true }).fill('bob')
  await page.getByLabel('Margin below, in dollars').fill('much')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Please enter a SIP code from 100 to 699.')).toBeVisible()
  await expect(page.getByText('Please enter a number or its first digits.')).toBeVisible()
  await expect(page.getByText('Please enter an amount in dollars, such as -0.50.')).toBeVisible()
  await expect(page.getByLabel('Caller ID', { exact: true })).toHaveValue('bob')
})

test('a call links to the failures of its carrier and to the trial of its number', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON })
  const drawer = await openOnlyCallOf(page, caller.username)
  await drawer.getByRole('link', { name: 'Other failures of this carrier in this hour' }).click()
  await expect(drawer).toBeHidden()
  await expect(chip(page, 'At the carrier: Did not answer')).toBeVisible()
  await expect(chip(page, `Carrier: ${CARRIER}`)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove .* to \d{1,2}:00 [AP]M$/ })).toBeVisible()

  await page.goBack()
  await drawer.getByRole('link', { name: 'Try this number now' }).click()
  await expect(page).toHaveURL(/\/admin-panal\/trunks\?.*view=order/)
  await expect(page.getByRole('region', { name: 'Try a number' })).toContainText(LONDON)
})

test('the head of a call tells its margin and leads to its customer, carrier and route', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON })
  const drawer = await openOnlyCallOf(page, caller.username)
  const figure = async (name: string): Promise<number> => {
    const shown = drawer.locator('div', { has: page.getByRole('term').filter({ hasText: name }) }).last()
    await expect(shown).toContainText('$')
    return Number((await shown.getByRole('definition').textContent())?.replace('$', ''))
  }
  const [price, cost, margin] = [await figure('Price'), await figure('Carrier cost'), await figure('Margin')]
  expect(price).toBeGreaterThan(0)
  expect(margin).toBeCloseTo(price - cost, 6)
  await expectNoViolations(page, '[role=dialog]')
  await expect(drawer.getByRole('link', { name: CARRIER })).toHaveAttribute(
    'href',
    /\/admin-panal\/trunks\?carrier=Albion/,
  )
  await drawer.getByRole('link', { name: caller.username }).click()
  await expect(page).toHaveURL(/\/admin-panal\/users\/\d+$/)
  await page.goBack()
  const route = drawer.getByRole('list', { name: 'Customer, carrier and route' }).getByRole('link').last()
  const name = (await route.textContent()) ?? ''
  await route.click()
  const form = page.getByRole('dialog', { name: 'Edit Trunk/Route' })
  await expect(form).toContainText(name)
})

test('twelve calls fit below a summary of 120 pixels at 1280 x 800', async ({ page, caller, callEnds }) => {
  await callEnds({ to: LONDON })
  await openCallsOf(page, caller.username)
  await chip(page, `User: ${caller.username}`).click()
  await expect(chip(page, `User: ${caller.username}`)).toBeHidden()
  const row = rowsOf(page).first()
  await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThanOrEqual(36.5)
  const needed = async () => {
    const { y, height } = (await row.boundingBox()) ?? { y: 800, height: 800 }
    const main = await page.getByRole('main').boundingBox()
    return 120 + y - (main?.y ?? 0) + 12 * height
  }
  await expect.poll(needed).toBeLessThanOrEqual(800)
})
