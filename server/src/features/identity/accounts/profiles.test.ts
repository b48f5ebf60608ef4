import { describe, expect, it } from 'vitest'
import { createPortal, type Portal, type SignedIn, signUp, withAdmin } from '../../../../test/portal.ts'

const change = (portal: Portal, { token }: { token: string }, body: object) =>
  portal.call('PATCH /api/user/profile', { token, body })

const signIn = (portal: Portal, username: string, password: string) =>
  portal.call('POST /api/auth/login', { body: { username, password } })

describe('a profile', () => {
  it('accepts the request of the specification and returns the user', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const { answer: shown } = await portal.call('GET /api/auth/verify', { token: alice.token })
    const body = { username: ' alice.b ', company: ' Bell & Sons ', websiteip: shown.user.websiteip }
    const { status, answer } = await change(portal, alice, body)
    expect(status).toBe(200)
    expect(answer.message).toBe('Profile updated successfully!')
    expect(answer.user).toMatchObject({ id: alice.id, username: 'alice.b', company: 'Bell & Sons' })
    expect((await portal.call('GET /api/auth/me', { token: alice.token })).answer.user).toEqual(answer.user)
    expect((await signIn(portal, 'alice.b', alice.password)).status).toBe(200)
    expect((await signIn(portal, 'alice', alice.password)).status).toBe(401)
  })

  it('changes only the given fields', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    await change(portal, alice, { company: 'Bell' })
    const { answer } = await change(portal, alice, {})
    expect(answer.user).toMatchObject({ username: 'alice', company: 'Bell', host: 'dynamic' })
    expect((await signIn(portal, 'alice', alice.password)).status).toBe(200)
  })

  it('accepts the current Website IP in any notation', async () => {
    const { portal, root, alice } = await withAdmin()
    expect((await change(portal, alice, { websiteip: '' })).status).toBe(200)
    expect((await change(portal, alice, { websiteip: null })).status).toBe(200)
    await portal.call('POST /api/admin/websiteip', { token: root.token, body: { websiteip: 'sip.example' } })
    const { status, answer } = await change(portal, alice, { company: 'Bell', websiteip: ' SIP.example ' })
    expect(status).toBe(200)
    expect(answer.user).toMatchObject({ company: 'Bell', websiteip: 'sip.example' })
  })
})

describe('a new username', () => {
  const makeSipPassword = (portal: Portal, { token }: SignedIn) =>
    portal.call('POST /api/user/sip/password', { token })
  const hasSipPassword = async (portal: Portal, { token }: SignedIn) =>
    (await portal.call('GET /api/user/sip', { token })).answer.has_password

  it('invalidates the SIP password, whose digest includes the old one, and reports it', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    await makeSipPassword(portal, alice)
    const same = await change(portal, alice, { username: 'alice', company: 'Bell' })
    expect(same.answer.sip_password_ended).toBe(false)
    expect(await hasSipPassword(portal, alice)).toBe(true)
    const renamed = await change(portal, alice, { username: 'Alice' })
    expect(renamed.answer).toMatchObject({ user: { username: 'Alice' }, sip_password_ended: true })
    expect(await hasSipPassword(portal, alice)).toBe(false)
  })

  it('reports nothing without a SIP password', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const { answer } = await change(portal, alice, { username: 'alison' })
    expect(answer.sip_password_ended).toBe(false)
  })
})

it('replaces the password and ends all other sessions', async () => {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  const elsewhere = (await signIn(portal, 'alice', alice.password)).answer.token
  expect((await change(portal, alice, { password: 'quite another' })).status).toBe(200)
  expect((await portal.call('GET /api/auth/me', { token: alice.token })).status).toBe(200)
  expect((await portal.call('GET /api/auth/me', { token: elsewhere })).status).toBe(401)
  expect((await signIn(portal, 'alice', alice.password)).status).toBe(401)
  expect((await signIn(portal, 'alice', 'quite another')).status).toBe(200)
})
