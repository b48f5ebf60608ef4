import { expect, it } from 'vitest'
import { createPortal, signUp } from '../../../../test/portal.ts'

it.each([
  [{ username: '' }, 'username', 'Please fill in all fields'],
  [{ username: 'no spaces' }, 'username', 'Usernames can have up to 64 characters'],
  [{ company: '  ' }, 'company', 'Please enter your company.'],
  [{ company: null }, 'company', 'Please enter your company.'],
  [{ company: 'x'.repeat(201) }, 'company', 'Please keep this under 200 characters'],
  [{ password: 'seven77' }, 'password', 'Password must be at least 8 characters long'],
  [{ password: '' }, 'password', 'Please fill in all fields'],
])('refuses %j and changes nothing', async (given, field, words) => {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'alice')
  const before = (await portal.call('GET /api/auth/me', { token })).answer
  const body = { username: 'alison', company: 'Bell', ...given }
  const { status, answer } = await portal.call('PATCH /api/user/profile', { token, body })
  expect(status).toBe(400)
  const fault = { field, message: expect.stringContaining(words) }
  expect(answer).toMatchObject({ error: { fields: expect.arrayContaining([fault]) } })
  expect((await portal.call('GET /api/auth/me', { token })).answer).toEqual(before)
})

it('refuses a taken username in any letter case, with the rest of the change', async () => {
  const portal = await createPortal()
  const { token, password } = await signUp(portal, 'alice')
  await signUp(portal, 'bob')
  const body = { username: 'BOB', company: 'Bell', password: 'quite another' }
  const refused = await portal.call('PATCH /api/user/profile', { token, body })
  expect(refused).toMatchObject({
    status: 409,
    code: 'username_taken',
    answer: {
      error: {
        fields: [{ field: 'username', message: 'An account with this username already exists' }],
      },
    },
  })
  expect((await portal.call('GET /api/auth/me', { token })).answer.user).toMatchObject({
    username: 'alice',
    company: null,
  })
  const login = await portal.call('POST /api/auth/login', { body: { username: 'alice', password } })
  expect(login.status).toBe(200)
})

it('gives a username to one of many concurrent changes', async () => {
  const portal = await createPortal()
  const people = [await signUp(portal, 'a'), await signUp(portal, 'b'), await signUp(portal, 'c')]
  const answers = await Promise.all(
    people.map(({ token }) =>
      portal.call('PATCH /api/user/profile', { token, body: { username: 'wanted' } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})
