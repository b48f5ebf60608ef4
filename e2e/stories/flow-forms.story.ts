import { createFlow, node } from '../support/flows.ts'
import { expect, signIn, test } from '../support/story.ts'

test('a form stays open while it is sent, so that its failure is seen', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/flows')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/flows', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await held.promise
    await route.fulfill({ status: 500, json: {} })
  })
  await page.getByRole('button', { name: 'New flow' }).click()
  const dialog = page.getByRole('dialog', { name: 'New flow' })
  await dialog.getByLabel('Name').fill('Main line')
  await dialog.getByLabel('Name').press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 400)
  held.resolve()
  await expect(dialog.getByRole('alert')).toContainText('The flow could not be created.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a flow that is created after the user has left does not open', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard')
  await page.getByRole('navigation').getByRole('link', { name: 'Flows' }).click()
  await page.getByRole('button', { name: 'New flow' }).click()
  const dialog = page.getByRole('dialog', { name: 'New flow' })
  await dialog.getByLabel('Name').fill('Main line')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/flows', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.fallback()
  })
  const opened: string[] = []
  page.on('request', (sent) => /\/api\/flows\/\d+$/.test(sent.url()) && opened.push(sent.url()))
  const created = page.waitForResponse(/\/api\/flows$/)
  await dialog.getByRole('button', { name: 'Create flow' }).click()
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
  held.resolve()
  expect((await created).ok()).toBe(true)
  await page.getByRole('navigation').getByRole('link', { name: 'Statement' }).click()
  await expect(page.getByRole('heading', { name: 'Account statement' })).toBeVisible()
  await expect(page).toHaveURL('/dashboard/statement')
  expect(opened).toEqual([])
})

test('a canvas that cannot be loaded leaves the flow usable and loads on retry', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer, '/dashboard/flows')
  await page.route(/\/Canvas[^/]*\.js$/, (route) => route.abort())
  await createFlow(page, 'Main line', 'Reception')
  await expect(page.getByRole('alert')).toContainText('The canvas could not be loaded.')
  await expect(page.getByRole('heading', { name: 'Main line', level: 2 })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(node(page, 'Opening hours')).toBeVisible()
})
