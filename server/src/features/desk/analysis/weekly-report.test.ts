import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { insertCdrs } from '../../calls/cdr/cdr-store.ts'

it('mails the past week once to each recipient, on Monday morning in the time zone of the setting', async () => {
  // Sunday in UTC, Monday 03:30 in Kolkata.
  const portal = await createPortal(
    { PUBLIC_URL: 'https://voip.example' },
    { startsAt: '2026-03-15T22:00:00Z' },
  )
  const { services, clock } = portal
  const { token } = await signUp(portal, 'root', { isAdmin: true })
  const alice = await signUp(portal, 'alice')
  await insertCdrs(services.db, systemOwner, [
    aCdr({ startedAt: new Date('2026-03-09T10:00:00Z'), userId: alice.id }),
    aCdr({ startedAt: new Date('2026-03-15T18:29:00Z'), userId: alice.id, status: 'busy' }),
    // The next week in Kolkata, and the week before.
    aCdr({ startedAt: new Date('2026-03-15T18:30:00Z'), userId: alice.id }),
    aCdr({ startedAt: new Date('2026-03-08T10:00:00Z'), userId: alice.id }),
  ])
  const run = async () => {
    await Promise.all([services.weeklyReport.run(), services.weeklyReport.run()])
    await services.alertMailing.run()
  }
  const change = async (body: object) => {
    const { settings } = (await portal.call('GET /api/admin/alert-settings', { token })).answer
    return await portal.call('PATCH /api/admin/alert-settings', {
      token,
      body: { ...body, version: settings.version },
    })
  }
  await run()
  expect((await change({ weekly_report_timezone: 'Mars/Olympus' })).status).toBe(400)
  await change({ mail_to: ['boss@example.com', 'ops@example.com'], weekly_report_timezone: 'Asia/Kolkata' })
  await run()
  expect(await portal.mails(0)).toEqual([])

  clock.advance(3 * 3_600_000)
  await run()
  await run()
  const mails = await portal.mails(2)
  expect(mails.flatMap(({ to }) => to).sort()).toEqual(['boss@example.com', 'ops@example.com'])
  expect(mails[0]?.subject).toContain('week from 2026-03-09 to 2026-03-15')
  expect(mails[0]?.text).toContain('Calls: 2 (week before: 1)')
  expect(mails[0]?.text).toContain('Margin: $0.01 (week before: $0.01)')
  expect(mails[0]?.text).toContain('- alice: $0.01 of $0.01, 2 calls, 50% answered')
  expect(mails[0]?.text).toContain(
    'https://voip.example/admin-panal/analysis?period=custom&from=2026-03-09&to=2026-03-15',
  )

  await change({ weekly_report_timezone: null })
  clock.advance(7 * 24 * 3_600_000)
  await run()
  expect(await portal.mails(2)).toHaveLength(2)
})
