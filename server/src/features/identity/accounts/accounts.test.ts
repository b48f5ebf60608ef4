import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { HOUR } from '../../../platform/clock.ts'

describe('registration', () => {
  const empty = forAll(() => createPortal())

  it('creates a customer who can sign in', async () => {
    const portal = await createPortal()
    const body = { username: ' newcomer ', password: 'long enough' }
    const { status, answer } = await portal.call('POST /register', { body })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ success: true, user_id: expect.any(Number) })
    const login = await portal.call('POST /api/auth/login', { body })
    expect(login.answer.user).toMatchObject({
      id: answer.user_id,
      username: 'newcomer',
      is_admin: false,
      is_premium: false,
      host: 'dynamic',
    })
  })

  it('with an email address as username claims that address', async () => {
    const portal = await createPortal()
    const body = { username: 'Carol@Example.com', password: 'long enough' }
    await portal.call('POST /register', { body })
    const { answer } = await portal.call('POST /api/auth/login', { body })
    expect(answer.user.email).toBeNull()
    const { token } = answer
    expect((await portal.call('GET /api/user/email', { token })).answer.pending).toBe('carol@example.com')
  })

  it.each([
    [{ username: 'a', password: '' }, 'Please fill in all fields'],
    [{ username: ' ', password: 'long enough' }, 'Please fill in all fields'],
    [{ username: 'a', password: 'seven77' }, 'Password must be at least 8 characters long'],
    [{ username: 'no spaces', password: 'long enough' }, 'Usernames can have up to 64 characters'],
    [{ username: 'x'.repeat(65), password: 'long enough' }, 'Usernames can have up to 64 characters'],
  ])('refuses %j', async (body, words) => {
    const { status, answer } = await empty().call('POST /register', { body })
    expect(status).toBe(400)
    expect(answer).toMatchObject({ success: false, error: expect.stringContaining(words) })
  })

  it('refuses a name that is taken, in any letter case', async () => {
    const portal = await createPortal()
    await signUp(portal, 'alice')
    const { status, answer } = await portal.call('POST /register', {
      body: { username: 'ALICE', password: 'long enough' },
    })
    expect(status).toBe(409)
    expect(answer).toEqual({
      success: false,
      message: 'An account with this username already exists',
      error: 'An account with this username already exists',
    })
  })

  it('gives a username to one of many concurrent requests', async () => {
    const portal = await createPortal()
    const answers = await Promise.all(
      ['racer', 'Racer', 'RACER', 'racer', 'rAcEr'].map((username) =>
        portal.call('POST /register', { body: { username, password: 'long enough' } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  })

  it.each(['is_admin', 'is_premium', 'bal', 'isAdmin', 'id'])('refuses the field %s', async (field) => {
    const portal = empty()
    const body = { username: 'climber', password: 'long enough', [field]: 1 }
    expect((await portal.call('POST /register', { body })).status).toBe(400)
    expect(await portal.services.db.selectFrom('users').selectAll().execute()).toEqual([])
  })

  it('has a rate limit per address and hour', async () => {
    const portal = await createPortal({ REGISTRATIONS_PER_HOUR: '2' })
    const register = (username: string, from: string) =>
      portal.call('POST /register', { body: { username, password: 'long enough' }, from })
    expect((await register('one', '10.0.0.1')).status).toBe(200)
    expect((await register('two', '10.0.0.1')).status).toBe(200)
    expect(await register('three', '10.0.0.1')).toMatchObject({
      status: 429,
      message: 'Too many requests. Please try again later.',
    })
    expect((await register('four', '10.0.0.2')).status).toBe(200)
    portal.clock.advance(HOUR)
    expect((await register('five', '10.0.0.1')).status).toBe(200)
  })
})

it('hashes passwords with argon2id, at least 19 MiB and two passes', async () => {
  const portal = await createPortal({}, { hasDearPasswords: true })
  await signUp(portal, 'alice')
  const { password_hash } = await portal.services.db
    .selectFrom('users')
    .select('password_hash')
    .executeTakeFirstOrThrow()
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(password_hash) ?? []
  expect(Number(memory)).toBeGreaterThanOrEqual(19_456)
  expect(Number(passes)).toBeGreaterThanOrEqual(2)
})
