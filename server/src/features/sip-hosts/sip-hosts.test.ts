import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../test/catalogue.ts'
import { createPortal, type Portal, type SignedIn, signUp } from '../../../test/portal.ts'

const me = async (portal: Portal, { token }: SignedIn) =>
  (await portal.call('GET /api/auth/me', { token })).answer.user

describe('the host a customer calls from', () => {
  it('is dynamic, an address or a name, written in one way', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    for (const [host, kept] of [
      [' PBX.Example.COM ', 'pbx.example.com'],
      ['192.0.2.7', '192.0.2.7'],
      ['2001:DB8:0:0::1', '2001:db8::1'],
      ['::ffff:192.0.2.8', '192.0.2.8'],
      ['Dynamic', 'dynamic'],
    ]) {
      const { status, answer } = await portal.call('POST /api/user/host', {
        token: alice.token,
        body: { host },
      })
      expect({ host, status, answer }).toMatchObject({
        status: 200,
        answer: { host: kept, message: 'Host updated in SIP successfully!' },
      })
      expect((await me(portal, alice)).host).toBe(kept)
    }
  })

  it('is refused when it is too short or neither of these', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    for (const [host, words] of [
      ['ab', 'Host must be at least 3 characters'],
      ['', 'Host must be at least 3 characters'],
      ['256.1.1.1', 'The host is "dynamic", an IP address or a host name.'],
      ['0.0.0.0', 'The host is "dynamic", an IP address or a host name.'],
      ['224.0.0.1', 'The host is "dynamic", an IP address or a host name.'],
      ['-bad-.example', 'The host is "dynamic", an IP address or a host name.'],
      ['a b.example', 'The host is "dynamic", an IP address or a host name.'],
      ['2001:db8::g', 'The host is "dynamic", an IP address or a host name.'],
    ])
      expect(await portal.call('POST /api/user/host', { token: alice.token, body: { host } })).toMatchObject({
        status: 400,
        message: words,
      })
    expect((await me(portal, alice)).host).toBe('dynamic')
  })

  it('belongs to one account only, however it is written and however fast they ask', async () => {
    const portal = await createPortal()
    const people = [await signUp(portal, 'alice'), await signUp(portal, 'bob'), await signUp(portal, 'carol')]
    const written = ['2001:db8::1', '2001:DB8:0::1', '[2001:db8::1]']
    const answers = await Promise.all(
      people.map(({ token }, at) =>
        portal.call('POST /api/user/host', { token, body: { host: written[at] } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      code: 'host_taken',
      message: expect.stringContaining('Another account uses this address'),
    })
    // Everybody may be dynamic.
    for (const { token } of people)
      expect((await portal.call('POST /api/user/host', { token, body: { host: 'dynamic' } })).status).toBe(
        200,
      )
  })
})

describe('the website IP', () => {
  it('of the service is everybody’s who has none of their own', async () => {
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

  it('is not overwritten by an administrator who had not seen the latest', async () => {
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

  it('must be one, of a user that exists, and is set by administrators only', async () => {
    const portal = await createPortal()
    const root = await signUp(portal, 'root', { isAdmin: true })
    const alice = await signUp(portal, 'alice')
    const set = ({ token }: SignedIn, body: object) =>
      portal.call('POST /api/admin/websiteip', { token, body })
    for (const websiteip of ['', 'not an address', '1.2.3', null])
      expect((await set(root, { websiteip })).status).toBe(400)
    expect((await set(root, { websiteip: '192.0.2.1', user_id: 999 })).status).toBe(404)
    expect((await set(alice, { websiteip: '192.0.2.1' })).status).toBe(403)
    expect((await me(portal, alice)).websiteip).toBeNull()
  })
})
