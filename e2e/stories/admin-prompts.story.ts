import { expectNoViolations } from '../support/axe.ts'
import { toneFile } from '../support/flows.ts'
import { demo, expect, heldAnswer, signIn, test } from '../support/story.ts'

test('an administrator replaces a prompt of the system, listens to it and restores it', async ({ page }) => {
  await page.route('**/api/admin/system-prompts', (route) => route.abort())
  await signIn(page, demo.admin, '/admin-panal/trunks')
  await page.getByRole('link', { name: 'System prompts' }).click()
  await expect(page.getByRole('heading', { name: 'System prompts', level: 1 })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Try again')
  await page.unroute('**/api/admin/system-prompts')
  const held = await heldAnswer(page, '**/api/admin/system-prompts')
  await page.getByRole('button', { name: 'Try again' }).click()
  await held.asked
  held.answer()

  await expect(page.getByRole('listitem', { name: 'Wrong key' })).toContainText('This key is not available.')
  await expectNoViolations(page)
  await page.getByRole('tab', { name: 'German' }).click()
  const row = page.getByRole('listitem', { name: 'Wrong key' })
  await expect(row).toContainText('Diese Taste ist nicht belegt.')
  await row.getByRole('button', { name: 'Replace Wrong key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace “Wrong key”' })
  await expect(dialog).toContainText('Diese Taste ist nicht belegt.')
  const file = dialog.getByLabel('File')
  await file.setInputFiles({ name: 'notes.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('no sound') })
  await expect(dialog.getByRole('alert')).toContainText('This browser cannot read the file as sound.')
  await file.setInputFiles({ name: 'key.wav', mimeType: 'audio/wav', buffer: toneFile(2) })
  await expect(dialog.getByRole('button', { name: 'Play the sound' })).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Replace prompt' }).click()
  await expect(page.getByText('The prompt was replaced.')).toBeVisible()
  await expect(row).toContainText('Recording of 0:02')
  const played = page.waitForResponse('**/api/admin/system-prompts/de/wrong_key/audio')
  await row.getByRole('button', { name: 'Listen to Wrong key' }).click()
  // Two seconds of 16 bits at 8 kHz, and the header.
  expect((await played).headers()['content-length']).toBe(String(44 + 32_000))

  await row.getByRole('button', { name: 'Restore Wrong key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore prompt' }).click()
  await expect(page.getByText('The prompt was restored.')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Restore Wrong key' })).toBeHidden()
  await page.goto('/admin-panal/audit-log')
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('listitem')
  await expect(entries.filter({ hasText: 'restored the voice of a prompt' })).not.toHaveCount(0)
  await expect(entries.filter({ hasText: 'replaced a prompt of the system' })).not.toHaveCount(0)
})
