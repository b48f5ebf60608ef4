import { describe, expect, it } from 'vitest'
import { createPortal, type Portal, type SignedIn, signUp } from '../../../../test/portal.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'

async function signInWith(portal: Portal, { username, password }: SignedIn, userAgent: string, from: string) {
  const response = await portal.api.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password },
    headers: { 'user-agent': userAgent },
    remoteAddress: from,
  })
  return response.json().token as string
}

const list = async (portal: Portal, token: string) =>
  (await portal.call('GET /api/user/sessions', { token })).answer.sessions
const isAlive = async (portal: Portal, token: string) =>
  (await portal.call('GET /api/auth/me', { token })).status === 200

const PHONE = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'

describe('a user', () => {
  it('lists their sessions, most recently used first, with the current one marked', async () => {
    const portal = await createPortal({}, { startsAt: '2026-03-01T10:00:00Z' })
    const alice = await signUp(portal, 'alice')
    portal.clock.advance(HOUR)
    const phone = await signInWith(portal, alice, PHONE, '198.51.100.7')
    expect(await list(portal, phone)).toEqual([
      {
        id: expect.any(Number),
        device: 'Chrome on Android',
        address: '198.51.100.7',
        since: '2026-03-01T11:00:00.000Z',
        last_used: '2026-03-01T11:00:00.000Z',
        is_current: true,
      },
      {
        id: expect.any(Number),
        device: expect.any(String),
        address: '127.0.0.1',
        since: '2026-03-01T10:00:00.000Z',
        last_used: '2026-03-01T10:00:00.000Z',
        is_current: false,
      },
    ])
    portal.clock.advance(HOUR)
    const [first] = await list(portal, alice.token)
    expect(first).toMatchObject({ address: '127.0.0.1', last_used: '2026-03-01T12:00:00.000Z' })
  })

  it('does not see expired sessions', async () => {
    const portal = await createPortal({ SESSION_IDLE_DAYS: '2', SESSION_DAYS: '30' })
    const alice = await signUp(portal, 'alice')
    portal.clock.advance(DAY)
    const phone = await signInWith(portal, alice, PHONE, '198.51.100.7')
    portal.clock.advance(DAY)
    expect(await list(portal, phone)).toHaveLength(1)
  })

  it('signs out one device immediately', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const phone = await signInWith(portal, alice, PHONE, '198.51.100.7')
    const tablet = await signInWith(portal, alice, PHONE, '198.51.100.8')
    const lost = (await list(portal, alice.token)).find(({ address }) => address === '198.51.100.7')
    const end = () =>
      portal.call('DELETE /api/user/sessions/:id', { token: alice.token, params: { id: lost?.id ?? 0 } })
    expect(await end()).toMatchObject({ status: 200, message: 'The device was signed out.' })
    expect(await isAlive(portal, phone)).toBe(false)
    expect(await isAlive(portal, tablet)).toBe(true)
    expect((await end()).status).toBe(404)
  })

  it('signs out everywhere else and stays signed in', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const others = [
      await signInWith(portal, alice, PHONE, '198.51.100.7'),
      await signInWith(portal, alice, PHONE, '198.51.100.8'),
    ]
    const { status, answer } = await portal.call('DELETE /api/user/sessions', { token: alice.token })
    expect({ status, ended: answer.ended }).toEqual({ status: 200, ended: 2 })
    for (const token of others) expect(await isAlive(portal, token)).toBe(false)
    expect(await list(portal, alice.token)).toMatchObject([{ is_current: true }])
  })
})

describe('another user', () => {
  it('can neither see nor end the sessions', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const bob = await signUp(portal, 'bob')
    const root = await signUp(portal, 'root', { isAdmin: true })
    const [session] = await list(portal, alice.token)
    for (const { token } of [bob, root]) {
      expect(await list(portal, token)).toHaveLength(1)
      const params = { id: session?.id ?? 0 }
      expect((await portal.call('DELETE /api/user/sessions/:id', { token, params })).status).toBe(404)
      expect((await portal.call('DELETE /api/user/sessions', { token })).answer.ended).toBe(0)
    }
    expect(await isAlive(portal, alice.token)).toBe(true)
  })

  it('cannot derive a token from the listed data', async () => {
    const portal = await createPortal()
    const { token } = await signUp(portal, 'alice')
    const [session] = await list(portal, token)
    expect(Object.keys(session ?? {}).sort()).toEqual([
      ...['address', 'device', 'id', 'is_current', 'last_used', 'since'],
    ])
  })
})
