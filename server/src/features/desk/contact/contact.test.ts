import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { forAll } from '../../../../test/lifetime.ts'
import { createPortal, type SignedIn, signUp } from '../../../../test/portal.ts'

const request = {
  name: 'Dora Diaz',
  email: 'Dora@Example.com',
  phone: '+1 202 555 0100',
  message: 'Please show us a demo.',
}

describe('a message from the landing page', () => {
  it('is stored for the administrators', async () => {
    const portal = await createPortal()
    expect((await portal.call('POST /api/contact', { body: request })).status).toBe(200)
    const kept = await portal.services.db.selectFrom('contact_requests').selectAll().execute()
    expect(kept).toMatchObject([{ ...request, email: 'dora@example.com', handled_at: null }])
  })

  it('is listed and marked as handled once, with the name of the administrator', async () => {
    const portal = await createPortal()
    const root = await signUp(portal, 'root', { isAdmin: true })
    const deputy = await signUp(portal, 'deputy', { isAdmin: true })
    for (const name of ['First', 'Second', 'Third'])
      await portal.call('POST /api/contact', { body: { ...request, name } })
    const list = async (query = {}) =>
      (await portal.call('GET /api/admin/contact-requests', { token: root.token, query })).answer
    const first = await list({ limit: 2 })
    expect(first).toMatchObject({ open: 3, requests: [{ name: 'Third' }, { name: 'Second' }] })
    expect((await list({ before: first.next ?? 0 })).requests).toMatchObject([{ name: 'First' }])
    const id = first.requests[0]?.id ?? 0
    const mark = ({ token }: SignedIn, handled: boolean, which = id) =>
      portal.call('PATCH /api/admin/contact-requests/:id', {
        token,
        params: { id: which },
        body: { handled },
      })
    await mark(root, true)
    expect((await mark(deputy, true)).answer.request).toMatchObject({ name: 'Third', handled_by: 'root' })
    expect(await list()).toMatchObject({ open: 2, requests: [{}, {}] })
    expect((await list({ state: 'handled' })).requests).toMatchObject([{ id, handled_by: 'root' }])
    expect(await auditOf(portal, root, 'contact_request.update')).toHaveLength(1)
    expect((await mark(deputy, false)).answer.request).toMatchObject({ handled_at: null, handled_by: null })
    expect((await mark(root, true, 999)).status).toBe(404)
  })

  const empty = forAll(() => createPortal())
  it.each([
    ['name', ' ', 'Please enter your full name'],
    ['email', 'nowhere', 'Please enter a valid email address'],
    ['phone', 'call me', 'Please enter a valid phone number'],
    ['message', '', 'Please enter a message'],
  ])('is refused with %s %j, with an error for the field', async (field, value, words) => {
    const portal = empty()
    const { status, answer } = await portal.call('POST /api/contact', {
      body: { ...request, [field]: value },
    })
    expect(status).toBe(400)
    expect(answer).toMatchObject({ error: { fields: [{ field, message: words }] }, message: words })
    expect(await portal.services.db.selectFrom('contact_requests').selectAll().execute()).toEqual([])
  })

  it('does not require a phone number', async () => {
    const portal = await createPortal()
    const { phone: _, ...body } = request
    expect((await portal.call('POST /api/contact', { body })).status).toBe(200)
  })

  it('is limited to ten per hour and address', async () => {
    const portal = await createPortal()
    const send = (from: string) => portal.call('POST /api/contact', { body: request, from })
    for (let n = 0; n < 10; n++) expect((await send('10.0.0.1')).status).toBe(200)
    expect((await send('10.0.0.1')).status).toBe(429)
    expect((await send('10.0.0.2')).status).toBe(200)
  })
})
