import { expect, it } from 'vitest'
import { createPortal, type SignedIn, signUp } from '../../../../test/portal.ts'
import { DAY } from '../../../platform/clock.ts'

it('filters the audit log by actor, action, user, subject and period, as pages and as CSV', async () => {
  const portal = await createPortal({}, { hasWorker: false, startsAt: '2026-03-10T12:00:00.000Z' })
  const root = await signUp(portal, 'root', { isAdmin: true })
  const deputy = await signUp(portal, 'deputy', { isAdmin: true })
  const [alice, bob] = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]
  let keys = 0
  const adjust = (by: SignedIn, user: SignedIn, reason: string) =>
    portal.call('POST /api/admin/balance-adjustments', {
      token: by.token,
      body: { user_id: user.id, amount: 5, reason, request_key: `adjustment-${++keys}` },
    })
  const plan = (by: SignedIn, name: string) =>
    portal.call('POST /api/plans', { token: by.token, body: { name } })

  // Same timestamp, to test the order across pages.
  for (const reason of ['1', '2', '3']) await adjust(root, alice, reason)
  portal.clock.advance(DAY)
  await adjust(deputy, bob, '=cmd|calc')
  await plan(deputy, 'Gold')
  portal.clock.advance(DAY)
  await adjust(root, bob, '5')

  const list = async (query = {}) => {
    const { answer } = await portal.call('GET /api/admin/audit-log', { token: root.token, query })
    return { reasons: answer.entries.map(({ reason, action }) => reason ?? action), next: answer.next }
  }
  const found = async (query: object) => (await list(query)).reasons
  expect(await found({})).toEqual(['5', 'plan.create', '=cmd|calc', '3', '2', '1'])
  expect(await found({ by: deputy.id })).toEqual(['plan.create', '=cmd|calc'])
  expect(await found({ action: 'plan.create' })).toEqual(['plan.create'])
  expect(await found({ username: 'BOB' })).toEqual(['5', '=cmd|calc'])
  expect(await found({ user: alice.id, by: deputy.id })).toEqual([])
  expect(await found({ subject: `balance of user ${alice.id}` })).toEqual(['3', '2', '1'])
  expect(await found({ username: 'nobody' })).toEqual([])
  expect(await found({ from: '2026-03-11T00:00:00.000Z', to: '2026-03-12T00:00:00Z' })).toEqual([
    ...['plan.create', '=cmd|calc'],
  ])
  const walked: string[] = []
  for (let before: number | null | undefined; before !== null; ) {
    const page = await list({ limit: 2, ...(before !== undefined && { before }) })
    walked.push(...page.reasons)
    before = page.next
  }
  expect(walked).toEqual(await found({}))

  const { answer: choices } = await portal.call('GET /api/admin/audit-log/choices', { token: root.token })
  expect(choices.actors.map(({ username }) => username)).toEqual(['deputy', 'root'])
  expect(choices.actions).toEqual(['balance.adjust', 'plan.create'])

  const file = await portal.api.inject({
    method: 'GET',
    url: '/api/admin/audit-log.csv',
    query: { username: 'bob', from: '2026-03-11T00:00:00Z' },
    headers: { authorization: `Bearer ${root.token}` },
  })
  const lines = file.body.trim().split('\n')
  expect(lines[0]).toBe('at,by,action,subject,user,before,after,reason')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain(`2026-03-12T12:00:00.000Z,root,balance.adjust,balance of user ${bob.id},bob,`)
  // The apostrophe prevents a spreadsheet formula.
  expect(lines[2]?.endsWith(`'=cmd|calc`)).toBe(true)
})
