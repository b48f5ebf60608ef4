import type { APIRequestContext, Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, demo, expect, signIn, test } from '../support/calls.ts'
import type { Person } from '../support/story.ts'

const said = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

async function idOf(request: APIRequestContext, person: Person): Promise<number> {
  const headers = await bearerOf(request, person)
  return (await (await request.get('/api/auth/me', { headers })).json()).user.id
}

/** Adds users with names that start alike. */
async function addUsers(request: APIRequestContext, prefix: string, count: number): Promise<void> {
  const headers = await bearerOf(request, demo.admin)
  for (let n = 1; n <= count; n++) {
    const data = { username: `${prefix}-${n}`, password: 'long enough' }
    expect((await request.post('/api/user/add', { headers, data })).ok()).toBe(true)
  }
}

test('an administrator makes a template of limits, applies it, and sees which limits differ since', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const id = await idOf(request, newcomer)
  const name = `Office ${newcomer.username}`
  await signIn(page, demo.admin, '/admin-panal/users')
  await page.getByRole('button', { name: 'Limit templates' }).click()
  const dialog = page.getByRole('dialog')
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Add template' }).click()
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(dialog.getByText('Please enter a name.')).toBeVisible()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Daily spend').fill('20')
  await dialog.getByLabel('Concurrent calls').fill('4')
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(said(page, 'Template saved.')).toBeVisible()
  const listed = dialog.getByRole('listitem').filter({ hasText: name })
  await expect(listed).toContainText('Daily spend $20.00 · Concurrent calls 4')
  await expect(listed).toContainText('Not applied yet')

  await page.goto(`/admin-panal/users/${id}?tab=limits`)
  const card = page.getByRole('region', { name: 'Limit template' })
  await expect(card).toContainText('No template was applied yet.')
  await card.getByLabel('Apply a template').selectOption(name)
  await card.getByRole('button', { name: 'Apply', exact: true }).click()
  await dialog.getByRole('button', { name: 'Apply template' }).click()
  await expect(said(page, `${newcomer.username} has the limits of ${name}.`)).toBeVisible()
  await expect(card).toContainText(/Unchanged.*by admin/)
  await expect(page.getByLabel('Daily spend')).toHaveValue('20')
  await page.getByLabel('Concurrent calls').fill('6')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(card).toContainText(/Changed since.*Different now: Concurrent calls/)
  await expectNoViolations(page, 'main')
})

/** The first row is the header. */
async function expectTwelfthRowInView(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  const bottom = async () => {
    const twelfth = await page.getByRole('table').getByRole('row').nth(12).boundingBox()
    return (twelfth?.y ?? 800) + (twelfth?.height ?? 800)
  }
  await expect.poll(bottom).toBeLessThanOrEqual(800)
}

test('an administrator changes all users of a filter after a preview; twelve rows fit at 1280 x 800 all the time', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const prefix = `bulk-${newcomer.username}`
  await addUsers(request, prefix, 22)
  await signIn(page, demo.admin, `/admin-panal/users?search=${prefix}`)
  await expect(page.getByRole('table').getByRole('link')).toHaveCount(20)
  await page.getByRole('checkbox', { name: 'Select all users on this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected users' })
  await expect(bar).toContainText('20 users selected')
  await bar.getByRole('button', { name: 'Select all 22 that match' }).click()
  await expect(bar).toContainText('22 users selected')
  await expectTwelfthRowInView(page)
  await expectNoViolations(page, 'main')
  await bar.getByRole('button', { name: 'Change users' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('Please enter a tag.')).toBeVisible()
  const tag = `t-${newcomer.username}`
  await dialog.getByLabel('Tag').fill(tag)
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const preview = dialog.getByRole('list', { name: 'Preview' }).getByRole('listitem')
  await expect(preview).toHaveCount(22)
  await expect(preview.first()).toContainText(`Tags: none → ${tag}`)
  await expectNoViolations(page, '[role="dialog"]')

  // Another administrator tags one of them meanwhile.
  const headers = await bearerOf(request, demo.admin)
  const { users } = await (await request.get(`/api/users?search=${prefix}-22`, { headers })).json()
  await request.post(`/api/admin/users/${users[0].id}/tags`, { headers, data: { tag } })
  await dialog.getByRole('button', { name: 'Apply to 22 users' }).click()
  await expect(dialog.getByRole('alert')).toContainText(`Changed since the preview: ${prefix}-22.`)
  await dialog.getByRole('button', { name: 'Preview again' }).click()
  await expect(dialog.getByText('1 user will be skipped.')).toBeVisible()
  await expect(preview.last()).toContainText('Already so')
  await dialog.getByRole('button', { name: 'Apply to 21 users' }).click()
  await expect(said(page, '21 users changed.')).toBeVisible()
  await expect(bar).toBeHidden()
  await expect(page.getByRole('table')).toContainText(tag)
  await expectTwelfthRowInView(page)

  // A change of the account of administrators is never part of it.
  await page.goto('/admin-panal/users?admin=yes&search=admin')
  await page.getByRole('checkbox', { name: 'Select admin', exact: true }).check()
  await bar.getByRole('button', { name: 'Change users' }).click()
  await dialog.getByLabel('Action').selectOption('Disable accounts')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(preview.first()).toContainText('Your own account')
  await expect(dialog.getByRole('button', { name: 'Apply to 0 users' })).toBeDisabled()
})

test('the list and the page of a user say why a customer needs attention', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const id = await idOf(request, newcomer)
  await signIn(page, demo.admin, `/admin-panal/users/${id}`)
  const health = page.getByRole('region', { name: 'Health' })
  await expect(health).toContainText('Nothing unusual.')
  await expect(health).toContainText(/Failed calls\s*No calls/)
  await expectNoViolations(page, 'main')

  // A fall of spend takes two weeks, so the answer of the server gets its reasons here.
  const reasons = [
    { kind: 'spend_fell', text: 'Spend fell by 62% in 7 days' },
    { kind: 'calls_failing', text: '31% of calls failed, 8% before' },
  ]
  await page.route('**/api/admin/users/*/health', async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({
      json: { health: { ...answer.health, reasons, spend: 38, spend_change_percent: -62 } },
    })
  })
  await page.route('**/api/users?**', async (route) => {
    const url = route.request().url().replace('&health=any', '').replace('health=any&', '')
    const answer = await (await route.fetch({ url })).json()
    for (const user of answer.users) user.health = reasons
    await route.fulfill({ json: answer })
  })
  await page.reload()
  await expect(health.getByRole('listitem')).toHaveText(reasons.map(({ text }) => text))
  await expect(health).toContainText('$38.00, −62%')
  await expectNoViolations(page, 'main')

  await page.getByRole('link', { name: 'All users' }).click()
  await page.getByRole('searchbox', { name: 'Search users' }).fill(newcomer.username)
  const asked = page.waitForRequest(/health=any/)
  await page.getByLabel('Health', { exact: true }).selectOption('Needs attention')
  await asked
  await expect(page).toHaveURL(/health=any/)
  const row = page.getByRole('row').filter({ hasText: newcomer.username })
  await expect(row).toContainText('Spend fell by 62% in 7 days')
  await expect(row).toContainText('+1')
  await expectNoViolations(page, 'main')
  await page.getByLabel('Sort').selectOption('Largest fall in spend')
  await expect(page).toHaveURL(/sort=spend_change/)
  await expect(row).toBeVisible()
})

test('an administrator merges a duplicate into another customer', async ({ page, request, newcomer }) => {
  test.slow()
  const id = await idOf(request, newcomer)
  const kept = `kept-${newcomer.username}`
  const headers = await bearerOf(request, demo.admin)
  await request.post('/api/user/add', { headers, data: { username: kept, password: 'long enough' } })
  const gift = { user_id: id, amount: 12.5, reason: 'Gift', request_key: `gift-${newcomer.username}` }
  await request.post('/api/admin/balance-adjustments', { headers, data: gift })
  await request.post(`/api/admin/users/${id}/notes`, { headers, data: { note: 'Pays by wire transfer.' } })
  await signIn(page, demo.admin, `/admin-panal/users/${id}`)
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const action = dialog.getByRole('button', { name: 'Merge account' })
  await expect(action).toBeDisabled()
  await expectNoViolations(page, '[role="dialog"]')

  const target = dialog.getByRole('combobox', { name: 'Merge into' })
  await target.fill('admin')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await target.press('Escape')
  await expect(dialog.getByRole('option')).toHaveCount(0)
  await expect(target).toHaveValue('admin')
  await target.press('ArrowDown')
  await dialog
    .getByRole('option', { name: /^admin/ })
    .first()
    .click()
  await expect(dialog.getByText('Accounts of administrators cannot be merged.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose a user other than admin' }).click()
  await target.fill(kept)
  await dialog.getByRole('option', { name: new RegExp(kept) }).click()
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText(/Balance that moves\s*\$12\.50/)
  await expect(preview).toContainText(/Notes\s*1/)
  await action.click()
  await expect(dialog.getByText('Please type the username of the account that ends.')).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByLabel(`Type ${newcomer.username} to confirm`).fill(newcomer.username)
  await action.click()
  await expect(said(page, `${newcomer.username} was merged into ${kept}.`)).toBeVisible()

  const main = page.getByRole('main')
  await expect(main).toContainText(`Merged into ${kept}`)
  await expect(main).toContainText('Disabled')
  await expect(page.getByRole('button', { name: 'Enable account' })).toBeHidden()
  await expectNoViolations(page, 'main')
  await page.getByRole('link', { name: kept }).click()
  await expect(main).toContainText('$12.50')
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Pays by wire transfer.')
  await expect(main.getByRole('link', { name: newcomer.username, exact: true })).toBeVisible()
  const again = await request.post('/api/auth/login', { data: newcomer })
  expect(again.status()).toBe(401)
})
