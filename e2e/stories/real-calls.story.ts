import type { Page } from '@playwright/test'
import { nextPorts } from '../../launcher/test/ports.ts'
import { runSipp } from '../../sip/test/sipp.ts'
import { LONDON, LONDON_AS_SHOWN, signIn } from '../support/calls.ts'
import { expect, testWithSipPhone as test } from '../support/phone.ts'

/** Rings until the test makes the carrier answer. */
const RINGS = '442079460980'

test('a call of a real phone appears while it rings, and a click ends it', async ({
  page,
  caller,
  phone,
}) => {
  await signIn(page, caller)
  await expect(page.getByText('No active calls')).toBeVisible()
  await expect(page.getByText('Live updates')).toBeVisible()
  // From here on the page is updated by the event stream, not by polling.
  await page.route('**/api/live-calls-details', (route) => route.abort())
  const ringing = await phone.call(RINGS)
  await ringing.rings()
  await expect(page.getByRole('row').filter({ hasText: RINGS })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up 44 20 7946 0980' }).click()
  expect((await ringing.ended).status).toBeGreaterThanOrEqual(480)
  await expect(page.getByText('No active calls')).toBeVisible()

  const call = await phone.call(LONDON)
  expect((await call.ended).status).toBe(200)
  await expect(page.getByRole('row').filter({ hasText: LONDON })).toContainText('Answered')
  await page.getByRole('button', { name: `Hang up ${LONDON_AS_SHOWN}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hang up', exact: true }).click()
  await call.isHungUp()
  await expect(page.getByText('2 calls, 1 completed')).toBeVisible()
})

test('a call of SIPp appears on Home and then on top of the report', async ({
  page,
  browser,
  caller,
  portal,
  carrier,
  phone: { account },
}) => {
  await signIn(page, caller)
  await expect(page.getByText('Live updates')).toBeVisible()
  // Pages of one browser share a clock, so this needs another browser.
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
    account,
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

  // At most three seconds pass on the clock of the report, less than the poll interval. So the stream shows the call.
  const first = report.getByRole('row', { name: /^Details of/ }).first()
  await passing(report, 20, () => first.isVisible())
  await expect(first).toContainText(RINGS)
  await expect(first).toContainText('Completed')
  await report.close()
})

/** Stops the clock of the page right after a poll. */
async function stopAfterLooking(page: Page): Promise<void> {
  // On a busy machine the moment may have passed.
  await expect(() => page.clock.pauseAt(Date.now() + 2_000)).toPass()
  let hasLooked = false
  page.on('request', (asked) => {
    hasLooked ||= asked.url().includes('/api/cdr?')
  })
  await passing(page, 100, async () => hasLooked)
}

/** Advances a stopped clock a little with each check. */
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
