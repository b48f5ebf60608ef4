import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPhone, type Phone } from '../../sip/test/phone.ts'
import { test as base, bearerOf, expect, LONDON, signIn } from '../support/calls.ts'
import { type PortalProcess, startPortalProcess } from '../support/portal-process.ts'

type OwnPortal = { portal: PortalProcess }

/** A portal with a real switch, and a phone of the caller's. */
const test = base.extend<{ phone: Phone }, OwnPortal>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const data = await mkdtemp(join(tmpdir(), 'trunkline-real-calls-'))
      const portal = await startPortalProcess(data, undefined, { TRUNKLINE_SWITCH: '' })
      await use(portal)
      await portal.stop()
      await rm(data, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
  phone: async ({ request, caller, portal }, use) => {
    const headers = await bearerOf(request, caller)
    const { password } = await (await request.post('/api/user/sip/password', { headers })).json()
    const account = { user: caller.username, password }
    const phone = await createPhone({ switchPort: portal.sipPort, account })
    await use(phone)
    phone.close()
  },
})

const NEVER_ANSWERED = '442079460980'

test('a ring of a real phone is seen at once, and a click ends the call at the phone', async ({
  page,
  caller,
  phone,
}) => {
  await signIn(page, caller)
  await expect(page.getByText('No active calls')).toBeVisible()
  await expect(page.getByText('Live updates')).toBeVisible()
  const seen = page
    .getByRole('row')
    .filter({ hasText: NEVER_ANSWERED })
    .waitFor()
    .then(() => Date.now())
  const ringing = await phone.call(NEVER_ANSWERED)
  await ringing.rings()
  const rangAt = Date.now()
  expect((await seen) - rangAt).toBeLessThan(500)
  await page.getByRole('button', { name: `Hang up ${NEVER_ANSWERED}` }).click()
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
