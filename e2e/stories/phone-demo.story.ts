import { expect, signIn, test } from '../support/story.ts'

test('the phone says that the demo switch has no audio', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await page.getByRole('banner').getByRole('button', { name: 'Phone' }).click()
  const phone = page.getByRole('region', { name: 'Phone' })
  await expect(phone.getByText('Browser calls need a connected SIP switch')).toBeVisible()
  await phone.getByRole('button', { name: 'Close phone' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Phone' })).toBeFocused()

  // By keyboard as well.
  await page.keyboard.press('Enter')
  await expect(phone.getByText('Browser calls need a connected SIP switch')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(phone).toBeHidden()
})
