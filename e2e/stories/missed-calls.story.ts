import { expectNoViolations } from '../support/axe.ts'
import { expect, LONDON, signIn, test } from '../support/calls.ts'
import { callNumber, rentedNumber } from '../support/numbers.ts'

test('incoming calls are filtered by direction, and missed calls can be called back', async ({
  page,
  request,
  caller,
  callEnds,
}) => {
  test.slow()
  const offered = await rentedNumber(request, caller)
  await callEnds({ to: LONDON })
  await callNumber(request, offered, { from: '+493012345678', name: 'Anna Berlin', code: 200 })
  await callNumber(request, offered, { from: '+33142345678', name: 'Paul Paris', code: 408 })

  await signIn(page, caller)
  const card = page.getByRole('region', { name: 'Missed calls' })
  await expect(card).toContainText('Paul Paris')
  await expectNoViolations(page, 'main')
  await page.goto('/dashboard/cdr-report')
  const rows = page.getByRole('row', { name: /^Details of/ })
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByLabel('Direction').selectOption('Incoming')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Remove Incoming calls' })).toBeVisible()
  await expectNoViolations(page)

  await page.getByRole('link', { name: 'Missed calls' }).click()
  await expect(rows).toHaveCount(1)
  await rows.getByRole('link', { name: /^Details of/ }).click()
  const drawer = page.getByRole('dialog', { name: /Call from/ })
  await expect(drawer).toContainText('Missed call')
  await expect(drawer).toContainText('Paul Paris')
  await expect(drawer).toContainText('Country of the callerFrance')
  await expect(drawer).toContainText('Always: phones and browsers.')
  await expectNoViolations(page, '[role="dialog"]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Call back +33 1 42 34 56 78' }).click()
  await expect(page.getByRole('region', { name: 'Phone' })).toBeVisible()
})
