import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, LONDON, NEW_YORK, signIn, test } from '../support/calls.ts'
import { downloadFrom, linesOf } from '../support/downloads.ts'
import { textOf } from '../support/pdf.ts'

const rowsOf = (page: Page) =>
  page.getByRole('table', { name: 'Your calls, newest first' }).getByRole('row', { name: /^Details of/ })

const busy = { to: NEW_YORK, carriers: [{ code: 486, afterMs: 20, ringAfterMs: null }] }

test('the report is exported as a PDF of six columns and the direction', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON }, busy)
  await signIn(page, caller, '/dashboard/cdr-report')
  await expect(rowsOf(page)).toHaveCount(2)
  const { name, content } = await downloadFrom(page.getByRole('button', { name: /^Export/ }))
  expect(name).toBe('cdr_report.pdf')
  const text = textOf(content)
  for (const words of ['CDR Reports', 'Date & Time', 'Caller', 'Destination', 'Duration', 'Cost', 'Status'])
    expect(text).toContain(words)
  for (const words of ['Direction', LONDON, NEW_YORK, 'Completed', 'Busy', 'Outgoing'])
    expect(text).toContain(words)
  // The first filled box is the table's head: 20 mm from the top of an A4 sheet of 841.89 points.
  const top = Number(/([\d.]+) ([\d.]+) [\d.]+ -?[\d.]+ re/.exec(text)?.[2])
  expect(Math.round(((841.89 - top) / 72) * 25.4)).toBe(20)
})

test('the CSV export contains only the selected calls', async ({ page, caller, callEnds }) => {
  await callEnds({ to: LONDON }, busy)
  await signIn(page, caller, '/dashboard/cdr-report?status=completed')
  await expect(rowsOf(page)).toHaveCount(1)
  const { name, text } = await downloadFrom(page.getByRole('button', { name: 'CSV' }))
  expect(name).toBe('cdr_report.csv')
  const lines = linesOf(text)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('caller,destination')
  expect(lines[1]).toContain(LONDON.slice(1))
})

test('a failed export shows an error and saves no file', async ({ page, caller, callEnds }) => {
  await callEnds({ to: LONDON })
  await signIn(page, caller, '/dashboard/cdr-report')
  await expect(rowsOf(page)).toHaveCount(1)
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  await page.route('**/api/cdr.csv*', (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'CSV' }).click()
  await expect(page.getByRole('alert')).toContainText('The CSV could not be created. Please try again.')
  expect(saved).toBe(0)
})

/** Fakes an account with `count` calls by repeating the real ones. */
async function pretendManyCalls(page: Page, calls: number) {
  let held = Promise.withResolvers<void>()
  held.resolve()
  await page.route('**/api/cdr/totals*', async (route) => {
    const answer = await route.fetch()
    const { totals } = await answer.json()
    await route.fulfill({ response: answer, json: { totals: { ...totals, calls } } })
  })
  await page.route(/\/api\/cdr\?.*limit=\d+/, async (route) => {
    const url = new URL(route.request().url())
    const limit = Number(url.searchParams.get('limit'))
    url.searchParams.delete('cursor')
    const answer = await route.fetch({ url: url.href })
    const { records } = await answer.json()
    await held.promise
    const many = Array.from({ length: limit }, (_, index) => records[index % records.length])
    await route.fulfill({ response: answer, json: { records: many, next: 'older' } }).catch(() => {})
  })
  return {
    hold() {
      held = Promise.withResolvers()
    },
    release: () => held.resolve(),
  }
}

test('a large export shows its progress, can be canceled, and the PDF ends at 10,000 calls', async ({
  page,
  caller,
  callEnds,
}) => {
  test.slow()
  await callEnds({ to: LONDON })
  await signIn(page, caller)
  const answers = await pretendManyCalls(page, 12_345)
  await page.goto('/dashboard/cdr-report')
  await expect(rowsOf(page)).toHaveCount(1)
  // The progress shows a total only if it is known when the export starts.
  await expect(page.getByText('12,345').first()).toBeVisible()
  const pdf = page.getByRole('button', { name: /^Export/ })
  const csv = page.getByRole('button', { name: 'CSV' })
  const progress = page.getByRole('progressbar')
  let saved = 0
  page.on('download', () => {
    saved += 1
  })

  answers.hold()
  await pdf.click()
  await expect(page.getByText('Exporting PDF: 0 of 10,000 calls')).toBeVisible()
  await expect(progress).toHaveAttribute('aria-valuenow', '0')
  await expect(pdf).toBeDisabled()
  await expect(csv).toBeDisabled()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(progress).toBeHidden()
  await expect(pdf).toBeEnabled()
  answers.release()

  await page.route('**/api/cdr.csv*', () => {})
  await csv.click()
  await expect(page.getByText('Exporting CSV: 0 of 12,345 calls')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(progress).toBeHidden()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(saved).toBe(0)

  const [download] = await Promise.all([page.waitForEvent('download'), pdf.click()])
  await expect(page.getByRole('alert')).toHaveText(
    'The PDF holds the newest 10,000 calls. The CSV holds all of them.',
  )
  const sheets = (await readFile(await download.path(), 'latin1')).match(/\/Type \/Page\b/g)
  expect(sheets?.length).toBeGreaterThan(150)
})
