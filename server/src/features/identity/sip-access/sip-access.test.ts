import { describe, expect, it } from 'vitest'
import { createPortal, type Portal, type SignedIn, signUp } from '../../../../test/portal.ts'

/** An account with a SIP password, a trusted address, and a live call each from a phone and a browser. */
async function begin() {
  const portal = await createPortal({}, { hasWorker: true })
  const alice = await signUp(portal, 'alice', { email: 'alice@example.com' })
  const { token } = alice
  await portal.call('POST /api/user/sip/password', { token })
  await portal.call('POST /api/user/host', { token, body: { host: '20.40.60.7' } })
  await portal.mails(2)
  return { portal, alice }
}

async function accessOf(portal: Portal, { id }: SignedIn) {
  const { db } = portal.services
  const count = async (table: 'sip_credentials' | 'trusted_addresses') =>
    (await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).length
  const { host } = await db.selectFrom('users').select('host').where('id', '=', id).executeTakeFirstOrThrow()
  return { passwords: await count('sip_credentials'), addresses: await count('trusted_addresses'), host }
}

const KEPT = { passwords: 1, addresses: 1, host: '20.40.60.7' }
const ENDED = { passwords: 0, addresses: 0, host: 'dynamic' }

async function resetLink(portal: Portal): Promise<string> {
  await portal.call('POST /api/auth/forgot-password', { body: { email: 'alice@example.com' } })
  const mails = await portal.mails(3)
  const mail = mails.find(({ subject }) => subject.startsWith('Reset'))
  return /#token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

describe('a password reset', () => {
  it('revokes the SIP password and the trusted addresses by default', async () => {
    const { portal, alice } = await begin()
    const body = { token: await resetLink(portal), newPassword: 'another long one' }
    expect((await portal.call('POST /api/auth/reset-password', { body })).status).toBe(200)
    expect(await accessOf(portal, alice)).toEqual(ENDED)
  })

  it('keeps them on request', async () => {
    const { portal, alice } = await begin()
    const body = { token: await resetLink(portal), newPassword: 'another long one', sip_access: 'keep' }
    expect((await portal.call('POST /api/auth/reset-password', { body })).status).toBe(200)
    expect(await accessOf(portal, alice)).toEqual(KEPT)
  })

  it('revokes nothing if it fails', async () => {
    const { portal, alice } = await begin()
    const body = { token: 'made up', newPassword: 'another long one' }
    expect((await portal.call('POST /api/auth/reset-password', { body })).status).toBe(400)
    expect(await accessOf(portal, alice)).toEqual(KEPT)
  })
})

describe('signing out everywhere', () => {
  it('revokes them by default and keeps them on request', async () => {
    const { portal, alice } = await begin()
    const { token } = alice
    await portal.call('DELETE /api/user/sessions', { token, query: { sip_access: 'keep' } })
    expect(await accessOf(portal, alice)).toEqual(KEPT)
    expect((await portal.call('DELETE /api/user/sessions', { token })).status).toBe(200)
    expect(await accessOf(portal, alice)).toEqual(ENDED)
    expect((await portal.call('GET /api/auth/me', { token })).status).toBe(200)
  })

  it('by an administrator revokes them for that user only', async () => {
    const { portal, alice } = await begin()
    const root = await signUp(portal, 'root', { isAdmin: true })
    const bob = await signUp(portal, 'bob')
    await portal.call('POST /api/user/sip/password', { token: bob.token })
    const asked = { token: root.token, params: { id: alice.id } }
    await portal.call('DELETE /api/admin/users/:id/sessions', { ...asked, query: { sip_access: 'keep' } })
    expect(await accessOf(portal, alice)).toEqual(KEPT)
    await portal.call('DELETE /api/admin/users/:id/sessions', asked)
    expect(await accessOf(portal, alice)).toEqual(ENDED)
    expect((await accessOf(portal, bob)).passwords).toBe(1)
  })
})
