import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { demo, expect, signIn, test } from '../support/calls.ts'

type Call = {
  trunk_id: number
  trunk: string
  destination: string
  started_at: string
  duration: number
  buycost: number
}

/** Answered calls of today. Other stories add calls meanwhile. */
async function callsOfToday(request: APIRequestContext): Promise<Call[]> {
  const day = new Date().toISOString().slice(0, 10)
  const { records } = await (await asAdmin(request)).get(
    `/api/admin/cdr?status=completed&from=${day}T00:00:00Z&limit=500`,
  )
  return records
}

const asLine = ({ started_at, destination, duration, buycost }: Call): string =>
  [
    started_at.slice(0, 19).replace('T', ' '),
    destination,
    duration,
    buycost.toFixed(6).replace('.', ','),
  ].join(';')

const kind = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Kinds of differences' })
    .getByRole('link', { name: new RegExp(`^${name}`) })

test('an administrator compares an invoice and finds four kinds of differences', async ({
  page,
  request,
  callEnds,
}) => {
  const some = randomBytes(3).readUIntBE(0, 3) % 10_000
  const numbers = [1, 2, 3, 4].map((n) => `+44207946${String((some + n) % 10_000).padStart(4, '0')}`)
  for (const to of numbers) await callEnds({ to })
  const all = await callsOfToday(request)
  const own = numbers.map(
    (to) => all.find(({ destination }) => destination.replaceAll(' ', '') === to) as Call,
  )
  const [missing, longer, dearer] = own as [Call, Call, Call, Call]
  const carrier = missing.trunk
  const others = all.filter((call) => call.trunk_id === missing.trunk_id && !own.slice(0, 3).includes(call))
  const file = [
    'Connect time;B-number;Seconds talked;Charge',
    ...others.map(asLine),
    asLine({ ...longer, duration: longer.duration + 60, buycost: longer.buycost + 0.02 }),
    asLine({ ...dearer, buycost: dearer.buycost + 0.01 }),
    asLine({ ...missing, destination: '+33199001234', duration: 600, buycost: 1.5 }),
    'Total;;;99,99',
  ].join('\r\n')
  const name = `Story ${randomBytes(4).toString('hex')}`

  await signIn(page, demo.admin, '/admin-panal/payments?view=cash')
  await page.getByRole('link', { name: 'Compare carrier cost with invoices' }).click()
  await expect(page.getByRole('heading', { name: 'Carrier invoices', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Compare an invoice' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare an invoice' })
  await dialog.getByLabel('Carrier', { exact: true }).selectOption(carrier)
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('november')
  await dialog.getByLabel('Name', { exact: true }).fill(name)

  // This carrier has its own name for the duration.
  await expect(dialog.getByText('These columns were not found: duration.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Compare', exact: true })).toBeDisabled()
  await dialog.getByLabel('Duration', { exact: true }).selectOption('Seconds talked')
  await dialog.getByLabel('Time zone of the file').selectOption('UTC')
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()

  await expect(page.getByRole('heading', { name: new RegExp(`^${name}`), level: 1 })).toContainText('Open')
  await expect(kind(page, 'Only at the carrier')).toContainText('+$1.50')
  await expect(kind(page, 'Longer at the carrier')).toContainText('+$0.02')
  await expect(kind(page, 'Different price')).toContainText('+$0.01')
  const rows = page.getByRole('table', { name: /Compared calls/ }).getByRole('row')
  await expect(rows.nth(1)).toContainText('+33199001234')
  await page.getByText('1 line could not be read').click()
  await expect(page.getByText(/^Line \d+: The called number is missing\.$/)).toBeVisible()
  await expectNoViolations(page)

  await kind(page, 'Only with us').click()
  await expect(page.getByRole('row', { name: missing.destination })).toBeVisible()
  await kind(page, 'Longer at the carrier').click()
  // Other stories call the same carrier meanwhile, so there may be other rows.
  const longerRow = page.getByRole('row', { name: longer.destination })
  await longerRow.getByRole('link', { name: 'Call record' }).click()
  await expect(page.getByRole('dialog')).toContainText('Carrier cost')
  await page.goBack()

  await page.getByLabel('State', { exact: true }).selectOption('Disputed')
  await page.getByLabel('Note', { exact: true }).fill('Asked for a credit note.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Invoice updated.')).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Export/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^carrier-invoice-\d+\.csv$/)

  // Someone else changes the note. The typed one stays.
  const [, id] = /invoices\/(\d+)/.exec(page.url()) ?? []
  const { get, send } = await asAdmin(request)
  const { invoice } = await get(`/api/admin/carrier-invoices/${id}`)
  const change = { version: invoice.version, note: 'Credit note sent.' }
  await send('patch', `/api/admin/carrier-invoices/${id}`, change)
  const note = page.getByLabel('Note', { exact: true })
  await note.fill('Call them.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Someone else just changed this.')).toBeVisible()
  await expect(page.getByText('Credit note sent.')).toBeVisible()
  await expect(note).toHaveValue('Call them.')

  await page.getByRole('link', { name: 'Carrier invoices' }).click()
  const listed = page.getByRole('row', { name: new RegExp(name) })
  await expect(listed).toContainText('Disputed')
  await expect(listed).toContainText('$1.5')
  await expectNoViolations(page)
  await listed.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Invoice deleted.')).toBeVisible()
  await expect(page.getByRole('link', { name })).toBeHidden()
})

test('a file that is no list of calls is refused with a reason', async ({ page }) => {
  await signIn(page, demo.admin, '/admin-panal/trunks')
  await page.getByRole('link', { name: 'Carrier invoices' }).click()
  await page.getByRole('button', { name: 'Compare an invoice' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare an invoice' })
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(dialog.getByText('Please choose a carrier.')).toBeVisible()
  await expect(dialog.getByText('Please choose a file.')).toBeVisible()
  await dialog.getByLabel('Carrier', { exact: true }).selectOption({ index: 1 })
  const lines = 'Start,Called,Duration,Cost\n05/11/2026 10:00,4930123456,60,1\n'
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) })
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Choose the date format of the file.')
})

test('reviews and tickets are filtered by the time they have waited', async ({ page }) => {
  await signIn(page, demo.admin, '/admin-panal/payments?view=reviews')
  const reviews = page.getByRole('navigation', { name: 'Reviews by waiting time' })
  await reviews.getByRole('link', { name: /^Under 4 hours/ }).click()
  await expect(page).toHaveURL(/age=under_4h/)
  await expectNoViolations(page)
  await reviews.getByRole('link', { name: /^Under 4 hours/ }).click()
  await expect(page).not.toHaveURL(/age=/)

  await page.goto('/admin-panal/support')
  const tickets = page.getByRole('navigation', { name: 'Waiting tickets by age' })
  await tickets.getByRole('link', { name: /^Over 3 days/ }).click()
  await expect(page).toHaveURL(/show=waiting&age=over_3d|age=over_3d&show=waiting/)
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('waiting')
  await expectNoViolations(page)
})
