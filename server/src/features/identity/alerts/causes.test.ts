import { system } from '@trunkline/domain/access'
import { micros } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { aCdr } from '../../../../test/cdrs.ts'
import { createTill, newAdmin } from '../../../../test/payments.ts'
import { createPortal, type Portal, type SignedIn, signUp, withAdmin } from '../../../../test/portal.ts'
import { createTelephony } from '../../../../test/telephony.ts'
import { DAY, earlier, HOUR, MINUTE } from '../../../platform/clock.ts'
import { insertCdrs } from '../../calls/cdr/cdr-store.ts'

const watch = (portal: Pick<Portal, 'call'>, root: SignedIn) => ({
  openAlerts: async (topic: string, state = 'open') => {
    const query = { topic, state, limit: 50 }
    const { answer } = await portal.call('GET /api/admin/alerts', { token: root.token, query })
    return answer.alerts.map(({ kind, subject, user, message, times, acknowledged_by }) => ({
      kind,
      subject,
      message,
      times,
      user: user?.username ?? null,
      by: acknowledged_by?.username ?? null,
    }))
  },
  async set(change: object) {
    const { token } = root
    const { answer } = await portal.call('GET /api/admin/alert-settings', { token })
    const body = { ...change, version: answer.settings.version }
    return portal.call('PATCH /api/admin/alert-settings', { token, body })
  },
})

it('raises one alert for a large top-up and for a payment under review, despite repeated reports', async () => {
  const till = await createTill()
  const root = await newAdmin(till)
  const alice = await signUp(till, 'alice')
  const { openAlerts, set } = watch(till, root)
  await set({ large_top_up: 200 })

  const small = await till.topUp(alice, 199.99)
  await till.lever(`pay/${small.trackId}`)
  expect(await openAlerts('large_top_up')).toEqual([])
  const large = await till.topUp(alice, 200)
  await till.lever(`pay/${large.trackId}`)
  await till.lever(`callback/${large.trackId}`, { status: 'paid' })
  await till.reconcile()
  expect(await openAlerts('large_top_up')).toMatchObject([
    { subject: `payment:${large.id}`, user: 'alice', times: 1, message: expect.stringContaining('$200.00') },
  ])
  // An upgrade is not a top-up.
  await set({ large_top_up: 1 })
  await till.lever(`pay/${(await till.upgrade(alice)).trackId}`)
  expect(await openAlerts('large_top_up')).toHaveLength(1)
  await set({ large_top_up: null })
  await till.lever(`pay/${(await till.topUp(alice, 9000)).trackId}`)
  expect(await openAlerts('large_top_up')).toHaveLength(1)

  const short = await till.topUp(alice, 100)
  await till.lever(`pay/${short.trackId}`, { amount: 60 })
  await till.lever(`callback/${short.trackId}`, { status: 'underpaid' })
  const [review] = (await till.call('GET /api/admin/payment-reviews', { token: root.token })).answer.reviews
  expect(await openAlerts('payment_review')).toMatchObject([
    { subject: `review:${review?.id}`, user: 'alice', times: 1, message: expect.stringContaining('$60.00') },
  ])
  await till.call('POST /api/admin/payment-reviews/:id/resolve', {
    token: root.token,
    params: { id: review?.id ?? 0 },
    body: { action: 'credit', reason: 'she asked' },
  })
  expect(await openAlerts('payment_review')).toEqual([])
  expect(await openAlerts('payment_review', 'all')).toMatchObject([{ by: root.username }])
  // Customers do not see these alerts.
  expect((await till.call('GET /api/alerts', { token: alice.token })).answer.alerts).toEqual([])
})

describe('a low balance', () => {
  it('raises one alert per fall, closes it on recovery, and is visible to the customer', async () => {
    const { portal, root, alice } = await withAdmin({}, { hasWorker: false })
    const { openAlerts, set } = watch(portal, root)
    let keys = 0
    const adjust = (amount: number) =>
      portal.call('POST /api/admin/balance-adjustments', {
        token: root.token,
        body: { user_id: alice.id, amount, reason: 'test', request_key: `adjustment-${++keys}` },
      })
    await set({ low_balance: 10 })
    for (const amount of [8, 4, -2, -0.01, -3]) await adjust(amount)
    expect(await openAlerts('low_balance')).toMatchObject([
      { user: 'alice', times: 1, message: 'The balance fell below $10.00: $9.99 is left.' },
    ])
    const own = await portal.call('GET /api/alerts', { token: alice.token })
    expect(own.answer.alerts).toMatchObject([{ kind: 'low_balance', acknowledged_at: null }])
    await adjust(20)
    expect(await openAlerts('low_balance')).toEqual([])
    await adjust(-20)
    const [{ id } = { id: 0 }] = (
      await portal.call('GET /api/admin/alerts', { token: root.token, query: { username: 'ALICE' } })
    ).answer.alerts
    await portal.call('POST /api/admin/alerts/:id/acknowledge', { token: root.token, params: { id } })
    // Acknowledged and still low: no new alert before the balance recovers.
    await adjust(-1)
    expect(await openAlerts('low_balance', 'all')).toHaveLength(2)
    expect(await openAlerts('low_balance')).toEqual([])
  })

  it('raises an alert when a call is settled', async () => {
    const phone = await createTelephony()
    const plan = await phone.newPlan()
    const route = await phone.newRoute(plan)
    await phone.newTrunk(plan)
    // 6 cents a minute.
    const poor = await phone.newCustomer(micros(5_050_000n), route)
    const rich = await phone.newCustomer(micros(50_000_000n), route)
    await phone.startSwitch()
    await phone.startControl()
    for (const { username } of [poor, rich]) await phone.place({ user: username, talkMs: 60_000 })
    await phone.advance(61, 10)
    const rows = await phone.db.selectFrom('alerts').select(['kind', 'user_id', 'times']).execute()
    expect(rows).toEqual([{ kind: 'low_balance', user_id: poor.id, times: 1 }])
  })
})

it('raises one alert per 15 minutes for failed sign-ins by account, unknown username and address', async () => {
  const { portal, root, alice } = await withAdmin({}, { hasWorker: false })
  const { openAlerts, set } = watch(portal, root)
  await set({ failed_sign_ins_account: 3, failed_sign_ins_address: 8 })
  const guess = (username: string, from: string) =>
    portal.call('POST /api/auth/login', { body: { username, password: 'wrong wrong' }, from })
  for (let n = 0; n < 2; n++) await guess('alice', '192.0.2.1')
  expect(await openAlerts('failed_sign_ins')).toEqual([])
  for (let n = 0; n < 4; n++) await guess('alice', `192.0.2.${n}`)
  expect(await openAlerts('failed_sign_ins')).toMatchObject([
    { subject: `user:${alice.id}`, times: 1, message: expect.stringContaining('3 sign-ins to the account') },
  ])
  portal.clock.advance(16 * MINUTE)
  for (let n = 0; n < 3; n++) await guess('alice', '192.0.2.1')
  expect(await openAlerts('failed_sign_ins')).toMatchObject([{ subject: `user:${alice.id}`, times: 2 }])
  for (let n = 0; n < 6; n++) await guess('nobody', '192.0.2.1')
  const subjects = (await openAlerts('failed_sign_ins')).map(({ subject, times }) => [subject, times])
  expect(subjects).toEqual([
    ['address:192.0.2.1', 1],
    ['sign-in:unknown', 1],
    [`user:${alice.id}`, 2],
  ])
  // Successful sign-ins do not count.
  portal.clock.advance(HOUR)
  for (let n = 0; n < 5; n++)
    await portal.call('POST /api/auth/login', { body: { username: 'alice', password: alice.password } })
  expect(await openAlerts('failed_sign_ins')).toMatchObject([{}, {}, { times: 2 }])
})

it('raises one alert per day and account for unusual spend, even with two workers', async () => {
  const portal = await createPortal({}, { hasWorker: false, startsAt: '2026-03-20T12:00:00.000Z' })
  const root = await signUp(portal, 'root', { isAdmin: true })
  const steady = await signUp(portal, 'steady')
  const sudden = await signUp(portal, 'sudden')
  const fresh = await signUp(portal, 'fresh')
  const small = await signUp(portal, 'small')
  const { openAlerts, set } = watch(portal, root)
  const { db, unusualSpend } = portal.services
  const spend = (who: SignedIn, daysAgo: number, cost: number) =>
    insertCdrs(db, system('test'), [
      aCdr({
        userId: who.id,
        startedAt: earlier(portal.clock.now(), daysAgo * DAY),
        costMicros: micros(BigInt(cost) * 1_000_000n),
      }),
    ])
  await set({ unusual_spend_times: 3, unusual_spend_least: 30 })
  for (const daysAgo of [1, 2, 8]) {
    await spend(steady, daysAgo, 20)
    await spend(sudden, daysAgo, 10)
    await spend(small, daysAgo, 1)
  }
  await spend(steady, 0, 59)
  await spend(sudden, 0, 30)
  await spend(fresh, 0, 31)
  await spend(small, 0, 29)
  await Promise.all([unusualSpend.look(), unusualSpend.look()])
  await unusualSpend.look()
  const found = await openAlerts('unusual_spend')
  expect(found.map(({ user, times }) => [user, times])).toEqual([
    ['fresh', 1],
    ['sudden', 1],
  ])
  expect(found[1]?.message).toBe('$30.00 spent on calls today. The daily average is $10.00.')
  const ids = (
    await portal.call('GET /api/admin/alerts', { token: root.token, query: { topic: 'unusual_spend' } })
  ).answer.alerts.map(({ id }) => id)
  const { answer } = await portal.call('POST /api/admin/alerts/acknowledge', {
    token: root.token,
    body: { ids: [...ids, 999_999] },
  })
  expect(answer.acknowledged).toBe(2)
  expect(await auditOf(portal, root, 'alert.acknowledge')).toHaveLength(2)
  await spend(sudden, 0, 30)
  await unusualSpend.look()
  expect(await openAlerts('unusual_spend')).toEqual([])
  portal.clock.advance(DAY)
  await spend(sudden, 0, 200)
  await unusualSpend.look()
  expect(await openAlerts('unusual_spend')).toMatchObject([{ user: 'sudden', times: 1 }])
})
