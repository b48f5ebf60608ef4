import { describe, expect, it } from 'vitest'
import { auditOf, racing } from '../../../../test/catalogue.ts'
import { type SignedIn, withAdmin } from '../../../../test/portal.ts'

async function begin() {
  const { portal, root, alice } = await withAdmin()
  return {
    portal,
    root,
    alice,
    own: (body?: object) =>
      body
        ? portal.call('PATCH /api/user/guards', { token: alice.token, body })
        : portal.call('GET /api/user/guards', { token: alice.token }),
    ofAlice: ({ token }: SignedIn, body?: object) => {
      const request = { token, params: { id: alice.id } }
      return body
        ? portal.call('PATCH /api/admin/users/:id/guards', { ...request, body })
        : portal.call('GET /api/admin/users/:id/guards', request)
    },
  }
}

describe('guards', () => {
  it('protect a new account by default', async () => {
    const { own } = await begin()
    const { answer } = await own()
    expect(answer.effective).toEqual({
      max_concurrent_calls: 10,
      max_calls_per_second: 5,
      daily_spend: 50,
      max_price: 1,
      allowed_countries: null,
      blocked_countries: [],
      high_risk_allowed: false,
      calls_stopped: false,
    })
    expect(answer.ceiling).toEqual(answer.effective)
    expect(Object.values(answer.own).every((value) => value === null)).toBe(true)
  })

  it('are tightened by the customer and reset with null', async () => {
    const { own } = await begin()
    const tight = { max_concurrent_calls: 2, daily_spend: 12.5, blocked_countries: ['Cuba', 'SO', 'CU'] }
    const { answer } = await own({ ...tight, calls_stopped: true })
    expect(answer.effective).toMatchObject({
      max_concurrent_calls: 2,
      daily_spend: 12.5,
      calls_stopped: true,
      max_price: 1,
      blocked_countries: [
        { country: 'Cuba', country_code: 'CU' },
        { country: 'Somalia', country_code: 'SO' },
      ],
    })
    const freed = (await own({ calls_stopped: null, daily_spend: null })).answer
    expect(freed.effective).toMatchObject({ calls_stopped: false, daily_spend: 50, max_concurrent_calls: 2 })
    expect(freed.own).toMatchObject({ max_concurrent_calls: 2, daily_spend: null })
  })

  it('cannot be loosened by the customer: each such field is reported and nothing is saved', async () => {
    const { own, ofAlice, root } = await begin()
    await ofAlice(root, { allowed_countries: ['DE', 'FR'], calls_stopped: true })
    for (const [change, field] of [
      [{ max_concurrent_calls: 11 }, 'max_concurrent_calls'],
      [{ max_calls_per_second: 6 }, 'max_calls_per_second'],
      [{ daily_spend: 50.000001 }, 'daily_spend'],
      [{ max_price: 1.01 }, 'max_price'],
      [{ high_risk_allowed: true }, 'high_risk_allowed'],
      [{ calls_stopped: false }, 'calls_stopped'],
      [{ allowed_countries: ['DE', 'US'] }, 'allowed_countries'],
      [{ max_price: 0.5, daily_spend: 51 }, 'daily_spend'],
    ] as const) {
      const { status, answer } = await own(change)
      expect({ change, status, answer }).toMatchObject({
        status: 400,
        answer: { error: { fields: [{ field }] } },
      })
    }
    const { answer } = await own()
    expect(Object.values(answer.own).every((value) => value === null)).toBe(true)
    expect((await own({ allowed_countries: ['DE'] })).answer.effective.allowed_countries).toEqual([
      { country: 'Germany', country_code: 'DE' },
    ])
  })

  it('of the administrator replace the defaults and are audited', async () => {
    const { own, ofAlice, root, alice, portal } = await begin()
    await own({ max_concurrent_calls: 8 })
    const { answer } = await ofAlice(root, {
      max_concurrent_calls: 100,
      daily_spend: 5000,
      high_risk_allowed: true,
    })
    expect(answer).toMatchObject({
      user: { id: alice.id, username: 'alice' },
      effective: { max_concurrent_calls: 8, daily_spend: 5000, high_risk_allowed: true },
      defaults: { max_concurrent_calls: 10 },
      admin: { max_concurrent_calls: 100, max_price: null },
      customer: { max_concurrent_calls: 8 },
    })
    expect((await ofAlice(root, { daily_spend: null })).answer.effective.daily_spend).toBe(50)
    expect((await own()).answer.ceiling).toMatchObject({ max_concurrent_calls: 100, daily_spend: 50 })
    const stale = { max_price: 2, updated_at: '2020-01-01T00:00:00.000Z' }
    expect((await ofAlice(root, stale)).code).toBe('changed_meanwhile')
    expect(await auditOf(portal, root, 'guards.update')).toMatchObject([
      { user: { id: alice.id }, before: { daily_spend: 5000 }, after: { daily_spend: null } },
      { before: { max_concurrent_calls: null }, after: { max_concurrent_calls: 100 } },
    ])
  })

  it('are refused with invalid values, for unknown users and for other users', async () => {
    const { own, ofAlice, root, alice, portal } = await begin()
    for (const change of [
      { max_concurrent_calls: -1 },
      { max_concurrent_calls: 1.5 },
      { daily_spend: 0.0000001 },
      { allowed_countries: ['Atlantis'] },
      { set_by: 'admin' },
      { user_id: root.id },
    ])
      expect((await own(change)).status).toBe(400)
    expect((await ofAlice(alice)).status).toBe(403)
    expect((await ofAlice(alice, { daily_spend: 9999 })).status).toBe(403)
    const nobody = { token: root.token, params: { id: 999 }, body: {} }
    expect((await portal.call('GET /api/admin/users/:id/guards', nobody)).status).toBe(404)
    expect((await portal.call('PATCH /api/admin/users/:id/guards', nobody)).status).toBe(404)
    expect(await portal.services.db.selectFrom('guards').selectAll().execute()).toEqual([])
  })

  it('keep all changes of concurrent requests', async () => {
    const { own, portal } = await begin()
    await own({ max_price: 0.5 })
    const answers = await racing(
      portal,
      (tx) => tx.selectFrom('guards').selectAll().forUpdate().execute(),
      () => [own({ max_concurrent_calls: 3 }), own({ max_calls_per_second: 2 }), own({ daily_spend: 10 })],
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await own()).answer.effective).toMatchObject({
      max_concurrent_calls: 3,
      max_calls_per_second: 2,
      daily_spend: 10,
      max_price: 0.5,
    })
  })
})
