import { expectNoViolations } from '../support/axe.ts'
import { expect, LONDON, placeCall, signIn, test } from '../support/calls.ts'

/** Home with calls, and the dialogs that open over every screen. */
test('axe finds nothing on a full Home, in the guide and in the palette', async ({
  page,
  request,
  caller,
  callEnds,
}) => {
  // Checks four screens.
  test.slow()
  await callEnds({ to: LONDON })
  await placeCall(request, caller.username)
  await signIn(page, caller)
  await expect(page.getByRole('table', { name: 'Monthly Usage' })).toBeAttached()
  await expect(page.getByRole('table', { name: 'Live call details' })).toBeVisible()
  await expectNoViolations(page)

  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByRole('dialog', { name: 'Hang up this call?' })).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
  await page.getByRole('dialog').getByRole('button', { name: 'Hang up', exact: true }).click()

  await page.getByRole('button', { name: 'Make test Call' }).click()
  await expect(page.getByRole('heading', { name: 'Registered phones' })).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
})
