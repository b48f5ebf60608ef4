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

test('twelve users fit on a screen of 1280 x 800, also with tags, health and a selection', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, demo.admin, '/admin-panal/users')
  await page
    .getByRole('checkbox', { name: 'Select admin' })
    .or(page.getByRole('checkbox').nth(1))
    .first()
    .check()
  await expect(page.getByRole('region', { name: 'Selected users' })).toContainText('1 user selected')
  const rows = page.getByRole('table').getByRole('row')
  const tops = await rows.evaluateAll((all) =>
    all.map(
      (row) =>
        (row as unknown as { getBoundingClientRect(): { bottom: number } }).getBoundingClientRect().bottom,
    ),
  )
  // The first row is the header.
  const shown = tops.filter((bottom) => bottom <= 800).length - 1
  expect(shown).toBeGreaterThanOrEqual(Math.min(12, tops.length - 1))
})

test('an administrator selects all users of a filter, previews a change, and applies exactly that', async ({
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
