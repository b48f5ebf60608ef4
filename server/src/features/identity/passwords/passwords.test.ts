import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createPortal, type Mail, type Portal, signUp } from '../../../../test/portal.ts'
import { MINUTE } from '../../../platform/clock.ts'

const signIn = (portal: Portal, username: string, password: string) =>
  portal.call('POST /api/auth/login', { body: { username, password }, from: '10.7.7.7' })

describe('changing a password', () => {
  it('ends every session, returns a new token and invalidates the old password', async () => {
    const portal = await createPortal()
    const { token, username, password } = await signUp(portal, 'alice')
    const elsewhere = (await signIn(portal, username, password)).answer.token
    const { status, answer } = await portal.call('POST /api/auth/change-password', {
      token,
      body: { currentPassword: password, newPassword: 'another one' },
    })
    expect(status).toBe(200)
    expect((await portal.call('GET /api/auth/me', { token })).status).toBe(401)
    expect((await portal.call('GET /api/auth/me', { token: elsewhere })).status).toBe(401)
    expect((await portal.call('GET /api/auth/me', { token: answer.token })).status).toBe(200)
    expect((await signIn(portal, username, password)).status).toBe(401)
    expect((await signIn(portal, username, 'another one')).status).toBe(200)
  })

  it('requires the current password', async () => {
    const portal = await createPortal()
    const { token, username, password } = await signUp(portal, 'alice')
    const body = { currentPassword: 'not it', newPassword: 'another one' }
    expect(await portal.call('POST /api/auth/change-password', { token, body })).toMatchObject({
      status: 400,
      message: 'Current password is incorrect',
    })
    expect((await signIn(portal, username, password)).status).toBe(200)
    expect((await portal.call('GET /api/auth/me', { token })).status).toBe(200)
  })

  it('refuses a short password', async () => {
    const portal = await createPortal()
    const { token, password } = await signUp(portal, 'alice')
    const body = { currentPassword: password, newPassword: 'short' }
    expect((await portal.call('POST /api/auth/change-password', { token, body })).message).toBe(
      'Password must be at least 8 characters long',
    )
  })
})

it('sends a notice to the owner for every way to set a password', async () => {
  const portal = await createPortal({}, { hasWorker: true })
  const { token, username, password } = await signUp(portal, 'alice', { email: 'alice@example.com' })
  const mute = await signUp(portal, 'bob')
  const inProfile = (by: string) =>
    portal.call('PATCH /api/user/profile', { token: by, body: { password: 'second one' } })
  await inProfile(mute.token)
  await inProfile(token)
  const { answer } = await signIn(portal, username, 'second one')
  const body = { currentPassword: 'second one', newPassword: 'third one!' }
  await portal.call('POST /api/auth/change-password', { token: answer.token, body })
  // The sign-in from a new device sends a notice too.
  const isNotice = ({ subject }: Mail) => subject.endsWith('password was changed')
  const mails = (await portal.mails(3)).filter(isNotice)
  expect(mails.map(({ to }) => to)).toEqual([['alice@example.com'], ['alice@example.com']])
  for (const { text } of mails) {
    expect(text).toContain('was changed at')
    expect(text).toContain('/forgot-password')
    for (const secret of [password, 'second one', 'third one!']) expect(text).not.toContain(secret)
  }
  await portal.call('POST /api/auth/forgot-password', { body: { email: 'alice@example.com' } })
  const link = (await portal.mails(4)).map(({ text }) => /#token=(\S+)/.exec(text)?.[1]).find(Boolean)
  await portal.call('POST /api/auth/reset-password', { body: { token: link, newPassword: 'fourth one' } })
  const notices = (await portal.mails(5)).filter(isNotice)
  expect(notices).toHaveLength(3)
})

describe('a forgotten password', () => {
  const ask = (portal: Portal, email: string, from?: string) =>
    portal.call('POST /api/auth/forgot-password', { body: { email }, ...(from && { from }) })
  const tokenIn = ({ text }: Mail) => /\/reset-password#token=([\w-]{43})\s/.exec(text)?.[1] ?? ''
  const reset = (portal: Portal, token: string, newPassword = 'brand new one') =>
    portal.call('POST /api/auth/reset-password', { body: { token, newPassword } })

  /** A customer, and the token of the link in their mail. */
  async function askedReset() {
    const portal = await createPortal({}, { hasWorker: true })
    await signUp(portal, 'alice', { email: 'alice@example.com' })
    await ask(portal, 'alice@example.com')
    const [mail] = await portal.mails(1)
    return { portal, token: tokenIn(mail as Mail) }
  }

  it('is reset once by a mailed link, which ends every session', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    const { token, username } = await signUp(portal, 'alice', { email: 'alice@example.com' })
    expect((await ask(portal, ' ALICE@example.com ')).status).toBe(200)
    const [mail] = await portal.mails(1)
    expect(mail?.to).toEqual(['alice@example.com'])
    const link = tokenIn(mail as Mail)
    expect((await reset(portal, link)).status).toBe(200)
    expect((await portal.call('GET /api/auth/me', { token })).status).toBe(401)
    expect((await signIn(portal, username, 'brand new one')).status).toBe(200)
    expect(await reset(portal, link)).toMatchObject({ status: 400, code: 'reset_link_dead' })
  })

  it('gives the same answer for an unknown address and sends nothing', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    await signUp(portal, 'alice', { email: 'alice@example.com' })
    const unknown = await ask(portal, 'nobody@example.com')
    const known = await ask(portal, 'alice@example.com')
    expect(unknown).toEqual(known)
    const mails = await portal.mails(1)
    expect(mails.map(({ to }) => to)).toEqual([['alice@example.com']])
  })

  it('sends a link for each account of the address, with its username', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    await signUp(portal, 'alice', { email: 'shared@example.com' })
    await signUp(portal, 'bob', { email: 'shared@example.com' })
    await ask(portal, 'shared@example.com')
    const texts = (await portal.mails(2)).map(({ text }) => text)
    expect(texts.some((text) => text.includes('Hello alice'))).toBe(true)
    expect(texts.some((text) => text.includes('Hello bob'))).toBe(true)
  })

  it('accepts one of many concurrent requests with the same link', async () => {
    const { portal, token } = await askedReset()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => reset(portal, token, `a new phrase ${n}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('expires after 30 minutes', async () => {
    const { portal, token } = await askedReset()
    portal.clock.advance(30 * MINUTE)
    expect((await reset(portal, token)).code).toBe('reset_link_dead')
  })

  it('stores the token neither in tables nor in jobs', async () => {
    const { portal, token } = await askedReset()
    const { rows } = await sql<{ row: string }>`
      select password_resets::text as row from password_resets union all
      select job::text from pgboss.job`.execute(portal.services.db)
    expect(rows.length).toBeGreaterThanOrEqual(2)
    for (const { row } of rows) expect(row).not.toContain(token)
  })

  it('limits mails to one address without revealing it', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    await signUp(portal, 'alice', { email: 'alice@example.com' })
    for (let n = 0; n < 6; n++)
      expect((await ask(portal, 'alice@example.com', `10.0.0.${n}`)).status).toBe(200)
    await portal.mails(3)
    const { rows } = await sql<{ sent: bigint }>`
      select count(*) as sent from pgboss.job where name = 'send-reset-mail'`.execute(portal.services.db)
    expect(rows[0]?.sent).toBe(3n)
  })

  it.each(['', 'not an address', 'a@', 42])('refuses %j as an address', async (email) => {
    const portal = await createPortal({}, { hasWorker: true })
    const { status, message } = await portal.call('POST /api/auth/forgot-password', { body: { email } })
    expect({ status, message }).toEqual({ status: 400, message: 'Please enter a valid email address' })
  })
})
