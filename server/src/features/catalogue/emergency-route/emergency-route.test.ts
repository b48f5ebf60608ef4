import { describe, expect, it } from 'vitest'
import { createPortal, signUp } from '../../../../test/portal.ts'

async function setUp() {
  const portal = await createPortal()
  const admin = await signUp(portal, 'root', { isAdmin: true })
  const now = portal.clock.now()
  const { id: trunk_id } = await portal.services.db
    .insertInto('trunks')
    .values({ name: 'Carrier', host: '192.0.2.9', created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { token } = admin
  const read = async () => (await portal.call('GET /api/admin/emergency-route', { token })).answer.route
  const put = (body: { trunk_id: number; sent_as: string | null; callerid: string }) =>
    portal.call('PUT /api/admin/emergency-route', { token, body })
  return { portal, token, trunk_id, read, put }
}

describe('the emergency route', () => {
  it('is unset at first, can be set, changed and removed, and each change is audited', async () => {
    const { portal, token, trunk_id, read, put } = await setUp()
    expect(await read()).toBeNull()
    const first = { trunk_id, sent_as: null, callerid: '442079460018' }
    expect((await put(first)).answer.route).toMatchObject({ ...first, trunk_name: 'Carrier' })
    const second = { ...first, sent_as: '+44999' }
    expect((await put(second)).answer.route).toMatchObject(second)
    await put(second)
    expect(await read()).toMatchObject(second)
    await portal.call('DELETE /api/admin/emergency-route', { token })
    expect(await read()).toBeNull()
    const { answer } = await portal.call('GET /api/admin/audit-log', { token })
    expect(answer.entries.filter(({ action }) => action === 'emergency_route.update')).toHaveLength(3)
  })

  it('keeps its trunk from being deleted', async () => {
    const { portal, token, trunk_id, read, put } = await setUp()
    await put({ trunk_id, sent_as: null, callerid: '442079460018' })
    const remove = () => portal.call('DELETE /api/trunks/:id', { token, params: { id: trunk_id } })
    expect(await remove()).toMatchObject({ status: 409, code: 'trunk_for_emergencies' })
    expect(await read()).toMatchObject({ trunk_id })
    await portal.call('DELETE /api/admin/emergency-route', { token })
    expect((await remove()).status).toBe(200)
  })

  it('is refused for an unknown trunk and an invalid number', async () => {
    const { trunk_id, read, put } = await setUp()
    expect((await put({ trunk_id: 9999, sent_as: null, callerid: '442079460018' })).status).toBe(404)
    expect((await put({ trunk_id, sent_as: '9', callerid: '442079460018' })).status).toBe(400)
    expect((await put({ trunk_id, sent_as: null, callerid: '123' })).status).toBe(400)
    expect(await read()).toBeNull()
  })

  it('determines the quote of an emergency number', async () => {
    const { portal, trunk_id, put } = await setUp()
    const { token } = await signUp(portal, 'alice')
    const quote = async () =>
      (await portal.call('GET /api/pricing/quote', { token, query: { number: '112' } })).answer
    expect(await quote()).toMatchObject({ allowed: false, reason: 'no_emergency_service' })
    await put({ trunk_id, sent_as: null, callerid: '442079460018' })
    expect(await quote()).toMatchObject({ allowed: true, reason: null })
  })
})

describe('a home country', () => {
  it('is set in the profile or by an administrator and applies to national numbers', async () => {
    const { portal, token: ofAdmin } = await setUp()
    const { token, id } = await signUp(portal, 'alice')
    const numberOf = async () =>
      (await portal.call('GET /api/pricing/quote', { token, query: { number: '020 7946 0123' } })).answer
        .number
    expect(await numberOf()).toBeNull()
    const change = (home_country: string | null) =>
      portal.call('PATCH /api/user/profile', { token, body: { home_country } })
    expect((await change('GB')).answer.user.home_country).toBe('GB')
    expect(await numberOf()).toBe('442079460123')
    expect((await change('Atlantis')).status).toBe(400)
    expect((await change('')).answer.user.home_country).toBeNull()
    expect(await numberOf()).toBeNull()
    const edited = await portal.call('PATCH /api/admin/user/update', {
      token: ofAdmin,
      body: { id, home_country: 'United Kingdom' },
    })
    expect(edited.answer.user.home_country).toBe('GB')
    expect(await numberOf()).toBe('442079460123')
    const tried = await portal.call('GET /api/admin/try-number', {
      token: ofAdmin,
      query: { number: '020 7946 0123', home_country: 'GB' },
    })
    expect(tried.answer.trial.number).toBe('442079460123')
  })
})
