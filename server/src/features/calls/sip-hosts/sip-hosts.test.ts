import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { createPortal, type Portal, type SignedIn, signUp, withAdmin } from '../../../../test/portal.ts'

const me = async (portal: Portal, { token }: SignedIn) =>
  (await portal.call('GET /api/auth/me', { token })).answer.user

describe('the website IP', () => {
  it('of the service applies to users without their own', async () => {
    const portal = await createPortal()
    const root = await signUp(portal, 'root', { isAdmin: true })
    const [alice, bob] = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]
    const set = (body: object) => portal.call('POST /api/admin/websiteip', { token: root.token, body })
    expect((await me(portal, alice)).websiteip).toBeNull()
    expect(await set({ websiteip: '198.51.100.4' })).toMatchObject({
      status: 200,
      message: 'Website IP updated successfully!',
    })
    expect((await set({ websiteip: 'sip.provider.example', user_id: bob.id })).status).toBe(200)
    expect((await me(portal, alice)).websiteip).toBe('198.51.100.4')
    expect((await me(portal, bob)).websiteip).toBe('sip.provider.example')
    const back = await set({ websiteip: null, user_id: bob.id })
    expect(back.answer.websiteip).toBe('198.51.100.4')
    expect((await me(portal, bob)).websiteip).toBe('198.51.100.4')
    expect(await auditOf(portal, root, 'websiteip.update')).toMatchObject([
      { user: { id: bob.id }, before: { websiteip: 'sip.provider.example' }, after: { websiteip: null } },
      { user: { id: bob.id }, before: { websiteip: null }, after: { websiteip: 'sip.provider.example' } },
      { user: null, before: { websiteip: null }, after: { websiteip: '198.51.100.4' } },
    ])
  })

  it('is not overwritten by an administrator with an outdated value', async () => {
    const portal = await createPortal()
    const root = await signUp(portal, 'root', { isAdmin: true })
    const set = (websiteip: string, was: string | null) =>
      portal.call('POST /api/admin/websiteip', { token: root.token, body: { websiteip, was } })
    const shown = async () =>
      (await portal.call('GET /api/admin/websiteip', { token: root.token })).answer.websiteip
    expect(await shown()).toBeNull()
    expect((await set('192.0.2.1', null)).status).toBe(200)
    expect(await set('192.0.2.2', null)).toMatchObject({ status: 409, code: 'changed_meanwhile' })
    expect(await shown()).toBe('192.0.2.1')
    const both = await Promise.all([set('192.0.2.3', '192.0.2.1'), set('192.0.2.4', '192.0.2.1')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('must be valid, for an existing user, and is set by administrators only', async () => {
    const { portal, root, alice } = await withAdmin()
    const set = ({ token }: SignedIn, body: object) =>
      portal.call('POST /api/admin/websiteip', { token, body })
    for (const websiteip of ['', 'not an address', '1.2.3', null])
      expect((await set(root, { websiteip })).status).toBe(400)
    expect((await set(root, { websiteip: '192.0.2.1', user_id: 999 })).status).toBe(404)
    expect((await set(alice, { websiteip: '192.0.2.1' })).status).toBe(403)
    expect((await me(portal, alice)).websiteip).toBeNull()
  })
})
