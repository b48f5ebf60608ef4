import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf } from '../support/payments.ts'
import { startPortalProcess } from '../support/portal-process.ts'
import { test as base, demo, expect, type Person, signIn } from '../support/story.ts'

/** A portal on which an administrator approves every caller ID, as in production. */
const test = base.extend<object, { portal: { url: string } }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const data = await mkdtemp(join(tmpdir(), 'trunkline-addresses-'))
      const portal = await startPortalProcess(data, undefined, { CALLER_IDS: 'approved' })
      await use(portal)
      await portal.stop()
      await rm(data, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
})

const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const alertWith = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

async function asAdministrator(page: Page, path: string): Promise<Page> {
  const context = await page
    .context()
    .browser()
    ?.newContext({ baseURL: new URL(page.url()).origin, reducedMotion: 'reduce' })
  if (!context) throw new Error('There is no browser')
  const desk = await context.newPage()
  await signIn(desk, demo.admin)
  await desk.goto(path)
  return desk
}

test('an address is pending until it is verified; an administrator can approve and revoke it', async ({
  page,
  request,
  newcomer,
}) => {
  await signIn(page, newcomer, '/dashboard/profile')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await page.getByLabel('Host').fill('20.40.60.7')
  await page.getByRole('button', { name: 'Update Host in SIP' }).click()
  await expect(alertWith(page, 'Host updated in SIP successfully!')).toBeVisible()
  const form = page.getByRole('form', { name: 'Update Profile' })
  await expect(
    form.getByText('Not verified yet. To verify it, register or call from this address once'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()

  const card = cardOf(page, 'Trusted addresses')
  await expect(card.getByRole('listitem')).toHaveText(/20\.40\.60\.7\s*Pending/)
  await card.getByLabel('Add an address').fill('192.168.1.1')
  await card.getByRole('button', { name: 'Add address' }).click()
  await expect(card.getByText('This address cannot be trusted.')).toBeVisible()
  await card.getByLabel('Add an address').fill('2600:db8::7')
  await card.getByRole('button', { name: 'Add address' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await expectNoViolations(page)

  const desk = await asAdministrator(page, `/admin-panal/users/${await idOf(newcomer)}?tab=phones`)
  const theirs = cardOf(desk, 'Trusted addresses')
  await theirs.getByRole('button', { name: 'Approve 2600:db8::7' }).click()
  await expect(alertWith(desk, 'Address trusted.')).toBeVisible()
  await theirs.getByLabel('Trust an address').fill('10.1.2.3')
  await theirs.getByRole('button', { name: 'Trust address' }).click()
  await expect(theirs.getByRole('listitem')).toHaveCount(3)
  await theirs.getByRole('button', { name: 'Revoke 10.1.2.3' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(theirs.getByRole('listitem')).toHaveCount(2)
  await expectNoViolations(desk)
  await desk.context().close()

  await expect(card.getByText('Approved by an administrator.')).toHaveCount(1)
  await card.getByRole('button', { name: 'Remove 20.40.60.7' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)
  await expect(cardOf(page, 'Your profile')).toContainText('dynamic')

  async function idOf(person: Person): Promise<number> {
    const headers = await bearerOf(request, person)
    return (await (await request.get('/api/auth/me', { headers })).json()).user.id
  }
})

test('a caller ID waits for an administrator, who approves it or rejects it with a note', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer, '/dashboard')
  const card = cardOf(page, 'Caller ID')
  const set = async (number: string) => {
    await card.getByRole('button', { name: /Set Caller ID|Change/ }).click()
    await card.getByRole('textbox').fill(number)
    await card.getByRole('button', { name: 'Save' }).click()
  }
  await set('14155550142')
  await expect(card.getByText('Waiting for approval. Calls are refused until then.')).toBeVisible()

  const desk = await asAdministrator(page, '/admin-panal/alerts')
  await desk.getByRole('link', { name: 'Caller IDs' }).first().click()
  const wanted = desk.getByRole('article', { name: `Caller ID +1 415 555 0142 of ${newcomer.username}` })
  await expectNoViolations(desk)
  await wanted.getByLabel(/Note to the customer/).fill('Please send us your contract')
  await wanted.getByRole('button', { name: 'Reject' }).click()
  await expect(alertWith(desk, 'Caller ID rejected.')).toBeVisible()
  await expect(wanted).toBeHidden()
  await page.reload()
  await expect(card.getByText('Note: Please send us your contract')).toBeVisible()
  await expect(card.getByText('Not approved. Calls are refused')).toBeVisible()

  await set('14155550143')
  const next = desk.getByRole('article', { name: `Caller ID +1 415 555 0143 of ${newcomer.username}` })
  await desk.reload()
  await next.getByRole('button', { name: 'Approve' }).click()
  await expect(alertWith(desk, 'Caller ID approved.')).toBeVisible()
  await desk.context().close()
  await page.reload()
  await expect(card.getByText('+14155550143')).toBeVisible()
  await expect(card.getByText('Shown to the people you call')).toBeVisible()
})
