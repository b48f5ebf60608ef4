import { type Address, endpoints } from '@trunkline/contract'
import type { Access, Endpoint } from '@trunkline/contract/endpoint'
import { describe, expect, it } from 'vitest'
import { createPortal, type Portal, signUp } from './portal.ts'

/**
 * Who may call what, written down a second time on purpose: an endpoint without a row here fails, and one that was
 * opened by mistake disagrees with its row.
 */
const expected: Record<Address, Access> = {
  'POST /register': 'anyone',
  'POST /api/auth/login': 'anyone',
  'GET /api/auth/verify': 'user',
  'GET /api/auth/me': 'user',
  'POST /api/auth/logout': 'user',
  'POST /api/auth/change-password': 'user',
  'POST /api/auth/forgot-password': 'anyone',
  'POST /api/auth/reset-password': 'anyone',
  'POST /api/contact': 'anyone',
  'POST /api/topup': 'user',
  'POST /api/upgrade': 'user',
  'GET /api/payments': 'user',
  'GET /api/payments/:id': 'user',
  // Signed by the provider; payments.security.test.ts tries everything else.
  'POST /api/payments/callback': 'anyone',
  'POST /api/promo-codes/check': 'user',
  'POST /api/promo-codes/redeem': 'user',
  'GET /api/admin/payments': 'admin',
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
  'GET /api/admin/users/:id/statement': 'admin',
  'GET /api/admin/audit-log': 'admin',
  'GET /api/site': 'anyone',
  'GET /api/health': 'anyone',
}

const all = Object.entries<Endpoint>(endpoints) as Array<[Address, Endpoint]>
const guarded = all.filter(([, { access }]) => access !== 'anyone').map(([address]) => address)
const forAdmins = all.filter(([, { access }]) => access === 'admin').map(([address]) => address)

const knock = (portal: Portal, address: Address, token?: string) =>
  portal.call(address, { body: {}, params: { id: 1 }, ...(token && { token }) })

it('every endpoint is open to whom it should be', () => {
  expect(Object.fromEntries(all.map(([address, { access }]) => [address, access]))).toEqual(expected)
})

describe('a stranger', () => {
  it('without a token is asked to sign in, everywhere', async () => {
    const portal = await createPortal()
    for (const address of guarded)
      expect({ address, ...(await knock(portal, address)) }).toMatchObject({
        address,
        status: 401,
        code: 'sign_in_first',
      })
  })

  it('with a made-up, malformed or ended token gets nowhere', async () => {
    const portal = await createPortal()
    const { token } = await signUp(portal, 'alice')
    await portal.call('POST /api/auth/logout', { token })
    for (const bad of ['x', 'A'.repeat(43), "' or 1=1 --", token])
      for (const address of guarded) expect((await knock(portal, address, bad)).status).toBe(401)
  })
})

it('a customer is refused by everything that is for administrators', async () => {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'alice')
  for (const address of forAdmins)
    expect({ address, ...(await knock(portal, address, token)) }).toMatchObject({
      address,
      status: 403,
      code: 'admin_only',
    })
})
