import type { Page } from '@playwright/test'
import { nextPorts } from '../../launcher/test/ports.ts'
import { createPhone, type Phone } from '../../sip/test/phone.ts'
import { runSipp } from '../../sip/test/sipp.ts'
import { bearerOf, LONDON, signIn } from '../support/calls.ts'
import { test as base, expect } from '../support/phone.ts'

/** As a PBX dials it; it rings until the carrier is told to answer. */
const RINGS = '442079460980'

/** A phone of the caller's. */
const test = base.extend<{ phone: Phone }>({
  phone: async ({ request, caller, portal }, use) => {
    const headers = await bearerOf(request, caller)
    const { password } = await (await request.post('/api/user/sip/password', { headers })).json()
    const account = { user: caller.username, password }
    const phone = await createPhone({ switchPort: portal.sipPort, account })
    await use(phone)
    phone.close()
  },
})

test('a ring of a real phone is seen at once, and a click ends the call at the phone', async ({
  page,
  caller,
  phone,
}) => {
  await signIn(page, caller)
  await expect(page.getByText('No active calls')).toBeVisible()
  await expect(page.getByText('Live updates')).toBeVisible()
  // Whatever is seen from here on came by itself, not because the page asked again.
  await page.route('**/api/live-calls-details', (route) => route.abort())
  const ringing = await phone.call(RINGS)
  await ringing.rings()
  await expect(page.getByRole('row').filter({ hasText: RINGS })).toBeVisible()
  await page.getByRole('button', { name: `Hang up ${RINGS}` }).click()
  expect((await ringing.ended).status).toBeGreaterThanOrEqual(480)
  await expect(page.getByText('No active calls')).toBeVisible()

  const call = await phone.call(LONDON)
  expect((await call.ended).status).toBe(200)
  await expect(page.getByRole('row').filter({ hasText: LONDON })).toContainText('Answered')
  await page.getByRole('button', { name: `Hang up ${LONDON}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hang up', exact: true }).click()
  await call.isHungUp()
  await expect(page.getByText('2 calls, 1 completed')).toBeVisible()
})

test('a call of SIPp rings on Home, and leaves it for the top of the report', async ({
  page,
  browser,
  caller,
  portal,
  carrier,
  request,
}) => {
  const headers = await bearerOf(request, caller)
  const { password } = await (await request.post('/api/user/sip/password', { headers })).json()
  await signIn(page, caller)
  await expect(page.getByText('Live updates')).toBeVisible()
  // Another browser, since all pages of one share a clock.
  const report = await browser.newPage({ baseURL: portal.url })
  await report.clock.install()
  await signIn(report, caller)
  await report.goto('/dashboard/cdr-report')
  await expect(report.getByText('No calls today')).toBeVisible()
  await expect(report.getByText('Live updates')).toBeVisible()
  await stopAfterLooking(report)

  const calling = await runSipp({
    scenario: 'caller-is-cut',
    port: nextPorts(4),
    remotePort: portal.sipPort,
    calls: 1,
    timeoutSeconds: 110,
    recvTimeoutMs: 100_000,
    service: RINGS,
    account: { user: caller.username, password },
  })
  const row = page.getByRole('row').filter({ hasText: RINGS })
  await expect(row).toContainText('Ringing')
  await expect(row).toContainText('United Kingdom')
  carrier.answerAll()
  await expect(row).toContainText('Answered')
  carrier.hangUpAll()
  expect(await calling.ended).toMatchObject({ exitCode: 0, successful: 1, errors: '' })
  await expect(page.getByText('No active calls')).toBeVisible()
  await expect(page.getByText('1 call, 1 completed')).toBeVisible()

  // On the report's clock three seconds pass at most, less than until its next look: what shows the call is the stream.
  const first = report.getByRole('row', { name: /^Details of/ }).first()
  await passing(report, 20, () => first.isVisible())
  await expect(first).toContainText(RINGS)
  await expect(first).toContainText('Completed')
  await report.close()
})

/** Stops the page's clock when it has just looked for new calls. */
async function stopAfterLooking(page: Page): Promise<void> {
  // By when a busy machine has told the page, that moment may be over.
  await expect(() => page.clock.pauseAt(Date.now() + 2_000)).toPass()
  let hasLooked = false
  page.on('request', (asked) => {
    hasLooked ||= asked.url().includes('/api/cdr?')
  })
  await passing(page, 100, async () => hasLooked)
}

/** Lets time pass on a page whose clock stands still, a little for each time it is looked at. */
const passing = (page: Page, ms: number, isSo: () => Promise<boolean>) =>
  expect
    .poll(
      async () => {
        await page.clock.runFor(ms)
        return isSo()
      },
      { intervals: [100] },
    )
    .toBe(true)
