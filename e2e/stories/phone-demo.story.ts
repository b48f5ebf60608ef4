import { expect, signIn, test } from '../support/story.ts'

test('where calls are made up, the phone says that it needs a real switch', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await page.getByRole('banner').getByRole('button', { name: 'Phone' }).click()
  const phone = page.getByRole('region', { name: 'Phone' })
  await expect(phone.getByText('Calling from the browser needs a real switch')).toBeVisible()
  await phone.getByRole('button', { name: 'Close the phone' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Phone' })).toBeFocused()

  // The keyboard gets in and out as well.
  await page.keyboard.press('Enter')
  await expect(phone.getByText('Calling from the browser needs a real switch')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(phone).toBeHidden()
})
