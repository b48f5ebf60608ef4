import { randomBytes } from 'node:crypto'
import { expectNoViolations } from '../support/axe.ts'
import { mailedLink } from '../support/mailbox.ts'
import { expect, fillSignIn, signIn, test } from '../support/story.ts'

const newAddress = () => `${randomBytes(6).toString('hex')}@example.com`

test('an address given at sign-up is confirmed by its link, once', async ({ page, request, browser }) => {
  const address = newAddress()
  const person = { username: `u${randomBytes(5).toString('hex')}`, password: 'long enough' }
  await page.goto('/login?tab=sign-up')
  await fillSignIn(page, person)
  await page.getByLabel(/Email/).fill(address)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('We sent a link to confirm your email address.')).toBeVisible()

  const link = await mailedLink(browser, request, address, /Confirm your email address/)
  await page.goto(link)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible()
  await signIn(page, person)
  await expect(page.getByRole('banner')).toContainText(address)
  await page.goto(link)
  await page.reload()
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.')
})

test('a customer adds an address in the profile', async ({ page, request, browser, newcomer }) => {
  const address = newAddress()
  await signIn(page, newcomer, '/dashboard/profile')
  const card = page.getByRole('region', { name: 'Email address', exact: true })
  await expect(card).toContainText('No address yet')
  await card.getByLabel('New email address').fill('nobody')
  await card.getByRole('button', { name: 'Send link' }).click()
  await expect(card).toContainText('Please enter a valid email address')
  await card.getByLabel('New email address').fill(address)
  await card.getByRole('button', { name: 'Send link' }).click()
  await expect(card).toContainText(`Open the link we sent to ${address} to confirm it.`)
  await page.goto(await mailedLink(browser, request, address, /Confirm your email address/))
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(card).toContainText(address)
  await expect(card.getByText('Confirmed', { exact: true })).toBeVisible()
})

test('signing out everywhere else disconnects phones by default', async ({ page, request, newcomer }) => {
  await signIn(page, newcomer)
  const answer = await request.post('/api/auth/login', { data: newcomer })
  const headers = { authorization: `Bearer ${(await answer.json()).token}` }
  const hasPassword = async () => {
    const token = await page.evaluate(() => localStorage.getItem('token'))
    const mine = { authorization: `Bearer ${token}` }
    return (await (await request.get('/api/user/sip', { headers: mine })).json()).has_password
  }
  await request.post('/api/user/sip/password', { headers })
  expect(await hasPassword()).toBe(true)
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Disconnect my phones too')).toBeChecked()
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByText('You signed out of all other sessions.')).toBeVisible()
  expect(await hasPassword()).toBe(false)
})
