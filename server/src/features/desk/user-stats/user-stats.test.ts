import { expect, it } from 'vitest'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { DAY, earlier, MINUTE } from '../../../platform/clock.ts'

it('counts users as active if they signed in or called within 30 days and are not disabled', async () => {
  const portal = await createPortal()
  const { db } = portal.services
  const admin = await signUp(portal, 'root', { isAdmin: true })
  await signUp(portal, 'left long ago')
  const [caller, lapsed, disabled] = await Promise.all(
    ['calls but never signs in', 'called long ago', 'disabled'].map(async (username) => {
      const row = { username, password_hash: 'x', created_at: portal.clock.now() }
      return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
    }),
  )
  portal.clock.advance(31 * DAY)
  const { token } = (
    await portal.call('POST /api/auth/login', {
      body: { username: admin.username, password: admin.password },
    })
  ).answer
  await signUp(portal, 'newcomer')
  const none = {
    calls: 1,
    completed: 0,
    busy: 0,
    no_answer: 0,
    cancelled: 0,
    failed: 0,
    refused: 1,
    seconds: 0n,
    billed_seconds: 0n,
    cost_micros: 0n,
    buy_micros: 0n,
  }
  const calledOn = (user_id = 0, daysAgo = 0) => {
    const day = earlier(portal.clock.now(), daysAgo * DAY)
    day.setUTCHours(0, 0, 0, 0)
    return { user_id, day, country: 'DE', route_id: 1, ...none }
  }
  await db
    .insertInto('account_days')
    .values([calledOn(caller, 30), calledOn(caller, 2), calledOn(lapsed, 32), calledOn(disabled, 1)])
    .execute()
  await db
    .updateTable('users')
    .set({ disabled_at: portal.clock.now() })
    .where('username', '=', 'disabled')
    .execute()

  const { answer } = await portal.call('GET /api/user-stats', { token })
  // root and the new user signed in, and one user called.
  expect(answer).toEqual({ total_users: 6, active_users: 3 })

  await signUp(portal, 'another')
  const soon = await portal.call('GET /api/user-stats', { token })
  expect(soon.answer).toEqual({ total_users: 7, active_users: 3 })
  portal.clock.advance(5 * MINUTE)
  const later = await portal.call('GET /api/user-stats', { token })
  expect(later.answer).toEqual({ total_users: 7, active_users: 4 })

  await db.deleteFrom('users').where('username', '=', 'calls but never signs in').execute()
  await portal.services.userStats.refresh()
  const afterwards = await portal.call('GET /api/user-stats', { token })
  expect(afterwards.answer).toEqual({ total_users: 6, active_users: 3 })
})
