import { type Address, endpoints, methodAndPath } from '@trunkline/contract'
import type { Access, Endpoint } from '@trunkline/contract/endpoint'
import { describe, expect, it } from 'vitest'
import { createPortal, type Portal, signUp } from './portal.ts'
import { sampleOf } from './sample-input.ts'

/**
 * Expected access of every endpoint, repeated here on purpose: a new endpoint without a row fails, and so does one that was opened by
 * mistake.
 */
const expected: Record<Address, Access> = {
  'POST /register': 'anyone',
  'POST /api/auth/login': 'anyone',
  'GET /api/auth/verify': 'user',
  'GET /api/auth/me': 'user',
  'POST /api/auth/logout': 'user',
  'POST /api/auth/prove': 'user',
  'PATCH /api/user/profile': 'user',
  'GET /api/user/sessions': 'user',
  'DELETE /api/user/sessions/:id': 'user',
  'DELETE /api/user/sessions': 'user',
  'POST /api/auth/change-password': 'user',
  'POST /api/auth/forgot-password': 'anyone',
  'POST /api/auth/reset-password': 'anyone',
  'GET /api/user/email': 'user',
  'PUT /api/user/email': 'user',
  'POST /api/auth/verify-email': 'anyone',
  'POST /api/contact': 'anyone',
  'GET /api/admin/contact-requests': 'admin',
  'PATCH /api/admin/contact-requests/:id': 'admin',
  'POST /api/topup': 'user',
  'POST /api/upgrade': 'user',
  'GET /api/payments': 'user',
  'GET /api/payments/:id': 'user',
  // Signed by the provider; payments.security.test.ts covers the rest.
  'POST /api/payments/callback': 'anyone',
  'POST /api/promo-codes/check': 'user',
  'POST /api/promo-codes/redeem': 'user',
  'GET /api/admin/payments': 'admin',
  'GET /api/admin/payments/totals': 'admin',
  'GET /api/admin/payments.csv': 'admin',
  'GET /api/admin/payments/:id': 'admin',
  'POST /api/admin/payments/:id/refunds': 'admin',
  'GET /api/admin/payment-reviews': 'admin',
  'POST /api/admin/payment-reviews/:id/resolve': 'admin',
  'GET /api/total-payments': 'admin',
  'GET /api/successful-payments': 'admin',
  'GET /api/admin/promo-codes': 'admin',
  'POST /api/admin/promo-codes': 'admin',
  'GET /api/admin/promo-codes/:id': 'admin',
  'PATCH /api/admin/promo-codes/:id': 'admin',
  'DELETE /api/admin/promo-codes/:id': 'admin',
  'GET /api/admin/promo-codes/:id/redemptions': 'admin',
  'POST /api/admin/balance-adjustments': 'admin',
  'GET /api/admin/balance-adjustments': 'admin',
  'GET /api/admin/users/:id/statement': 'admin',
  'GET /api/admin/users/:id/statement.csv': 'admin',
  'GET /api/admin/books': 'admin',
  'GET /api/admin/audit-log': 'admin',
  'GET /api/users': 'admin',
  'POST /api/user/add': 'admin',
  'PATCH /api/admin/user/update': 'admin',
  'GET /api/admin/users/:id': 'admin',
  'GET /api/admin/users/count': 'admin',
  'GET /api/admin/users/:id/merge': 'admin',
  'POST /api/admin/users/:id/merge': 'admin',
  'POST /api/admin/bulk-actions': 'admin',
  'GET /api/admin/bulk-actions/:id/rows': 'admin',
  'POST /api/admin/bulk-actions/:id/apply': 'admin',
  'GET /api/admin/users/:id/health': 'admin',
  'GET /api/admin/users/:id/sessions': 'admin',
  'DELETE /api/admin/users/:id/sessions': 'admin',
  'GET /api/admin/users/:id/sip': 'admin',
  'GET /api/admin/users/:id/notes': 'admin',
  'POST /api/admin/users/:id/notes': 'admin',
  'PATCH /api/admin/user-notes/:id': 'admin',
  'DELETE /api/admin/user-notes/:id': 'admin',
  'GET /api/admin/user-tags': 'admin',
  'POST /api/admin/users/:id/tags': 'admin',
  'DELETE /api/admin/users/:id/tags': 'admin',
  'GET /api/admin/audit-log/choices': 'admin',
  'GET /api/admin/audit-log.csv': 'admin',
  'GET /api/live-calls': 'user',
  'GET /api/live-calls-details': 'user',
  'GET /api/live-calls/stream': 'user',
  'POST /api/live-calls/hangup': 'user',
  'GET /api/admin/live-calls': 'admin',
  'GET /api/admin/live-calls/stream': 'admin',
  'POST /api/admin/live-calls/hangup': 'admin',
  'GET /api/cdr': 'user',
  'GET /api/cdr/totals': 'user',
  'GET /api/cdr.csv': 'user',
  'GET /api/cdr/:id': 'user',
  'GET /api/calls/records': 'user',
  'GET /api/admin/cdr': 'admin',
  'GET /api/admin/cdr/totals': 'admin',
  'GET /api/admin/cdr.csv': 'admin',
  'GET /api/admin/cdr/:id': 'admin',
  'GET /api/admin/cdr/:id/messages': 'admin',
  'GET /api/cdr/:id/flow': 'user',
  'GET /api/admin/cdr/:id/flow': 'admin',
  'GET /api/dashboard/stats': 'user',
  'GET /api/dashboard/charts': 'user',
  'GET /api/dashboard/usage': 'user',
  'GET /api/routes/quality': 'user',
  'GET /api/admin/dashboard/stats': 'admin',
  'GET /api/admin/dashboard/charts': 'admin',
  'GET /api/admin/dashboard/today': 'admin',
  'GET /api/admin/dashboard/cash': 'admin',
  'GET /api/views': 'user',
  'POST /api/views': 'user',
  'DELETE /api/views/:id': 'user',
  'GET /api/admin/analysis': 'admin',
  'GET /api/admin/analysis.csv': 'admin',
  'GET /api/admin/dashboard/business': 'admin',
  'GET /api/routes': 'user',
  'GET /api/routes/:id': 'admin',
  'POST /api/routes': 'admin',
  'POST /api/routes/check': 'admin',
  'PATCH /api/routes/:id': 'admin',
  'DELETE /api/routes/:id': 'admin',
  'GET /api/user-selected-route': 'user',
  'POST /api/user-selected-route': 'user',
  'DELETE /api/user-selected-route': 'user',
  'GET /api/numbers': 'user',
  'GET /api/numbers/available': 'user',
  'POST /api/numbers': 'user',
  'PATCH /api/numbers/:id': 'user',
  'POST /api/numbers/:id/cancel': 'user',
  'GET /api/admin/numbers': 'admin',
  'POST /api/admin/numbers': 'admin',
  'PATCH /api/admin/numbers/:id': 'admin',
  'DELETE /api/admin/numbers/:id': 'admin',
  'POST /api/admin/numbers/:id/assign': 'admin',
  'POST /api/admin/numbers/:id/release': 'admin',
  'POST /api/admin/numbers/import/preview': 'admin',
  'POST /api/admin/numbers/import': 'admin',
  'GET /api/admin/number-settings': 'admin',
  'PUT /api/admin/number-settings': 'admin',
  'GET /api/flows': 'user',
  'POST /api/flows': 'user',
  'GET /api/flows/:id': 'user',
  'PATCH /api/flows/:id': 'user',
  'DELETE /api/flows/:id': 'user',
  'POST /api/flows/:id/publish': 'user',
  'GET /api/flows/:id/versions': 'user',
  'GET /api/flows/:id/waiting': 'user',
  'GET /api/sounds': 'user',
  'POST /api/sounds': 'user',
  'PATCH /api/sounds/:id': 'user',
  'DELETE /api/sounds/:id': 'user',
  'GET /api/sounds/:id/audio': 'user',
  'GET /api/voicemail': 'user',
  'GET /api/voicemail/counts': 'user',
  'PATCH /api/voicemail': 'user',
  'POST /api/voicemail/delete': 'user',
  'GET /api/voicemail/:id/audio': 'user',
  'GET /api/voicemail/settings': 'user',
  'PUT /api/voicemail/settings': 'user',
  'GET /api/cdr/:id/sounds': 'user',
  'GET /api/recordings/:id/audio': 'user',
  'GET /api/recordings/:id/peaks': 'user',
  'DELETE /api/recordings/:id': 'user',
  'GET /api/recording-settings': 'user',
  'PUT /api/recording-settings': 'user',
  'PUT /api/numbers/:id/recording': 'user',
  'GET /api/admin/cdr/:id/sounds': 'admin',
  'GET /api/admin/recordings/:id/audio': 'admin',
  'GET /api/admin/recordings/:id/peaks': 'admin',
  'GET /api/admin/users/:id/recording': 'admin',
  'PUT /api/admin/users/:id/recording': 'admin',
  'GET /api/admin/recording-price': 'admin',
  'PUT /api/admin/recording-price': 'admin',
  'POST /api/speech': 'user',
  'GET /api/plans': 'user',
  'GET /api/admin/plans': 'admin',
  'POST /api/plans': 'admin',
  'PATCH /api/plans/:id': 'admin',
  'PUT /api/plans/:id/trunks': 'admin',
  'DELETE /api/plans/:id': 'admin',
  'GET /api/trunks': 'user',
  'POST /api/trunks': 'admin',
  'PATCH /api/trunks/:id': 'admin',
  'DELETE /api/trunks/:id': 'admin',
  'PATCH /api/trunks/:id/primary': 'admin',
  'POST /api/trunks/:id/test': 'admin',
  'GET /api/trunks/:id/rates': 'admin',
  'PUT /api/trunks/:id/rates': 'admin',
  'PUT /api/trunks/order': 'admin',
  'GET /api/trunks/:id/rates.csv': 'admin',
  'POST /api/trunks/:id/rate-deck/check': 'admin',
  'POST /api/trunks/:id/rate-deck': 'admin',
  'GET /api/routes/:id/rates': 'admin',
  'GET /api/routes/:id/rates.csv': 'admin',
  'POST /api/routes/:id/rate-deck/check': 'admin',
  'POST /api/routes/:id/rate-deck': 'admin',
  'GET /api/trunks/:id/rate-decks': 'admin',
  'GET /api/routes/:id/rate-decks': 'admin',
  'DELETE /api/admin/rate-decks/:id': 'admin',
  'POST /api/admin/bulk-pricing/preview': 'admin',
  'GET /api/admin/bulk-pricing': 'admin',
  'GET /api/admin/bulk-pricing/:id/rows': 'admin',
  'GET /api/admin/bulk-pricing/:id/rows.csv': 'admin',
  'POST /api/admin/bulk-pricing/:id/apply': 'admin',
  'POST /api/admin/bulk-pricing/:id/undo': 'admin',
  'GET /api/admin/carrier-invoices': 'admin',
  'POST /api/admin/carrier-invoices': 'admin',
  'GET /api/admin/carrier-invoices/:id': 'admin',
  'PATCH /api/admin/carrier-invoices/:id': 'admin',
  'DELETE /api/admin/carrier-invoices/:id': 'admin',
  'GET /api/admin/carrier-invoices/:id/calls': 'admin',
  'GET /api/admin/carrier-invoices/:id/calls.csv': 'admin',
  'GET /api/admin/trunk-figures': 'admin',
  'GET /api/admin/try-number': 'admin',
  'POST /api/phone': 'user',
  'GET /api/phone/relays': 'user',
  'GET /api/admin/caller-ids': 'admin',
  'PATCH /api/admin/caller-ids/:id': 'admin',
  'GET /api/user/addresses': 'user',
  'POST /api/user/addresses': 'user',
  'DELETE /api/user/addresses/:id': 'user',
  'GET /api/admin/users/:id/addresses': 'admin',
  'POST /api/admin/users/:id/addresses': 'admin',
  'DELETE /api/admin/addresses/:id': 'admin',
  'GET /api/pricing': 'user',
  'GET /api/pricing/rates': 'user',
  'GET /api/pricing/quote': 'user',
  'GET /api/user/callerid': 'user',
  'POST /api/user/callerid': 'user',
  'POST /api/user/host': 'user',
  'GET /api/admin/websiteip': 'admin',
  'POST /api/admin/websiteip': 'admin',
  'GET /api/user/guards': 'user',
  'PATCH /api/user/guards': 'user',
  'GET /api/admin/users/:id/guards': 'admin',
  'PATCH /api/admin/users/:id/guards': 'admin',
  'GET /api/admin/limit-templates': 'admin',
  'POST /api/admin/limit-templates': 'admin',
  'PATCH /api/admin/limit-templates/:id': 'admin',
  'DELETE /api/admin/limit-templates/:id': 'admin',
  'POST /api/admin/users/:id/limit-template': 'admin',
  'GET /api/alerts': 'user',
  'GET /api/admin/alerts': 'admin',
  'POST /api/admin/alerts/:id/acknowledge': 'admin',
  'POST /api/admin/alerts/acknowledge': 'admin',
  'GET /api/admin/alert-settings': 'admin',
  'PATCH /api/admin/alert-settings': 'admin',
  'GET /api/registrations': 'user',
  'GET /api/admin/switches': 'admin',
  'GET /api/user-stats': 'admin',
  'GET /api/admin/search': 'admin',
  'GET /api/support/tickets': 'user',
  'POST /api/support/tickets': 'user',
  'GET /api/support/tickets/:id': 'user',
  'POST /api/support/tickets/:id/replies': 'user',
  'PATCH /api/support/tickets/:id': 'user',
  'POST /api/support/tickets/:id/read': 'user',
  'GET /api/admin/support/tickets': 'admin',
  'GET /api/admin/support/times': 'admin',
  'GET /api/admin/support/staff': 'admin',
  'GET /api/admin/support/tickets/:id': 'admin',
  'POST /api/admin/support/tickets/:id/notes': 'admin',
  'GET /api/admin/support/canned-replies': 'admin',
  'POST /api/admin/support/canned-replies': 'admin',
  'PATCH /api/admin/support/canned-replies/:id': 'admin',
  'DELETE /api/admin/support/canned-replies/:id': 'admin',
  'POST /api/admin/support/tickets/:id/replies': 'admin',
  'PATCH /api/admin/support/tickets/:id': 'admin',
  'POST /api/admin/support/tickets/:id/read': 'admin',
  'GET /api/admin/emergency-route': 'admin',
  'PUT /api/admin/emergency-route': 'admin',
  'DELETE /api/admin/emergency-route': 'admin',
  'GET /api/admin/routing-rules': 'admin',
  'PUT /api/admin/routing-rules': 'admin',
  'DELETE /api/admin/routing-rules/:id': 'admin',
  'POST /api/admin/routing-rules/simulate': 'admin',
  'GET /api/user/sip': 'user',
  'POST /api/user/sip/password': 'user',
  'POST /api/admin/users/:id/sip/password': 'admin',
  'GET /api/site': 'anyone',
  'GET /api/health': 'anyone',
}

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
  expect(Object.fromEntries(all.map(([address, { access }]) => [address, access]))).toEqual(expected)
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

it('shows customers no note, tag, internal note, assignee or canned reply, in any answer or mail', async () => {
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
  for (const text of shown) expect(text).not.toMatch(/secret-|zroot/)
  // A forgotten password sends a mail after all others that are on their way.
  await portal.call('POST /api/auth/forgot-password', { body: { email: 'alice@example.com' } })
  expect(JSON.stringify(await portal.mails(1))).not.toMatch(/secret-/)
})
