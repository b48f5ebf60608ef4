import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { downloadFrom } from '../support/downloads.ts'
import { demo, expect, heldAnswer, signIn, test } from '../support/story.ts'

/** London numbers that only this story uses. Lists and single numbers have ranges of their own, so that they do not meet. */
const newNumbers = (count: number) => {
  const first = count > 2 ? randomInt(0, 45) * 10_000 : randomInt(450_000, 900_000)
  return Array.from({ length: count }, (_, at) => `+44203${String(1_000_000 + first + at).slice(0, 7)}`)
}

const grouped = (number: string) => number.replace(/^(\+44)(20)(\d{4})(\d{4})$/, '$1 $2 $3 $4')
const digits = (number: string) => number.slice(1)
const file = (text: string) => ({ name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
const listOf = (page: Page) => page.getByRole('region', { name: 'Numbers' })
const rowOf = (page: Page, number: string) => listOf(page).getByRole('row').filter({ hasText: number })

/** Adds a number and returns its id. */
async function addNumber(admin: Awaited<ReturnType<typeof asAdmin>>, number: string, given: object = {}) {
  const body = { number, area: 'London', monthly: 2.5, setup: 1, price: 0.01, cost_monthly: 1, ...given }
  return (await admin.send('post', '/api/admin/numbers', body)).number as { id: number; version: number }
}

test('a thousand numbers are imported after a preview that names invalid lines', async ({ page }, info) => {
  const numbers = newNumbers(1_000)
  await signIn(page, demo.admin, '/admin-panal/trunks')
  await page.getByRole('link', { name: 'Numbers', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Numbers', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import numbers' })

  const { text: template } = await downloadFrom(dialog.getByRole('button', { name: 'Download' }))
  await dialog.getByLabel('CSV file').setInputFiles(file(template))
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(preview).not.toContainText('invalid')
  await expect(preview.getByRole('row')).toHaveCount(3)

  const lines = numbers.map((number) => `${number},London,2.50,0.01`)
  const csv = ['number,area,monthly,price', ...lines, 'hello,London,2,0', '+4420,London,2,0'].join('\n')
  await dialog.getByLabel('CSV file').setInputFiles(file(csv))
  await expect(preview).toContainText('2 lines are invalid and will be skipped.')
  await expect(preview).toContainText('1,000 new numbers become available for rent.')
  const first = preview.getByRole('row').nth(1)
  await expect(first).toContainText('hello')
  await expect(first).toContainText('This is not a valid phone number.')
  await page.screenshot({ path: info.outputPath('preview.png') })
  await expectNoViolations(page, '[role="dialog"]')

  const slow = await heldAnswer(page, /api\/admin\/numbers\/import$/)
  await dialog.getByRole('button', { name: 'Import 1,000 numbers' }).click()
  await slow.asked
  await expect(dialog.getByRole('progressbar', { name: 'Importing numbers' })).toBeVisible()
  await expect(dialog).toContainText('Importing 1,000 numbers…')
  await page.route(/api\/admin\/numbers\/import\?/, (route) =>
    route.fulfill({ json: { progress: { done: 300, total: 1000 } } }),
  )
  await expect(dialog).toContainText('300 done.')
  await expect(dialog.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '300')
  await page.screenshot({ path: info.outputPath('progress.png') })
  await expectNoViolations(page, '[role="dialog"]')
  slow.answer()
  await expect(dialog).toContainText('1,000 numbers were added and 0 updated. 2 lines were skipped.')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('searchbox', { name: 'Search numbers' }).fill(digits(numbers[7] ?? ''))
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
  await expect(rowOf(page, numbers[7] ?? '')).toContainText('Available')
})

test('a number is reserved, assigned to a customer, charged and released', async ({
  page,
  request,
  newcomer,
}) => {
  const admin = await asAdmin(request)
  const [number = ''] = newNumbers(1)
  await addNumber(admin, number)
  const { users } = await admin.get(`/api/users?search=${newcomer.username}`)
  const credit = {
    user_id: users[0].id,
    amount: 5,
    reason: 'Story',
    request_key: digits(number).padEnd(32, '0'),
  }
  await signIn(page, demo.admin, `/admin-panal/trunks/numbers?search=${digits(number)}`)
  await rowOf(page, number).getByRole('link', { name: number }).click()
  const drawer = page.getByRole('dialog', { name: grouped(number) })
  await expect(drawer).toContainText('Customers can rent this number.')

  await drawer.getByRole('button', { name: 'Reserve' }).click()
  const reserving = page.getByRole('dialog', { name: `Reserve ${grouped(number)}` })
  await reserving.getByRole('combobox', { name: 'Customer' }).fill(newcomer.username)
  await reserving.getByRole('option', { name: newcomer.username }).click()
  await reserving.getByRole('button', { name: 'Reserve number' }).click()
  await expect(drawer).toContainText(`Only ${newcomer.username} can rent this number.`)

  await drawer.getByRole('button', { name: 'Assign to a customer' }).click()
  const assigning = page.getByRole('dialog', { name: `Assign ${grouped(number)}` })
  await expect(assigning).toContainText(newcomer.username)
  await expect(assigning).toContainText('$1.00 and $2.50 are taken from the balance.')
  await assigning.getByRole('button', { name: 'Assign number' }).click()
  await expect(assigning.getByRole('alert')).toContainText('costs $3.50 now, but only $0.00 is available')
  await admin.send('post', '/api/admin/balance-adjustments', credit)
  await assigning.getByRole('button', { name: 'Assign number' }).click()
  await expect(drawer).toContainText(`${newcomer.username} rents it. Paid until`)
  expect((await admin.get(`/api/users?search=${newcomer.username}`)).users[0].bal).toBe(1.5)
  await expect(drawer.getByRole('button', { name: 'Delete' })).toBeHidden()
  await expectNoViolations(page, '[role="dialog"]')

  await drawer.getByRole('button', { name: 'Release' }).click()
  const releasing = page.getByRole('dialog', { name: `Release ${grouped(number)}?` })
  await expect(releasing).toContainText('Nothing is refunded.')
  await releasing.getByLabel('Reason').fill('Asked by phone')
  await releasing.getByRole('button', { name: 'Release number' }).click()
  await expect(drawer).toContainText('Customers can rent this number.')
  await drawer.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete number' }).click()
  await expect(page.getByText('No matching numbers')).toBeVisible()
})

test('a second administrator sees the conflict before saving, and filters narrow the list', async ({
  page,
  request,
}, info) => {
  const admin = await asAdmin(request)
  const [number = '', other = ''] = newNumbers(2)
  const tag = `t${digits(number)}`
  const { id, version } = await addNumber(admin, number, { tags: [tag] })
  await addNumber(admin, other)
  await signIn(page, demo.admin, '/admin-panal/trunks/numbers')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('Tag', { exact: true }).fill(tag)
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('button', { name: `Remove Tag: ${tag}` })).toBeVisible()
  await page.getByRole('button', { name: 'Filter' }).click()

  await rowOf(page, number).getByRole('link', { name: number }).click()
  await page
    .getByRole('dialog', { name: grouped(number) })
    .getByRole('button', { name: 'Edit' })
    .click()
  const edit = page.getByRole('dialog', { name: `Edit ${grouped(number)}` })
  await edit.getByLabel('Price per month').fill('free')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Please enter an amount from $0 to $10,000.')).toBeVisible()
  await edit.getByLabel('Price per month').fill('3')
  await admin.send('patch', `/api/admin/numbers/${id}`, { area: 'Camden', version })
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByRole('alert')).toContainText('Area: London → Camden')
  await expect(edit.getByLabel('Price per month')).toHaveValue('3')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toBeHidden()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(rowOf(page, number)).toContainText('$3.00')
  await expect.poll(async () => (await rowOf(page, number).boundingBox())?.height).toBeLessThanOrEqual(36)
  await expectNoViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: info.outputPath('phone.png') })
  await expectNoViolations(page)
  await page.setViewportSize({ width: 320, height: 800 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
})

test('settings for numbers are saved, and a failed list can be loaded again', async ({ page }) => {
  await signIn(page, demo.admin, '/admin-panal/trunks/numbers')
  await page.getByRole('button', { name: 'Settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Settings for numbers' })
  await dialog.getByLabel('Grace period, days').fill('ninety')
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await expect(dialog.getByText('Please enter a number of days from 0 to 90.')).toBeVisible()
  const before = await dialog.getByLabel('Warning before a renewal, days').inputValue()
  await dialog.getByLabel('Grace period, days').fill('9')
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('The settings were saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(dialog.getByLabel('Grace period, days')).toHaveValue('9')
  await expect(dialog.getByLabel('Warning before a renewal, days')).toHaveValue(before)
  await expectNoViolations(page, '[role="dialog"]')

  await page.route(/api\/admin\/numbers\?/, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/admin-panal/trunks/numbers?search=1')
  await expect(page.getByText('The numbers could not be loaded.')).toBeVisible()
  await page.unroute(/api\/admin\/numbers\?/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The numbers could not be loaded.')).toBeHidden()
})

test('a carrier may send calls from its addresses, with a number format and a password', async ({
  page,
  request,
}) => {
  const admin = await asAdmin(request)
  const name = `Story incoming ${randomInt(1e9)}`
  const { trunk } = await admin.send('post', '/api/trunks', {
    name,
    host: 'sip.carrier.example',
    buy_rate: 0.01,
  })
  await signIn(page, demo.admin, `/admin-panal/trunks?carrier=${encodeURIComponent(name)}`)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await expect(row).toContainText('Not accepted')
  await row.getByRole('button', { name: `Edit ${name}` }).click()
  const form = page.getByRole('dialog', { name: `Edit ${name}` })
  await form.getByLabel('Addresses of the carrier').fill('192.0.2.10\nsip.carrier.example')
  await form.getByLabel('Register at the carrier').check()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('“sip.carrier.example” isn’t an IP address')).toBeVisible()
  await expect(form.getByLabel('Addresses of the carrier')).toBeFocused()
  await form.getByLabel('Addresses of the carrier').fill('192.0.2.10\n[2001:DB8::1]:5060')
  await form.getByLabel('National numbers').selectOption('GB')
  await form.getByLabel('Password for incoming calls').fill('carrier-secret')
  await expect(form).toContainText(`The carrier signs in as carrier~${trunk.id}.`)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Registering needs a username and a password.')).toBeVisible()
  await form.getByLabel('Username').fill('me')
  await form.getByLabel('Password', { exact: true }).fill('secret')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await expect(row).toContainText('Accepted from 2 addresses, with a password or to the registration')
  await expect(row).toContainText(/Registration\s*Not known yet\./i)
  const { trunks } = await admin.get('/api/trunks')
  expect(trunks.find(({ id }: { id: number }) => id === trunk.id)).toMatchObject({
    incoming_sources: ['192.0.2.10', '[2001:db8::1]:5060'],
    incoming_country: 'GB',
    has_incoming_password: true,
    registers: true,
  })
  await row.getByRole('button', { name: `Edit ${name}` }).click()
  await expect(form.getByLabel('Password for incoming calls', { exact: true })).toHaveValue('')
  await expectNoViolations(page, '[role="dialog"]')
})
