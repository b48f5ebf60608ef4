import type { Page } from '@playwright/test'
import { mediaReply } from '../../sandbox/switch/generated-media.ts'
import { expectNoViolations } from '../support/axe.ts'
import { expect, LONDON, NEW_YORK, signIn, test } from '../support/calls.ts'

const clear = { lossPercent: 0.1, jitterMs: 3, roundTripMs: 30 }
const noisy = { lossPercent: 15, jitterMs: 60, roundTripMs: 300 }
const good = mediaReply({ phone: clear, carrier: clear }, 60)
const poor = mediaReply({ phone: clear, carrier: noisy }, 60)

const totalsOf = (page: Page) => page.getByRole('region', { name: 'Totals' })
const rowOf = (page: Page, country: string) =>
  page
    .getByRole('table', { name: 'Quality of your calls by country' })
    .getByRole('row')
    .filter({ hasText: country })
const calls = (page: Page) => page.getByRole('row', { name: /^Details of/ })

test('a customer sees how good their calls are, and opens the poor ones', async ({
  page,
  caller,
  callEnds,
}) => {
  await callEnds({ to: LONDON, media: good }, { to: LONDON, media: poor }, { to: NEW_YORK })
  await signIn(page, caller, '/dashboard/cdr-report')
  await page.getByRole('link', { name: 'Call quality' }).click()
  await expect(page).toHaveURL('/dashboard/cdr-report/quality')
  await expect(totalsOf(page)).toContainText('Calls3Answer rate100.0%')
  await expect(totalsOf(page)).toContainText('Measured calls2Average MOS3.3 (poor)Poor calls50.0% (1)')
  await expect(rowOf(page, 'United Kingdom')).toContainText('3.3 (poor)')
  await expect(rowOf(page, 'United States')).toContainText('Not measured')
  await expectNoViolations(page)

  await page.getByRole('link', { name: '50.0% (1) poor calls to United Kingdom' }).click()
  await expect(page).toHaveURL(/country=GB/)
  await expect(calls(page)).toHaveCount(1)
  await calls(page)
    .getByRole('link', { name: /^Details of/ })
    .click()
  await expect(page.getByRole('dialog')).toContainText('MOS of heard speech4.4 (good)2.1 (poor)')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove Speech quality: Poor' }).click()
  await expect(calls(page)).toHaveCount(2)
  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByLabel('Speech quality').selectOption('Good')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/quality=good/)
  await expect(calls(page)).toHaveCount(1)

  // The period stays, and a row leads to its calls.
  await page.getByRole('link', { name: 'Call quality' }).click()
  await page.getByLabel('Period').selectOption('Today')
  await expect(page).toHaveURL(/period=today/)
  await page.getByRole('link', { name: 'Calls to United States' }).click()
  await expect(page).toHaveURL(/period=today/)
  await expect(calls(page)).toHaveCount(1)
})

test('the call quality has an empty state, and explains calls that were not measured', async ({
  page,
  caller,
  callEnds,
}) => {
  await page.route('**/api/cdr/quality*', (route) => route.fulfill({ status: 400, json: {} }))
  await signIn(page, caller, '/dashboard/cdr-report/quality')
  await expect(page.getByText('The call quality could not be loaded.')).toBeVisible()
  await page.unrouteAll()
  await page
    .getByRole('region', { name: 'Quality by country' })
    .getByRole('button', { name: 'Try again' })
    .click()
  await expect(page.getByText('No calls in the last month')).toBeVisible()
  await expectNoViolations(page, 'main')
  await page.getByRole('button', { name: 'Show all time' }).click()
  await expect(page.getByText('No calls at any time')).toBeVisible()
  await callEnds({ to: LONDON })
  await page.reload()
  await expect(page.getByText('No call has a measured quality yet.')).toBeVisible()
  await expect(rowOf(page, 'United Kingdom')).toContainText('Not measured')
})
