import { createHash } from 'node:crypto'
import { theHouse } from '@trunkline/domain/access'
import { describe, expect, it } from 'vitest'
import { createPortal, signUp } from '../../../test/portal.ts'
import { findSipCredentials } from './store.ts'

const house = theHouse('test')

describe('a SIP password', () => {
  it('is made on demand, told once, and kept only as digests', async () => {
    const portal = await createPortal()
    const { token, id, password: ofPortal } = await signUp(portal, 'alice')
    const before = await portal.call('GET /api/user/sip', { token })
    expect(before.answer).toMatchObject({ username: 'alice', realm: 'trunkline', has_password: false })
    const { answer } = await portal.call('POST /api/user/sip/password', { token })
    expect(answer.password).toMatch(/^[a-z2-9]{22}$/)
    expect(answer.password).not.toBe(ofPortal)
    const kept = await findSipCredentials(portal.services.db, house, id)
    const digest = (algorithm: string) =>
      createHash(algorithm).update(`alice:trunkline:${answer.password}`).digest('hex')
    expect(kept).toMatchObject({ ha1_md5: digest('md5'), ha1_sha256: digest('sha256') })
    const after = await portal.call('GET /api/user/sip', { token })
    expect(after.answer).toMatchObject({ has_password: true, password_since: kept?.made_at.toISOString() })
    expect(JSON.stringify(after.answer)).not.toContain(answer.password)
  })

  it('made again ends the one before, and a new name ends both', async () => {
    const portal = await createPortal()
    const { token, id } = await signUp(portal, 'alice')
    const first = await portal.call('POST /api/user/sip/password', { token })
    const second = await portal.call('POST /api/user/sip/password', { token })
    expect(second.answer.password).not.toBe(first.answer.password)
    const { db } = portal.services
    const kept = await findSipCredentials(db, house, id)
    expect(kept?.ha1_md5).toBe(
      createHash('md5').update(`alice:trunkline:${second.answer.password}`).digest('hex'),
    )
    await db.updateTable('users').set({ username: 'alicia' }).where('id', '=', id).execute()
    expect(await findSipCredentials(db, house, id)).toBeUndefined()
  })

  it('is made for a customer by an administrator, who is written down', async () => {
    const portal = await createPortal()
    const { id } = await signUp(portal, 'alice')
    const admin = await signUp(portal, 'root', { isAdmin: true })
    const ask = (of: number) =>
      portal.call('POST /api/admin/users/:id/sip/password', { token: admin.token, params: { id: of } })
    expect((await ask(id)).answer.username).toBe('alice')
    expect((await ask(9999)).status).toBe(404)
    const { answer } = await portal.call('GET /api/admin/audit-log', { token: admin.token })
    expect(answer.entries[0]).toMatchObject({ action: 'sip_password.renew', user: { username: 'alice' } })
  })
})
