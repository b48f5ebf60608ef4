import { type Address, endpoints } from '@trunkline/contract'
import type { Endpoint } from '@trunkline/contract/endpoint'
import { describe, expect, it } from 'vitest'
import { createPortal, type Portal, type SignedIn, signUp } from '../../../../test/portal.ts'
import { MINUTE } from '../../../platform/clock.ts'

type Change = [address: Address, body: object | undefined, params?: Record<string, number>]

/** Changes that require more than a token. */
const changesOf = (user: SignedIn): Change[] => [
  ['PATCH /api/user/profile', { password: 'a new long password' }],
  ['PATCH /api/user/profile', { username: 'mallory', company: 'Example' }],
  ['POST /api/user/sip/password', undefined],
  ['POST /api/user/host', { host: '20.40.60.7' }],
  ['POST /api/user/addresses', { address: '20.40.60.9' }],
  ['PUT /api/user/email', { email: 'mallory@example.com' }],
  ['POST /api/user/callerid', { callerid: '12025550100' }],
  ['PATCH /api/user/guards', { daily_spend: null }],
  ['PATCH /api/user/guards', { daily_spend: 30 }],
  ...(user.username === 'root' ? adminChangesOf(user) : []),
]

const adminChangesOf = ({ id }: SignedIn): Change[] => [
  ['POST /api/user/add', { username: 'second', is_admin: true }],
  ['PATCH /api/admin/user/update', { id, email: 'mallory@example.com' }],
  ['PATCH /api/admin/user/update', { id, host: '20.40.60.8' }],
  ['POST /api/admin/users/:id/addresses', { address: '20.40.60.10' }, { id }],
  ['PATCH /api/admin/users/:id/guards', { daily_spend: 5000 }, { id }],
  ['POST /api/admin/users/:id/sip/password', undefined, { id }],
]

async function begin(username = 'alice') {
  const portal = await createPortal()
  const user = await signUp(portal, username, { isAdmin: username === 'root' })
  await portal.call('PATCH /api/user/guards', { token: user.token, body: { daily_spend: 20 } })
  return { portal, user }
}

const make = (portal: Portal, { token }: SignedIn, [address, body, params]: Change) =>
  portal.call(address, { token, ...(body && { body }), ...(params && { params }) })

const prove = (portal: Portal, { token, password }: SignedIn, typed = password, from?: string) =>
  portal.call('POST /api/auth/prove', { token, body: { password: typed }, ...(from && { from }) })

describe('a sensitive change', () => {
  it.each(['alice', 'root'])('works right after sign-in (%s)', async (username) => {
    const { portal, user } = await begin(username)
    portal.clock.advance(10 * MINUTE - 1)
    for (const change of changesOf(user)) {
      expect({ change, status: (await make(portal, user, change)).status }).toEqual({ change, status: 200 })
    }
  })

  it.each(['alice', 'root'])('requires the password ten minutes after sign-in (%s)', async (username) => {
    const { portal, user } = await begin(username)
    portal.clock.advance(10 * MINUTE)
    const before = await portal.call('GET /api/auth/me', { token: user.token })
    for (const change of changesOf(user)) {
      const { status, code } = await make(portal, user, change)
      expect({ change, status, code }).toEqual({ change, status: 403, code: 'password_needed' })
    }
    expect((await portal.call('GET /api/auth/me', { token: user.token })).answer).toEqual(before.answer)
    expect((await prove(portal, user)).status).toBe(200)
    for (const change of changesOf(user)) {
      expect({ change, status: (await make(portal, user, change)).status }).toEqual({ change, status: 200 })
    }
  })

  it('requires the password again after ten minutes, and in other sessions', async () => {
    const { portal, user } = await begin()
    const { username, password } = user
    const other = await portal.call('POST /api/auth/login', { body: { username, password } })
    portal.clock.advance(10 * MINUTE)
    await prove(portal, user)
    const change: Change = ['POST /api/user/sip/password', undefined]
    expect((await make(portal, user, change)).status).toBe(200)
    expect((await make(portal, { ...user, token: other.answer.token }, change)).status).toBe(403)
    portal.clock.advance(10 * MINUTE)
    expect((await make(portal, user, change)).status).toBe(403)
  })

  it('is each one that the contract declares; others need only a token', async () => {
    const { portal, user } = await begin()
    portal.clock.advance(11 * MINUTE)
    for (const body of [{ company: 'Example' }, { company: 'Other', username: user.username }]) {
      expect((await make(portal, user, ['PATCH /api/user/profile', body])).status).toBe(200)
    }
    const tighter = { daily_spend: 10, blocked_countries: ['CU'] }
    expect((await make(portal, user, ['PATCH /api/user/guards', tighter])).status).toBe(200)
    const declared = Object.entries(endpoints as Record<string, Endpoint>).filter(([, one]) => one.needsProof)
    // These need two customers or a preview, so their own tests try them.
    const elsewhere: Address[] = [
      'POST /api/admin/users/:id/merge',
      'POST /api/admin/bulk-pricing/:id/apply',
      'POST /api/admin/bulk-pricing/:id/undo',
    ]
    const tried = new Set([
      ...elsewhere,
      ...changesOf({ ...user, username: 'root' }).map(([address]) => address),
    ])
    expect(declared.map(([address]) => address).filter((address) => !tried.has(address as Address))).toEqual(
      [],
    )
  })
})

describe('confirming the password', () => {
  it('is refused with a wrong password', async () => {
    const { portal, user } = await begin()
    portal.clock.advance(10 * MINUTE)
    expect(await prove(portal, user, 'wrong password')).toMatchObject({
      status: 400,
      code: 'current_password_incorrect',
    })
    expect((await make(portal, user, ['POST /api/user/sip/password', undefined])).status).toBe(403)
  })

  it('shares the rate limit of sign-in', async () => {
    const { portal, user } = await begin()
    for (let n = 0; n < 5; n++) await prove(portal, user, 'wrong password')
    expect(await prove(portal, user)).toMatchObject({ status: 429, code: 'too_many_requests' })
    const { username, password } = user
    expect((await portal.call('POST /api/auth/login', { body: { username, password } })).status).toBe(429)
    portal.clock.advance(15 * MINUTE)
    expect((await prove(portal, user)).status).toBe(200)
  })

  it('is required in sessions from before the upgrade', async () => {
    const { portal, user } = await begin()
    await portal.services.db.updateTable('sessions').set({ proven_at: null }).execute()
    expect((await make(portal, user, ['POST /api/user/sip/password', undefined])).status).toBe(403)
  })
})
