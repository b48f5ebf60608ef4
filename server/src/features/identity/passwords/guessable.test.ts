import { describe, expect, it } from 'vitest'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { isGuessable } from './guessable.ts'

describe('a guessable password', () => {
  it.each([
    'password',
    'PASSWORD',
    'Password1',
    'Password123!',
    'sunshine2024',
    '12345678',
    '0123456789',
    '87654321',
    '67890123',
    'abcdefgh',
    'qwertyuiop',
    'poiuytrewq',
    '1qaz2wsx',
    'aaaaaaaa',
    'abababab',
    'abcabcabc',
    'iloveyou1',
    'trustno1',
  ])('matches %s', (password) => {
    expect(isGuessable(password)).toBe(true)
  })

  it.each(['alice.example', 'Alice.Example', 'alice.example1', 'elpmaxe.ecila'])(
    '%s is one for the account alice.example',
    (password) => {
      expect(isGuessable(password, ['alice.example'])).toBe(true)
    },
  )

  it.each([
    'long enough',
    'trunkline-admin',
    'trunkline-alice',
    'trunkline-paula',
    'correct horse battery',
    'Kx7#pQ2m',
    'ein Satz mit Wörtern',
    'zwölf Boxkämpfer',
  ])('does not match %s', (password) => {
    expect(isGuessable(password, ['alice', null, undefined])).toBe(false)
  })
})

describe('guessable passwords are refused', () => {
  const refused = { status: 400, message: 'This password is too easy to guess. Choose another one.' }

  it('at sign-up, and creates no account', async () => {
    const portal = await createPortal()
    for (const password of ['password', '12345678', 'aaaaaaaa', 'bobby.tables']) {
      const body = { username: 'bobby.tables', password }
      const answer = await portal.call('POST /register', { body })
      expect({ password, status: answer.status, message: answer.message }).toEqual({ password, ...refused })
    }
    const body = { username: 'bobby.tables', password: 'long enough' }
    expect((await portal.call('POST /register', { body })).status).toBe(200)
  })

  it('in the profile, at a change and when an administrator creates a user', async () => {
    const portal = await createPortal()
    const root = await signUp(portal, 'root.admin', { isAdmin: true })
    const { token, password: currentPassword } = root
    const weak = async (newPassword: string) => [
      await portal.call('PATCH /api/user/profile', { token, body: { password: newPassword } }),
      await portal.call('POST /api/auth/change-password', { token, body: { currentPassword, newPassword } }),
    ]
    for (const answer of [...(await weak('12345678')), ...(await weak('root.admin'))]) {
      expect(answer).toMatchObject({ ...refused, code: 'invalid_input' })
    }
    for (const password of ['password', 'new.person']) {
      const body = { username: 'new.person', password }
      expect(await portal.call('POST /api/user/add', { token, body })).toMatchObject(refused)
    }
    expect((await portal.call('GET /api/auth/me', { token })).status).toBe(200)
  })

  it('at a reset, and the link stays valid', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    await signUp(portal, 'alice.example', { email: 'alice@example.com' })
    await portal.call('POST /api/auth/forgot-password', { body: { email: 'alice@example.com' } })
    const [mail] = await portal.mails(1)
    const token = /#token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const reset = (newPassword: string) =>
      portal.call('POST /api/auth/reset-password', { body: { token, newPassword } })
    expect(await reset('12345678')).toMatchObject(refused)
    expect(await reset('alice.example')).toMatchObject(refused)
    expect((await reset('long enough')).status).toBe(200)
  })
})
