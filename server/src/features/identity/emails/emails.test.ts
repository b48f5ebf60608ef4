import { describe, expect, it } from 'vitest'
import {
  createPortal,
  type Mail,
  type Portal,
  prove,
  type SignedIn,
  signUp,
} from '../../../../test/portal.ts'
import { HOUR, MINUTE } from '../../../platform/clock.ts'

const own = async (portal: Portal, { token }: SignedIn) =>
  (await portal.call('GET /api/user/email', { token })).answer
const claim = (portal: Portal, { token }: SignedIn, email: string) =>
  portal.call('PUT /api/user/email', { token, body: { email } })
const verify = (portal: Portal, token: string) =>
  portal.call('POST /api/auth/verify-email', { body: { token } })
const linkIn = (mail: Mail | undefined) => /\/verify-email#token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
const mailTo = async (portal: Portal, address: string, subject: RegExp, atLeast: number) =>
  (await portal.mails(atLeast)).find((mail) => mail.to.includes(address) && subject.test(mail.subject))

describe('an email address', () => {
  it('is verified by its mailed link, which works once', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    const alice = await signUp(portal, 'alice')
    expect(await own(portal, alice)).toEqual({ email: null, is_verified: false, pending: null })
    expect(await claim(portal, alice, ' Alice@Example.com ')).toMatchObject({
      status: 200,
      answer: { email: null, is_verified: false, pending: 'alice@example.com' },
    })
    const [mail] = await portal.mails(1)
    expect(mail).toMatchObject({ to: ['alice@example.com'] })
    expect(mail?.text).toContain('"alice"')
    expect(await verify(portal, linkIn(mail))).toMatchObject({
      status: 200,
      answer: { email: 'alice@example.com' },
    })
    expect(await own(portal, alice)).toEqual({
      email: 'alice@example.com',
      is_verified: true,
      pending: null,
    })
    expect((await verify(portal, linkIn(mail))).code).toBe('email_link_dead')
  })

  it('is optional at sign-up', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    const register = (body: object) => portal.call('POST /register', { body })
    expect((await register({ username: 'plain', password: 'long enough' })).status).toBe(200)
    const body = { username: 'alice', password: 'long enough', email: 'alice@example.com' }
    expect((await register(body)).status).toBe(200)
    expect((await register({ ...body, username: 'bob', email: 'nobody' })).status).toBe(400)
    const [mail] = await portal.mails(1)
    expect((await verify(portal, linkIn(mail))).status).toBe(200)
    await portal.call('POST /api/auth/forgot-password', { body: { email: 'alice@example.com' } })
    expect((await mailTo(portal, 'alice@example.com', /Reset/, 2))?.text).toContain('/reset-password#token=')
  })

  it('that is not verified gets no reset links and no notices', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    const alice = await signUp(portal, 'alice')
    await claim(portal, alice, 'victim@example.com')
    await portal.mails(1)
    await portal.call('POST /api/auth/forgot-password', { body: { email: 'victim@example.com' } })
    await portal.call('POST /api/user/sip/password', { token: alice.token })
    // This mail is certainly sent, and after any mail that must not be sent.
    await signUp(portal, 'bob', { email: 'bob@example.com' })
    await portal.call('POST /api/auth/forgot-password', { body: { email: 'bob@example.com' } })
    const mails = await portal.mails(2)
    expect(mails.map(({ to }) => to[0]).sort()).toEqual(['bob@example.com', 'victim@example.com'])
  })

  it('used as username needs verification too', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    const body = { username: 'carol@example.com', password: 'long enough' }
    await portal.call('POST /register', { body })
    const { answer } = await portal.call('POST /api/auth/login', { body })
    expect(answer.user.email).toBeNull()
    const [mail] = await portal.mails(1)
    await verify(portal, linkIn(mail))
    const me = await portal.call('GET /api/auth/me', { token: answer.token })
    expect(me.answer.user.email).toBe('carol@example.com')
  })

  it('must be verified within a day, and only the last requested one can be', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    const alice = await signUp(portal, 'alice')
    await claim(portal, alice, 'first@example.com')
    const first = linkIn((await portal.mails(1))[0])
    await claim(portal, alice, 'second@example.com')
    const second = linkIn(await mailTo(portal, 'second@example.com', /Confirm/, 2))
    expect((await verify(portal, first)).code).toBe('email_link_dead')
    portal.clock.advance(24 * HOUR)
    expect((await verify(portal, second)).code).toBe('email_link_dead')
    expect((await verify(portal, 'made up')).code).toBe('email_link_dead')
    expect(await own(portal, alice)).toMatchObject({ email: null, pending: null })
  })

  it('gets a notice when the customer or an administrator replaces it', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    const root = await signUp(portal, 'root', { isAdmin: true })
    const alice = await signUp(portal, 'alice', { email: 'old@example.com' })
    await claim(portal, alice, 'new@example.com')
    await verify(portal, linkIn(await mailTo(portal, 'new@example.com', /Confirm/, 1)))
    const notice = await mailTo(portal, 'old@example.com', /email address .* was changed/, 2)
    expect(notice?.text).toContain('new@example.com')
    expect(notice?.text).not.toContain('/forgot-password')
    const body = { id: alice.id, email: 'third@example.com' }
    await portal.call('PATCH /api/admin/user/update', { token: root.token, body })
    expect((await mailTo(portal, 'new@example.com', /was changed/, 3))?.text).toContain('third@example.com')
  })

  it.each<[string, (portal: Portal, alice: SignedIn, root: SignedIn) => Promise<{ status: number }>]>([
    [
      'the password changes',
      (portal, { token, password }) => {
        const body = { currentPassword: password, newPassword: 'another long one' }
        return portal.call('POST /api/auth/change-password', { token, body })
      },
    ],
    [
      'the password changes in the profile',
      (portal, { token }) =>
        portal.call('PATCH /api/user/profile', { token, body: { password: 'another long one' } }),
    ],
    [
      'the owner signs out everywhere else',
      (portal, { token }) =>
        portal.call('DELETE /api/user/sessions', { token, query: { sip_access: 'keep' } }),
    ],
    [
      'an administrator ends the sessions',
      (portal, { id }, { token }) =>
        portal.call('DELETE /api/admin/users/:id/sessions', {
          token,
          params: { id },
          query: { sip_access: 'keep' },
        }),
    ],
    [
      'an administrator disables the account',
      (portal, { id }, { token }) =>
        portal.call('PATCH /api/admin/user/update', { token, body: { id, is_disabled: true } }),
    ],
    [
      'an administrator enters an address',
      (portal, { id }, { token }) =>
        portal.call('PATCH /api/admin/user/update', { token, body: { id, email: 'right@example.com' } }),
    ],
  ])('can no longer be verified after %s', async (_what, revoke) => {
    const portal = await createPortal({}, { hasWorker: true })
    const root = await signUp(portal, 'root', { isAdmin: true })
    const alice = await signUp(portal, 'alice', { email: 'alice@example.com' })
    await claim(portal, alice, 'thief@example.com')
    const link = linkIn(await mailTo(portal, 'thief@example.com', /Confirm/, 1))
    expect(await revoke(portal, alice, root)).toMatchObject({ status: 200 })
    expect((await verify(portal, link)).code).toBe('email_link_dead')
  })

  it('that was replaced gets no access by an earlier reset link', async () => {
    const portal = await createPortal({}, { hasWorker: true })
    const alice = await signUp(portal, 'alice', { email: 'old@example.com' })
    await portal.call('POST /api/auth/forgot-password', { body: { email: 'old@example.com' } })
    const reset = await mailTo(portal, 'old@example.com', /Reset/, 1)
    await claim(portal, alice, 'new@example.com')
    await verify(portal, linkIn(await mailTo(portal, 'new@example.com', /Confirm/, 2)))
    const token = /#token=(\S+)/.exec(reset?.text ?? '')?.[1] ?? ''
    const body = { token, newPassword: 'another long one' }
    expect((await portal.call('POST /api/auth/reset-password', { body })).code).toBe('reset_link_dead')
  })

  it('has a rate limit for links', async () => {
    const portal = await createPortal()
    const [alice, bob] = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]
    for (let n = 0; n < 3; n++) expect((await claim(portal, alice, 'v@example.com')).status).toBe(200)
    expect((await claim(portal, bob, 'v@example.com')).status).toBe(429)
    portal.clock.advance(HOUR)
    await prove(portal, bob)
    expect((await claim(portal, bob, 'v@example.com')).status).toBe(200)
  })
})

describe('the owner gets a mail', () => {
  const begin = async () => {
    const portal = await createPortal({}, { hasWorker: true })
    return { portal, alice: await signUp(portal, 'alice', { email: 'alice@example.com' }) }
  }
  const subjects = async (portal: Portal, atLeast: number) =>
    (await portal.mails(atLeast)).map(({ subject }) => subject)

  it('about a new SIP password, a changed address and a new password', async () => {
    const { portal, alice } = await begin()
    const { token } = alice
    await portal.call('POST /api/user/sip/password', { token })
    expect(await subjects(portal, 1)).toEqual(['Your Trunkline SIP password was changed'])
    await portal.call('POST /api/user/host', { token, body: { host: '20.40.60.7' } })
    expect((await portal.mails(2))[0]?.text).toContain('20.40.60.7')
    await portal.call('PATCH /api/user/profile', { token, body: { password: 'another long one' } })
    expect(await subjects(portal, 3)).toContain('Your Trunkline password was changed')
  })

  it('about a sign-in from a new device or network, except the first one', async () => {
    const { portal, alice } = await begin()
    const { username, password } = alice
    const signIn = (from: string, agent: string) =>
      portal.api.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: from,
        headers: { 'user-agent': agent },
        payload: { username, password },
      })
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
    await signIn('127.0.0.1', firefox)
    const [first] = await portal.mails(1)
    expect(first).toMatchObject({
      to: ['alice@example.com'],
      subject: 'New sign-in to your Trunkline account',
    })
    expect(first?.text).toContain('Firefox on Linux, 127.0.0.1')
    portal.clock.advance(MINUTE)
    await signIn('127.0.0.1', firefox)
    await signIn('198.51.100.9', firefox)
    expect((await portal.mails(2))[0]?.text).toContain('198.51.100.9')
    expect(await portal.mails(2)).toHaveLength(2)
  })
})
