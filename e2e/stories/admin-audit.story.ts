import { expectNoViolations } from '../support/axe.ts'
import { downloadFrom, linesOf } from '../support/downloads.ts'
import { bearerOf } from '../support/payments.ts'
import { demo, expect, signIn, test } from '../support/story.ts'

test('an administrator filters the audit log by customer and exports it', async ({
  page,
  request,
  newcomer,
}) => {
  test.slow()
  const me = await request.get('/api/auth/me', { headers: await bearerOf(request, newcomer) })
  const { user } = await me.json()
  const headers = await bearerOf(request, demo.admin)
  for (const amount of [20, -7.5])
    await request.post('/api/admin/balance-adjustments', {
      headers,
      data: { user_id: user.id, amount, reason: `for ${amount}`, request_key: crypto.randomUUID() },
    })
  await request.patch(`/api/admin/users/${user.id}/guards`, {
    headers,
    data: { max_concurrent_calls: 3 },
  })

  await signIn(page, demo.admin, '/admin-panal/audit-log')
  await page.getByLabel('User').fill(newcomer.username)
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('listitem')
  await expect(entries).toHaveCount(3)
  await expect(entries.nth(0)).toContainText('changed limits')
  await expect(entries.nth(1)).toContainText('admin adjusted a balance')
  await expect(entries.nth(1)).toContainText('for -7.5')
  await expect(entries.nth(1)).toContainText('$20.00')
  await expect(entries.nth(1)).toContainText('$12.50')
  await page.getByRole('combobox', { name: 'Action' }).selectOption('adjusted a balance')
  await expect(entries).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Administrator' }).selectOption('admin')
  await expect(page).toHaveURL(/action=balance\.adjust/)
  await expectNoViolations(page, 'main')

  const { text } = await downloadFrom(page.getByRole('button', { name: /^Export/ }))
  const lines = linesOf(text)
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe('at,by,action,subject,user,before,after,reason')
  expect(lines[1]).toContain(newcomer.username)

  await page.getByLabel('From', { exact: true }).pressSequentially('01012020')
  await expect(page).toHaveURL(/from=2020-01-01/)
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await expect(page.getByText('No matching entries')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-01-31')
  await page.getByRole('button', { name: 'Show all entries' }).click()
  await expect(entries.first()).toBeVisible()
})
