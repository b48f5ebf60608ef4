import { system } from '@trunkline/domain/access'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { createPortal, type Portal, type SignedIn, signUp, withAdmin } from '../../../../test/portal.ts'
import { readUsers } from '../../catalogue/snapshot/store.ts'

const read = async (portal: Portal, { token }: SignedIn) =>
  (await portal.call('GET /api/user/callerid', { token })).answer

describe('a caller ID', () => {
  it('keeps only the digits of the input, and contains the username', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const bob = await signUp(portal, 'bob')
    expect(await read(portal, alice)).toEqual({ callerid: null, countrycode: '', name: '', approval: null })
    const body = { callerid: '+1 (415) 555-0100', countrycode: '' }
    const { status, answer } = await portal.call('POST /api/user/callerid', { token: alice.token, body })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ callerid: '14155550100', name: 'alice' })
    const changed = { callerid: '4930123456', countrycode: '49', name: 'Front desk' }
    await portal.call('POST /api/user/callerid', { token: alice.token, body: changed })
    expect(await read(portal, alice)).toEqual({ ...changed, approval: null })
    expect((await read(portal, bob)).callerid).toBeNull()
  })

  it('has 7 to 16 digits and belongs to the signed-in user', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const send = (body: object) => portal.call('POST /api/user/callerid', { token: alice.token, body })
    for (const callerid of ['123456', '12345678901234567', 'no number', '', null])
      expect(await send({ callerid })).toMatchObject({
        status: 400,
        message: 'Please enter a valid phone number (country code + number, 7-16 digits)',
      })
    expect((await send({ callerid: '1234567' })).status).toBe(200)
    expect((await send({ callerid: '1234567890123456' })).status).toBe(200)
    expect((await send({ callerid: '1234567', user_id: 1 })).status).toBe(400)
  })
})

describe('a caller ID that needs approval', () => {
  async function setUp() {
    const { portal, root, alice } = await withAdmin({ CALLER_IDS: 'approved' })
    const set = (callerid: string, { token } = alice) =>
      portal.call('POST /api/user/callerid', { token, body: { callerid } })
    const list = async (query: object = {}) =>
      (await portal.call('GET /api/admin/caller-ids', { token: root.token, query: { ...query } })).answer
    const decide = (id: number | undefined, body: object, { token } = root) =>
      portal.call('PATCH /api/admin/caller-ids/:id', { token, params: { id: id ?? 0 }, body })
    const openAlerts = async () => {
      const { answer } = await portal.call('GET /api/admin/alerts', { token: root.token })
      return answer.alerts.map(({ kind, message }) => [kind, message])
    }
    return { portal, root, alice, set, list, decide, openAlerts }
  }

  it('is pending, alerts administrators, and shows their decision', async () => {
    const { portal, root, alice, set, list, decide, openAlerts } = await setUp()
    expect((await set('14155550100')).answer).toMatchObject({
      approval: { state: 'pending', note: '', decided_at: null },
    })
    expect(await openAlerts()).toEqual([
      ['caller_id_pending', 'Caller ID +14155550100 is waiting for approval.'],
    ])
    const { requests, pending, is_required } = await list()
    expect({ requests, pending, is_required }).toMatchObject({
      requests: [{ callerid: '14155550100', state: 'pending', user: { id: alice.id, username: 'alice' } }],
      pending: 1,
      is_required: true,
    })
    const note = 'Checked the contract'
    expect(await decide(requests[0]?.id, { state: 'approved', note })).toMatchObject({
      status: 200,
      message: 'Caller ID approved.',
      answer: { request: { state: 'approved', decided_by: 'root', note } },
    })
    expect((await read(portal, alice)).approval).toMatchObject({ state: 'approved', note })
    expect(await openAlerts()).toEqual([])
    expect(await list()).toMatchObject({ requests: [], pending: 0 })
    expect((await list({ state: 'approved' })).requests).toHaveLength(1)
    await decide(requests[0]?.id, { state: 'rejected', note: 'Not yours' })
    expect((await read(portal, alice)).approval).toMatchObject({ state: 'rejected', note: 'Not yours' })
    expect(await auditOf(portal, root, 'caller_id.approve')).toMatchObject([
      {
        user: { id: alice.id },
        reason: note,
        before: { callerid: '14155550100', state: 'pending' },
        after: { callerid: '14155550100', state: 'approved' },
      },
    ])
    expect(await auditOf(portal, root, 'caller_id.reject')).toMatchObject([{ reason: 'Not yours' }])
  })

  it('is approved without a request while the customer rents the number', async () => {
    const { portal, root, alice, set, list, openAlerts } = await setUp()
    const caller = { userId: root.id, isAdmin: true }
    const { inventory, db } = portal.services
    const values = { area: '', type: 'local', trunk_id: null, monthly: 1, setup: 0, price: 0 } as const
    const costs = { cost_monthly: 0, cost: 0, max_calls: 1, tags: [], note: '' }
    const { id } = await inventory.create(caller, {
      number: '+14155550150',
      country: null,
      ...values,
      ...costs,
    })
    await inventory.assign(caller, id, { user_id: alice.id, charge: false, request_key: 'caller-id-test' })
    await set('14155550100')
    expect((await set('14155550150')).answer.approval).toMatchObject({ state: 'approved' })
    expect(await list()).toMatchObject({ requests: [], pending: 0 })
    expect(await openAlerts()).toEqual([])
    const isApproved = async () => (await readUsers(db, system('test'), alice.id))[0]?.isCallerIdApproved
    expect(await isApproved()).toBe(true)
    await inventory.release(caller, id, '')
    expect(await isApproved()).toBe(false)
    expect((await read(portal, alice)).approval).toMatchObject({ state: 'pending' })
  })

  it('stays approved for its account; another number is pending, and a rejected one can be requested again', async () => {
    const { portal, alice, set, list, decide, openAlerts } = await setUp()
    const stateOf = async () => (await read(portal, alice)).approval?.state
    await set('14155550100')
    await decide((await list()).requests[0]?.id, { state: 'approved' })
    await set('14155550199')
    expect(await stateOf()).toBe('pending')
    await set('14155550111')
    // The previous request is withdrawn, because the customer chose another number.
    expect((await list()).requests.map(({ callerid }) => callerid)).toEqual(['14155550111'])
    await decide((await list()).requests[0]?.id, { state: 'rejected', note: 'A bank has this number' })
    expect(await stateOf()).toBe('rejected')
    await set('14155550100')
    expect(await stateOf()).toBe('approved')
    expect(await openAlerts()).toEqual([])
    await set('14155550111')
    expect(await stateOf()).toBe('pending')
    const bob = await signUp(portal, 'bob')
    await set('14155550100', bob)
    expect((await read(portal, bob)).approval?.state).toBe('pending')
  })

  it('can be decided only by administrators, who find it by username or number', async () => {
    const { alice, set, list, decide } = await setUp()
    await set('14155550100')
    const [request] = (await list()).requests
    expect((await decide(request?.id, { state: 'approved' }, alice)).status).toBe(403)
    expect((await decide(999_999, { state: 'approved' })).status).toBe(404)
    expect((await decide(request?.id, { state: 'pending' })).status).toBe(400)
    for (const [search, found] of [
      ['ALI', 1],
      ['+1415', 1],
      ['1415', 1],
      ['bob', 0],
      ['%', 0],
    ])
      expect((await list({ search })).requests).toHaveLength(Number(found))
  })

  it('is not needed if the service allows any number', async () => {
    const { portal, root, alice } = await withAdmin({ CALLER_IDS: 'any' })
    const body = { callerid: '14155550100' }
    const { answer } = await portal.call('POST /api/user/callerid', { token: alice.token, body })
    expect(answer.approval).toBeNull()
    const listed = await portal.call('GET /api/admin/caller-ids', { token: root.token })
    expect(listed.answer).toMatchObject({ is_required: false, pending: 1 })
  })
})
