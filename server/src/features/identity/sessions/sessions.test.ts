import { describe, expect, it } from 'vitest'
import { createPortal, signUp } from '../../../../test/portal.ts'

describe('a session', () => {
  it('starts with the right password and returns its user', async () => {
    const portal = await createPortal()
    const { token } = await signUp(portal, 'Alice', { isPremium: true })
    for (const address of ['GET /api/auth/verify', 'GET /api/auth/me'] as const) {
      const { status, answer } = await portal.call(address, { token })
      expect(status).toBe(200)
      expect(answer.user).toMatchObject({ username: 'Alice', is_admin: false, is_premium: true, bal: 0 })
    }
  })

  it('accepts a username in any letter case and with surrounding spaces', async () => {
    const portal = await createPortal()
    const { password } = await signUp(portal, 'Alice')
    const { status, answer } = await portal.call('POST /api/auth/login', {
      body: { username: '  aLICE ', password },
    })
    expect(status).toBe(200)
    expect(answer.user.username).toBe('Alice')
  })

  it('never returns a password or its hash', async () => {
    const portal = await createPortal()
    const { token } = await signUp(portal, 'alice')
    const { answer } = await portal.call('GET /api/auth/me', { token })
    expect(JSON.stringify(answer)).not.toMatch(/password|argon/)
  })

  it('ends at logout, without ending others', async () => {
    const portal = await createPortal()
    const { token, username, password } = await signUp(portal, 'alice')
    const other = await portal.call('POST /api/auth/login', { body: { username, password } })
    expect((await portal.call('POST /api/auth/logout', { token })).status).toBe(200)
    expect((await portal.call('GET /api/auth/me', { token })).status).toBe(401)
    expect((await portal.call('GET /api/auth/me', { token: other.answer.token })).status).toBe(200)
  })
})
