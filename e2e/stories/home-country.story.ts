import { bearerOf, demo, expect, signIn, test } from '../support/calls.ts'

test('a customer sets a home country and dials national numbers from then on', async ({
  page,
  newcomer,
  request,
}) => {
  await signIn(page, newcomer, '/dashboard/profile')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await page.getByLabel('Company').fill('Bell & Sons')
  await page.getByLabel('Home country').selectOption({ label: 'United Kingdom' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Your profile', exact: true })).toContainText(
    'United Kingdom',
  )
  const headers = await bearerOf(request, newcomer)
  const quote = await request.get('/api/pricing/quote?number=020+7946+0123', { headers })
  expect(await quote.json()).toMatchObject({ number: '442079460123' })
})

test('an administrator sets and removes the trunk for emergency calls', async ({ page, request }) => {
  await signIn(page, demo.admin, '/admin-panal/trunks?view=order')
  const card = page.getByRole('region', { name: 'Emergency calls' })
  await expect(card).toContainText('No trunk carries emergency calls')
  await card.getByLabel('Trunk').selectOption({ index: 1 })
  await card.getByLabel('Caller ID').fill('123')
  await card.getByRole('button', { name: 'Save emergency calls' }).click()
  await expect(card).toContainText('The caller ID must have 7 to 16 digits.')
  await card.getByLabel('Caller ID').fill('442079460018')
  await card.getByRole('button', { name: 'Save emergency calls' }).click()
  await expect(card).not.toContainText('No trunk carries emergency calls')
  const headers = await bearerOf(request, demo.alice)
  const quote = () =>
    request.get('/api/pricing/quote?number=112', { headers }).then((answer) => answer.json())
  expect(await quote()).toMatchObject({ allowed: true })
  await card.getByLabel('Trunk').selectOption({ index: 0 })
  await card.getByRole('button', { name: 'Save emergency calls' }).click()
  await expect(card).toContainText('No trunk carries emergency calls')
  expect(await quote()).toMatchObject({
    allowed: false,
    message: 'Emergency calls are not available on this service.',
  })
})
