import { expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { createPortal, type SignedIn, signUp } from '../../../../test/portal.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { createAlertMailing } from './mailing.ts'

const trunkDown = (id: number) => ({
  kind: 'trunk_down',
  subject: `trunk:${id}`,
  userId: null,
  message: `Carrier ${id} does not answer.`,
})

async function begin() {
  const portal = await createPortal({ PUBLIC_URL: 'https://voip.example' }, { hasWorker: false })
  const root = await signUp(portal, 'root', { isAdmin: true })
  const read = async ({ token }: SignedIn) =>
    (await portal.call('GET /api/admin/alert-settings', { token })).answer.settings
  const change = ({ token }: SignedIn, body: object) =>
    portal.call('PATCH /api/admin/alert-settings', { token, body })
  return { portal, root, read, change }
}

it('changes the given settings, refuses outdated versions and writes the audit log', async () => {
  const { portal, root, read, change } = await begin()
  const deputy = await signUp(portal, 'deputy', { isAdmin: true })
  const { version, ...before } = await read(root)
  expect(before).toMatchObject({ large_top_up: 500, low_balance: 5, mail_to: [], updated_by: null })
  expect((await change(root, { version, low_balance: null, unusual_spend_times: 2.5 })).status).toBe(200)
  expect(await change(deputy, { version, low_balance: 7 })).toMatchObject({
    status: 409,
    code: 'changed_meanwhile',
  })
  const after = await read(deputy)
  expect(after).toMatchObject({
    ...before,
    low_balance: null,
    unusual_spend_times: 2.5,
    updated_by: 'root',
    updated_at: expect.any(String),
  })
  for (const bad of [
    { low_balance: 0 },
    { large_top_up: -1 },
    { unusual_spend_times: 0.5 },
    { failed_sign_ins_account: 31 },
    { mail_to: ['nowhere'] },
    { mail_topics: ['weather'] },
    { unknown: 1 },
  ])
    expect((await change(deputy, { version: after.version, ...bad })).status).toBe(400)
  expect((await change(deputy, { low_balance: 7 })).status).toBe(400)
  expect(await read(root)).toEqual(after)
  expect(await auditOf(portal, root, 'alert_settings.update')).toMatchObject([
    { before: { low_balance: 5 }, after: { low_balance: null, unusual_spend_times: 2.5 } },
  ])
})

it('mails alerts of the selected topics once to each address, with any number of workers', async () => {
  const { portal, root, read, change } = await begin()
  const { alerts, alertMailing, db } = portal.services
  await alerts.raise(trunkDown(1))
  await alertMailing.run()
  const { version } = await read(root)
  await change(root, {
    version,
    mail_to: ['Ops@example.com', 'ops@example.com', 'boss@example.com'],
    mail_topics: ['trunk_down'],
  })
  // Alerts from before the setting, and repeated alerts, are not mailed.
  await alerts.raise(trunkDown(1))
  await alerts.raise(trunkDown(2))
  await alerts.raise({ kind: 'below_cost', subject: 'route:1', userId: null, message: 'not asked for' })
  await alerts.raise(trunkDown(3))
  await Promise.all([alertMailing.run(), alertMailing.run(), alertMailing.run()])
  await alertMailing.run()
  const mails = await portal.mails(2)
  expect(mails.flatMap(({ to }) => to).sort()).toEqual(['boss@example.com', 'ops@example.com'])
  for (const { subject, text } of mails) {
    expect(subject).toContain('2 alerts')
    expect(text).toContain('Carrier 2 does not answer.')
    expect(text).toContain('Carrier 3 does not answer.')
    expect(text).toContain('https://voip.example/admin-panal/alerts')
    expect(text).not.toMatch(/Carrier 1 |not asked for/)
  }

  // After an outage of the mail server, another worker sends the rest with the same Message-ID.
  const sent: (string | undefined)[] = []
  const parts = {
    db,
    clock: portal.clock,
    logger: portal.services.logger,
    publicUrl: 'https://voip.example',
    siteName: 'T',
  }
  const mailer = (isAway: boolean) => ({
    async send({ to, messageId }: { to: string; messageId?: string }) {
      if (isAway) throw new Error('connection refused')
      sent.push(`${to} ${messageId}`)
    },
  })
  await alerts.raise(trunkDown(4))
  await createAlertMailing({ ...parts, mailer: mailer(true) }).run()
  portal.clock.advance(MINUTE)
  const [one, another] = [1, 2].map(() => createAlertMailing({ ...parts, mailer: mailer(false) }))
  await Promise.all([one?.run(), another?.run()])
  expect(sent.sort()).toEqual([
    expect.stringMatching(/^boss@example.com <alert-mail-\d+@voip.example>$/),
    expect.stringMatching(/^ops@example.com <alert-mail-\d+@voip.example>$/),
  ])
})
