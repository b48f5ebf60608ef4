import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'

describe('sign-in fails with the messages of the specification', () => {
  it('with a wrong password, and identically for an unknown user', async () => {
    const portal = await createPortal()
    await signUp(portal, 'alice')
    const wrong = await portal.call('POST /api/auth/login', {
      body: { username: 'alice', password: 'wrong' },
    })
    const nobody = await portal.call('POST /api/auth/login', {
      body: { username: 'nobody', password: 'wrong' },
    })
    expect(wrong).toMatchObject({
      status: 401,
      code: 'invalid_credentials',
      message: 'Invalid username or password',
    })
    const { request_id: _, ...shown } = wrong.answer as unknown as { request_id: string }
    expect(nobody.answer).toMatchObject(shown)
  })

  const empty = forAll(() => createPortal())
  it.each([
    {},
    { username: 'alice' },
    { password: 'something' },
    { username: '   ', password: 'something' },
    { username: 'alice', password: '' },
  ])('with missing fields: %j', async (body) => {
    const { status, message } = await empty().call('POST /api/auth/login', { body })
    expect({ status, message }).toEqual({ status: 400, message: 'Please fill in all fields' })
  })

  it('with a password above the length limit', async () => {
    const portal = await createPortal()
    const body = { username: 'alice', password: 'x'.repeat(100_000) }
    expect((await portal.call('POST /api/auth/login', { body })).status).toBe(400)
  })
})

describe('a session expires', () => {
  it('after the idle time', async () => {
    const portal = await createPortal({ SESSION_IDLE_DAYS: '2', SESSION_DAYS: '30' })
    const { token } = await signUp(portal, 'alice')
    portal.clock.advance(2 * DAY - HOUR)
    expect((await portal.call('GET /api/auth/verify', { token })).status).toBe(200)
    portal.clock.advance(2 * DAY - HOUR)
    expect((await portal.call('GET /api/auth/verify', { token })).status).toBe(200)
    portal.clock.advance(2 * DAY)
    expect(await portal.call('GET /api/auth/verify', { token })).toMatchObject({
      status: 401,
      message: 'Session expired. Please login again.',
    })
  })

  it('after its maximum lifetime, even if it is in use', async () => {
    const portal = await createPortal({ SESSION_IDLE_DAYS: '2', SESSION_DAYS: '3' })
    const { token } = await signUp(portal, 'alice')
    for (let day = 0; day < 2; day++) {
      portal.clock.advance(DAY)
      expect((await portal.call('GET /api/auth/verify', { token })).status).toBe(200)
    }
    portal.clock.advance(DAY)
    expect((await portal.call('GET /api/auth/verify', { token })).status).toBe(401)
  })
})
