import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { demo, LONDON, signIn } from '../support/calls.ts'
import { downloadFrom } from '../support/downloads.ts'
import { expect, type SipPhone, testWithSipPhone as test } from '../support/phone.ts'

const ladderOf = (page: Page) => page.getByRole('region', { name: 'SIP messages' })
const openFirstCall = (page: Page) =>
  page
    .getByRole('row', { name: /^Details of/ })
    .first()
    .click()

async function talkToLondon(phone: SipPhone) {
  const call = await phone.call(LONDON)
  expect((await call.ended).status).toBe(200)
  await call.speech.echoes(20)
  return call
}

test('an administrator reads the SIP messages of a call as a ladder and downloads them', async ({
  page,
  caller,
  phone,
}, info) => {
  const call = await talkToLondon(phone)
  expect((await call.hangUp()).status).toBe(200)

  await signIn(page, demo.admin, '/admin-panal/calls')
  await page.getByRole('link', { name: caller.username }).first().click()
  await openFirstCall(page)
  const ladder = ladderOf(page)
  const steps = ladder.getByRole('list', { name: 'SIP messages in order of time' })
  const bye = steps.getByRole('button', { name: /BYE.*Phone to Switch/ })
  await expect(bye).toBeVisible()
  await expect(steps.getByRole('button', { name: /INVITE .*Switch to / })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Carriers tried' })).toContainText('200 OK')
  await expect(page.getByRole('region', { name: 'Speech quality' })).toContainText('Not measured')
  await page.screenshot({ path: info.outputPath('ladder.png') })

  // The second INVITE answers the challenge.
  const invite = steps.getByRole('button', { name: /INVITE .*Phone to Switch/ }).nth(1)
  await invite.focus()
  await page.keyboard.press('Enter')
  await expect(invite).toHaveAttribute('aria-expanded', 'true')
  const message = steps.getByRole('region', { name: /INVITE/ })
  await expect(message).toContainText(`Digest username="${caller.username}"`)
  await expect(message).not.toContainText(/response=|nonce=/)
  await expect(message.getByRole('button', { name: 'Copy message' })).toBeVisible()
  await message.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('message.png') })

  const { text } = await downloadFrom(ladder.getByRole('button', { name: 'Download as text' }))
  expect(text).toContain('Phone -> Switch (UDP from')
  expect(text).not.toMatch(/response=|nonce=/)

  await expectNoViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(bye).toBeVisible()
  await bye.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('narrow.png') })
  await page.evaluate("document.documentElement.dataset.theme = 'dark'")
  await page.setViewportSize({ width: 1280, height: 1000 })
  await bye.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('dark.png') })
})

test('a customer sees the speech quality of a call, but neither messages nor carriers', async ({
  page,
  caller,
  phone,
}, info) => {
  const call = await talkToLondon(phone)
  await call.hangUp()
  await signIn(page, caller)
  await page.goto('/dashboard/cdr-report')
  await openFirstCall(page)
  const quality = page.getByRole('region', { name: 'Speech quality' })
  await expect(quality).toContainText('Called party')
  await expect(quality).toContainText('PCMA')
  await expect(ladderOf(page)).toBeHidden()
  await expect(page.getByRole('region', { name: 'Carriers tried' })).toBeHidden()
  await quality.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('customer.png') })
})
