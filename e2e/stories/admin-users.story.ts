import type { APIRequestContext, Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf, demo, expect, LONDON, placeCall, signIn, test } from '../support/calls.ts'
import type { Person } from '../support/story.ts'

const formOf = (page: Page) => page.getByRole('dialog').getByRole('form')
const save = (page: Page) => page.getByRole('button', { name: 'Update User' }).click()
const said = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

async function idOf(request: APIRequestContext, person: Person): Promise<number> {
  const headers = await bearerOf(request, person)
  return (await (await request.get('/api/auth/me', { headers })).json()).user.id
}

/** Finds a user in the list and opens the form. */
async function openForm(page: Page, { username }: Person): Promise<void> {
  await page.goto('/admin-panal/users')
  await page.getByRole('searchbox', { name: 'Search users' }).fill(username)
  await page.getByRole('link', { name: `Edit ${username}`, exact: true }).click()
  await expect(formOf(page)).toBeVisible()
}

test('an administrator edits a user; only changed fields are sent', async ({ page, newcomer }) => {
  await signIn(page, demo.admin)
  await openForm(page, newcomer)
  await expect(page).toHaveURL(new RegExp(`search=${newcomer.username}&user=\\d+`))
  await save(page)
  await expect(said(page, 'No changes to update.')).toBeVisible()

  const form = formOf(page)
  await form.getByLabel('Company').fill('Blue Whale Telecom')
  await form.getByLabel('Country').selectOption('Germany')
  await form.getByLabel('Premium').check()
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await save(page)
  await expect(said(page, 'User updated successfully!')).toBeVisible()
  expect((await sent).postDataJSON()).toEqual({
    id: expect.any(Number),
    version: 1,
    company: 'Blue Whale Telecom',
    country: 'Germany',
    is_premium: true,
  })

  // A new balance needs a reason and is booked in the ledger.
  await form.getByLabel('Balance', { exact: true }).fill('25.50')
  await save(page)
  await expect(form.getByText('Please enter a reason.')).toBeVisible()
  await form.getByLabel('Reason for the new balance').fill('Goodwill')
  await save(page)
  await expect(form.getByLabel('Reason for the new balance')).toBeHidden()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: newcomer.username })
  for (const words of ['Blue Whale Telecom', 'Germany', 'Premium', '$25.50', 'Active'])
    await expect(row).toContainText(words)

  // A refusal is shown and the form keeps its values.
  await row.getByRole('link').click()
  await form.getByLabel('Username').fill('ADMIN')
  await save(page)
  await expect(form.getByText('An account with this username already exists')).toBeVisible()
  await expect(form.getByLabel('Username')).toHaveValue('ADMIN')
  await page.route('**/api/admin/user/update', (route) => route.fulfill({ status: 500, body: '' }))
  await save(page)
  await expect(said(page, 'Failed to update user')).toBeVisible()
})

test('the address keeps filters, order and page of the user list; the list shows empty and failed states', async ({
  page,
  newcomer,
}) => {
  await signIn(page, demo.admin)
  await page.getByRole('navigation').getByRole('link', { name: 'User Management' }).click()
  const rows = page.getByRole('table').getByRole('link')
  await expect(rows.first()).toBeVisible()
  await page.getByLabel('Role').selectOption('Administrators')
  await page.getByLabel('Sort').selectOption('Name, A to Z')
  await expect(page).toHaveURL(/admin=yes&sort=name/)
  await expect(rows.first()).toHaveText('Edit admin')
  await page.reload()
  await expect(page.getByLabel('Role')).toHaveValue('yes')
  await page.getByRole('button', { name: 'Username' }).click()
  await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )

  const search = page.getByRole('searchbox', { name: 'Search users' })
  await search.fill(`nobody-${newcomer.username}`)
  await expect(page.getByText('No users found in the database.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(rows.first()).toBeVisible()
  await page.route('**/api/users?**', (route) => route.fulfill({ status: 403, body: '' }))
  await search.fill('anybody')
  await expect(said(page, 'Failed to fetch users')).toBeVisible()
  await page.unroute('**/api/users?**')
  await search.fill(newcomer.username)
  await expect(rows).toHaveText([`Edit ${newcomer.username}`])
})

test('an administrator adds a user with a generated password that is shown once and works', async ({
  page,
  newcomer,
}) => {
  const username = `${newcomer.username}-added`
  await signIn(page, demo.admin, '/admin-panal/users')
  await page.getByRole('button', { name: 'Add User' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add User' })
  await add.click()
  await expect(dialog.getByText('Please fill in all fields')).toBeVisible()
  await dialog.getByLabel('Username').fill(newcomer.username)
  await add.click()
  await expect(dialog.getByText('An account with this username already exists')).toBeVisible()
  await page.route('**/api/user/add', (route) => route.fulfill({ status: 500, body: '' }))
  await dialog.getByLabel('Username').fill(username)
  await add.click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to add user')
  await page.unroute('**/api/user/add')
  await add.click()
  await expect(page.getByRole('dialog', { name: `Password of ${username}` })).toBeVisible()
  const shown = dialog.getByRole('definition').nth(1).locator('span').first()
  const password = (await shown.textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(formOf(page)).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await signIn(page, { username, password })
  await expect(page).toHaveURL('/dashboard')
})

test('a second administrator sees the changes of the first before replacing them', async ({
  page,
  otherPage: other,
  request,
  newcomer,
}) => {
  const second = { username: `${newcomer.username}-admin`, password: 'long enough' }
  const headers = await bearerOf(request, demo.admin)
  const added = await request.post('/api/user/add', { headers, data: { ...second, is_admin: true } })
  expect(added.ok()).toBe(true)
  await signIn(page, demo.admin)
  await signIn(other, second)
  await Promise.all([openForm(page, newcomer), openForm(other, newcomer)])

  await formOf(page).getByLabel('Company').fill('Of the first')
  await save(page)
  await expect(said(page, 'User updated successfully!')).toBeVisible()
  await formOf(other).getByLabel('Country').selectOption('France')
  await save(other)
  const notice = said(other, 'Someone else just changed this.')
  await expect(notice).toContainText('Company: None → Of the first')
  await expect(formOf(other).getByLabel('Company')).toHaveValue('Of the first')
  await expect(formOf(other).getByLabel('Country')).toHaveValue('France')
  await save(other)
  await expect(said(other, 'User updated successfully!')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'Of the first' })
  await expect(row).toContainText(/Of the first.*France/)
})

test('a customer becomes premium without a new sign-in; disabling the account signs them out and ends their call', async ({
  page,
  otherPage: customer,
  request,
  caller,
}) => {
  const id = await idOf(request, caller)
  await signIn(customer, caller)
  await expect(customer.getByRole('banner').getByRole('link', { name: 'Upgrade' })).toBeVisible()
  await signIn(page, demo.admin)
  await openForm(page, caller)
  await formOf(page).getByLabel('Premium').check()
  await save(page)
  await expect(said(page, 'User updated successfully!')).toBeVisible()
  await expect(customer.getByRole('banner')).toContainText('Premium')

  await placeCall(request, caller.username)
  await page.getByRole('link', { name: `View ${caller.username}` }).click()
  await page.getByRole('tab', { name: 'Calls' }).click()
  const live = page.getByRole('region', { name: 'Live calls' })
  await expect(live).toContainText(LONDON)
  await page.getByRole('button', { name: 'Disable account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable account' }).click()
  await expect(said(page, `${caller.username} is disabled.`)).toBeVisible()
  await expect(live).toContainText('No active calls')
  await expect(page.getByRole('region', { name: 'Call records' })).toContainText(LONDON)
  await expect(customer).toHaveURL(/\/login/)
  await page.goto(`/admin-panal/users/${id}`)
  await page.getByRole('button', { name: 'Enable account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Enable account' }).click()
  await expect(said(page, 'can sign in and call again')).toBeVisible()
  // The form was opened before the account was enabled.
  await page.getByLabel('Company').fill('Back again')
  await save(page)
  await expect(said(page, 'User updated successfully!')).toBeVisible()
})

test('staff keeps notes about a user and finds users by their tags', async ({ page, request, newcomer }) => {
  test.slow()
  const id = await idOf(request, newcomer)
  await signIn(page, demo.admin, `/admin-panal/users/${id}`)
  const notes = page.getByRole('region', { name: 'Notes' })
  await expect(notes).toContainText('No notes yet.')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByText('Please enter a note.')).toBeVisible()
  const all = notes.getByRole('article')
  for (const note of ['Pays by wire transfer.', 'Calls on Mondays.']) {
    await notes.getByLabel('New note').fill(note)
    await notes.getByRole('button', { name: 'Add note' }).click()
    await expect(all.first()).toContainText(note)
  }
  await expect(notes.getByLabel('New note')).toHaveValue('')
  await all.last().getByRole('button', { name: 'Pin note' }).click()
  await expect(all.first()).toContainText(/Pinned.*admin.*Pays by wire transfer\./)
  await all.last().getByRole('button', { name: 'Edit note' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('Calls on Tuesdays.')
  await dialog.getByRole('button', { name: 'Save note' }).click()
  await expect(all.last()).toContainText(/edited.*Calls on Tuesdays\./)

  const tags = page.getByRole('region', { name: 'Tags' })
  const add = tags.getByRole('combobox', { name: 'Add tag' })
  await add.fill('two words')
  await add.press('Enter')
  await expect(tags).toContainText('Tags are one word of up to 30 characters')
  const tag = `t-${newcomer.username}`
  await add.fill(tag.toUpperCase())
  await add.press('Enter')
  await expect(tags.getByRole('button', { name: `Remove tag ${tag}` })).toBeVisible()
  await expect(add).toHaveValue('')
  await expectNoViolations(page, 'main')

  await page.getByRole('link', { name: 'All users' }).click()
  await page.getByLabel('Tag', { exact: true }).selectOption(tag)
  await expect(page).toHaveURL(new RegExp(`tag=${tag}`))
  const rows = page.getByRole('table').getByRole('link')
  await expect(rows).toHaveText([`Edit ${newcomer.username}`])
  await expect(page.getByRole('table')).toContainText(tag)
  await expectNoViolations(page, 'main')
  await page.reload()
  await expect(page.getByLabel('Tag', { exact: true })).toHaveValue(tag)

  await page.goto(`/admin-panal/users/${id}`)
  await tags.getByRole('button', { name: `Remove tag ${tag}` }).click()
  await expect(tags).toContainText('No tags.')
  await expect(add).toBeFocused()
  await all.last().getByRole('button', { name: 'Delete note' }).click()
  await dialog.getByRole('button', { name: 'Delete note' }).click()
  await expect(all).toHaveCount(1)
  await page.route('**/api/admin/users/*/notes**', (route) => route.fulfill({ status: 500, body: '' }))
  await page.reload()
  await expect(notes).toContainText('The notes could not be loaded.')
})

test('the page of a user shows everything, also on a phone, and axe finds no violations', async ({
  page,
  request,
  newcomer,
}) => {
  // Checks every tab.
  test.slow()
  const id = await idOf(request, newcomer)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, demo.admin)
  // Other stories register users, so the newcomer may be on a later page without the search.
  await page.goto(`/admin-panal/users?search=${newcomer.username}`)
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('link', { name: `Edit ${newcomer.username}` }).click()
  await formOf(page).getByLabel('Balance', { exact: true }).fill('5')
  await expectNoViolations(page, '[role="dialog"]')

  await page.goto(`/admin-panal/users/${id}?tab=statement`)
  await expect(page).toHaveTitle(new RegExp(`^${newcomer.username} · User Management · `))
  await page.getByRole('button', { name: 'Adjust balance' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in dollars').fill('12.50')
  await expect(dialog).toContainText('New balance: $12.50')
  await dialog.getByRole('button', { name: 'Credit balance' }).click()
  await expect(dialog.getByText('Please enter a reason.')).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByLabel('Reason').fill('A gift')
  await dialog.getByRole('button', { name: 'Credit balance' }).click()
  await expect(said(page, `The balance of ${newcomer.username} is now $12.50.`)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Statement' })).toContainText(/A gift.*\+\$12\.50/)
  await expectNoViolations(page, 'main')

  await page.getByRole('tab', { name: 'Limits' }).click()
  await expect(page).toHaveURL(/tab=limits/)
  await page.getByLabel('Daily spend').fill('500')
  await page.getByRole('button', { name: 'Save limits' }).click()
  const spend = page.getByRole('row').filter({ hasText: 'Daily spend' })
  await expect(spend).toContainText(/\$500\.00.*\$50\.00.*\$500\.00/)
  await expectNoViolations(page, 'main')

  await page.getByRole('tab', { name: 'Phones' }).click()
  await page.getByRole('button', { name: 'Reset SIP password' }).click()
  await dialog.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('dialog', { name: /The SIP password of/ })).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(/made \w+ \d+/)).toBeVisible()
  await expectNoViolations(page, 'main')

  await page.getByRole('tab', { name: 'Sessions' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText('No active sessions.')).toBeVisible()
  for (const [tab, words] of [
    ['Payments', 'No payments yet'],
    ['Tickets', 'No tickets'],
    ['Alerts', 'No alerts'],
    ['Calls', 'No calls yet'],
    ['Overview', 'Last sign-in'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByText(words).first()).toBeVisible()
    await expectNoViolations(page, 'main')
  }
  await page.getByRole('link', { name: 'All users' }).click()
  await expect(page).toHaveTitle(/^User Management · /)
})

test('an administrator who loses the right leaves the panel without a reload', async ({
  page,
  request,
  newcomer,
}) => {
  const admin = await asAdmin(request)
  const id = await idOf(request, newcomer)
  await admin.send('patch', '/api/admin/user/update', { id, is_admin: true })
  await signIn(page, newcomer, '/admin-panal/users')
  await expect(page.getByRole('searchbox', { name: 'Search users' })).toBeVisible()
  await admin.send('patch', '/api/admin/user/update', { id, is_admin: false })
  await page.getByRole('searchbox', { name: 'Search users' }).fill('alice')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('region', { name: 'Account Balance' })).toBeVisible()
})
