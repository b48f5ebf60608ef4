import { type Address, endpoints, methodAndPath } from '@trunkline/contract'
import type { Endpoint } from '@trunkline/contract/endpoint'
import { describe, expect, it } from 'vitest'
import { expectedAccess } from './expected-access.ts'
import { createPortal, type Portal, signUp } from './portal.ts'
import { sampleOf } from './sample-input.ts'

/** Messages for customers on admin endpoints that the specification fixes. */
const sentences: Partial<Record<Address, string>> = {
  'PATCH /api/routes/:id': 'Only admin can update trunks/routes.',
  'DELETE /api/routes/:id': 'Only admin can delete trunks/routes.',
  'PATCH /api/trunks/:id': 'Only admin can update trunks/routes.',
  'DELETE /api/trunks/:id': 'Only admin can delete trunks/routes.',
  'PATCH /api/trunks/:id/primary': 'Only admin can update trunks/routes.',
  'PUT /api/trunks/:id/rates': 'Only admin can update trunks/routes.',
  'PUT /api/trunks/order': 'Only admin can update trunks/routes.',
  'PUT /api/plans/:id/trunks': 'Only admin can update trunks/routes.',
  'POST /api/trunks/:id/rate-deck/check': 'Only admin can update trunks/routes.',
  'POST /api/trunks/:id/rate-deck': 'Only admin can update trunks/routes.',
  'POST /api/routes/:id/rate-deck/check': 'Only admin can update trunks/routes.',
  'POST /api/routes/:id/rate-deck': 'Only admin can update trunks/routes.',
  'DELETE /api/admin/rate-decks/:id': 'Only admin can update trunks/routes.',
}

const all = Object.entries<Endpoint>(endpoints) as Array<[Address, Endpoint]>
const guarded = all.filter(([, { access }]) => access !== 'anyone').map(([address]) => address)
const forAdmins = all.filter(([, { access }]) => access === 'admin').map(([address]) => address)

const ADMINS_ONLY = 'This requires an administrator account.'

const knock = (portal: Portal, address: Address, token?: string, body: unknown = {}) =>
  portal.call(address, { body, params: { id: 1 }, ...(token && { token }) })

it('every endpoint has its expected access', () => {
  expect(Object.fromEntries(all.map(([address, { access }]) => [address, access]))).toEqual(expectedAccess)
})

describe('an unauthenticated client', () => {
  it('without a token gets 401 from every protected endpoint', async () => {
    const portal = await createPortal()
    for (const address of guarded)
      expect({ address, ...(await knock(portal, address)) }).toMatchObject({
        address,
        status: 401,
        code: 'sign_in_first',
      })
  })

  it('with an invented, malformed or expired token gets 401', async () => {
    const portal = await createPortal()
    const { token } = await signUp(portal, 'alice')
    await portal.call('POST /api/auth/logout', { token })
    for (const bad of ['x', 'A'.repeat(43), "' or 1=1 --", token])
      for (const address of guarded) expect((await knock(portal, address, bad)).status).toBe(401)
  })
})

it('allows only administrators under /api/admin', () => {
  const under = all.filter(([address]) => address.includes(' /api/admin/'))
  expect(under.filter(([, { access }]) => access !== 'admin')).toEqual([])
  expect(under.length).toBeGreaterThan(20)
})

it('refuses customers on every admin endpoint, whatever they send, and changes nothing', async () => {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'alice')
  const tables = [
    ...(['audit_log', 'postings', 'routes', 'trunks', 'plans', 'promo_codes', 'users'] as const),
    ...(['user_notes', 'user_tags', 'ticket_notes', 'canned_replies', 'limit_templates'] as const),
  ]
  const rows = () =>
    Promise.all(tables.map((table) => portal.services.db.selectFrom(table).selectAll().execute()))
  const before = await rows()
  for (const address of forAdmins) {
    const { body }: Endpoint = endpoints[address]
    const refused = { status: 403, code: 'admin_only', message: sentences[address] ?? ADMINS_ONLY }
    // Valid and invalid input get the same refusal.
    for (const sent of body ? [sampleOf(body), {}] : [{}])
      expect({ address, ...(await knock(portal, address, token, sent)) }).toMatchObject({
        address,
        ...refused,
      })
  }
  expect(await rows()).toEqual(before)
})

it('shows customers no note, tag, reason, internal note, assignee or canned reply, in any answer or mail', async () => {
  const portal = await createPortal({}, { hasWorker: true })
  const root = await signUp(portal, 'zroot', { isAdmin: true })
  const alice = await signUp(portal, 'alice', { email: 'alice@example.com' })
  const opened = await portal.call('POST /api/support/tickets', {
    token: alice.token,
    body: { subject: 'Help', message: 'It does not work.' },
  })
  const ticket = opened.answer.ticket.id
  const admin = <A extends Address>(address: A, id: number, body: object) =>
    portal.call(address, { token: root.token, params: { id }, body })
  const done = [
    await admin('POST /api/admin/users/:id/notes', alice.id, { note: 'secret-note' }),
    await admin('POST /api/admin/users/:id/tags', alice.id, { tag: 'secret-tag' }),
    await admin('POST /api/admin/support/tickets/:id/replies', ticket, { message: 'We look into it.' }),
    await admin('POST /api/admin/support/tickets/:id/notes', ticket, { note: 'secret-aside' }),
    await admin('PATCH /api/admin/support/tickets/:id', ticket, { assignee_id: root.id }),
    await admin('POST /api/admin/balance-adjustments', 0, {
      user_id: alice.id,
      amount: 1,
      reason: 'secret-reason',
      request_key: 'adjustment-of-the-test',
    }),
    await admin('POST /api/admin/support/canned-replies', 0, { name: 'secret-name', text: 'secret-text' }),
  ]
  expect(done.map(({ status }) => status)).toEqual(done.map(() => 200))

  const shown: string[] = []
  // The customer's changes answer with the ticket, too.
  for (const [address, { access, body, streams, signedBy }] of all) {
    const { method, path } = methodAndPath(address)
    const isRead = method === 'GET' && streams !== 'text/event-stream'
    if (access === 'admin' || signedBy || !(isRead || path.startsWith('/api/support/'))) continue
    const { payload } = await portal.api.inject({
      method: method as 'GET',
      url: path.replace(':id', String(path.includes('/support/') ? ticket : alice.id)),
      headers: { authorization: `Bearer ${alice.token}` },
      ...(body && { payload: sampleOf(body) as object }),
    })
    shown.push(`${address} ${payload}`)
  }
  expect(shown.length).toBeGreaterThan(30)
  const thread = shown.find((text) => text.startsWith('GET /api/support/tickets/:id '))
  expect(thread).toContain('We look into it.')
  expect(shown.find((text) => text.startsWith('GET /api/statement.csv '))).toContain('Adjustment')
  for (const text of shown) expect(text).not.toMatch(/secret-|zroot/)
  // A forgotten password sends a mail after all others that are on their way.
  await portal.call('POST /api/auth/forgot-password', { body: { email: 'alice@example.com' } })
  expect(JSON.stringify(await portal.mails(1))).not.toMatch(/secret-/)
})
