import type { APIRequestContext, Browser } from '@playwright/test'
import { expect } from './story.ts'

/** The link with a token in the newest mail to this address, read in the mailbox of the sandbox. */
export async function mailedLink(
  browser: Browser,
  request: APIRequestContext,
  address: string,
  subject: RegExp,
): Promise<string> {
  const { demo } = await (await request.get('/api/site')).json()
  const mailbox = await browser.newPage()
  await mailbox.goto(demo.mailbox_url)
  await mailbox.getByRole('link', { name: subject }).filter({ hasText: address }).first().click()
  await expect(mailbox.getByText(address).first()).toBeVisible()
  const link = await mailbox.getByRole('link', { name: /#token=/ }).getAttribute('href')
  await mailbox.close()
  return link ?? ''
}
