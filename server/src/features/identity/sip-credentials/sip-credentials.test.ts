import { createHash } from 'node:crypto'
import { system } from '@trunkline/domain/access'
import { describe, expect, it } from 'vitest'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { findSipCredentials } from './store.ts'

const systemOwner = system('test')

describe('a SIP password', () => {
  it('is made on demand, told once, and kept only as a digest', async () => {
    const portal = await createPortal()
    const { token, id, password: ofPortal } = await signUp(portal, 'alice')
    const before = await portal.call('GET /api/user/sip', { token })
    expect(before.answer).toMatchObject({ username: 'alice', realm: 'trunkline', has_password: false })
    const { answer } = await portal.call('POST /api/user/sip/password', { token })
    expect(answer.password).toMatch(/^[a-z2-9]{22}$/)
    expect(answer.password).not.toBe(ofPortal)
    const kept = await findSipCredentials(portal.services.db, systemOwner, id)
    const digest = createHash('md5').update(`alice:trunkline:${answer.password}`).digest('hex')
    expect(kept).toMatchObject({ ha1_md5: digest, ha1_sha256: null })
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
    const kept = await findSipCredentials(db, systemOwner, id)
    expect(kept?.ha1_md5).toBe(
      createHash('md5').update(`alice:trunkline:${second.answer.password}`).digest('hex'),
    )
    await db.updateTable('users').set({ username: 'alicia' }).where('id', '=', id).execute()
    expect(await findSipCredentials(db, systemOwner, id)).toBeUndefined()
  })

  it('is made for SHA-256 when that is asked for, under a name of its own, and stays so until MD5 is', async () => {
    const portal = await createPortal()
    const { token, id } = await signUp(portal, 'alice')
    const make = async (algorithm?: 'MD5' | 'SHA-256') => {
      const query: Record<string, string> = algorithm ? { algorithm } : {}
      const { answer } = await portal.call('POST /api/user/sip/password', { token, query })
      const { answer: shown } = await portal.call('GET /api/user/sip', { token })
      expect(shown.username).toBe(answer.username)
      const { ha1_md5, ha1_sha256 } = (await findSipCredentials(portal.services.db, systemOwner, id)) ?? {}
      const digest = (name: string) =>
        createHash(name).update(`${answer.username}:trunkline:${answer.password}`).digest('hex')
      return {
        username: shown.username,
        algorithm: shown.algorithm,
        isMd5: ha1_md5 === digest('md5') && ha1_sha256 === null,
        isSha256: ha1_sha256 === digest('sha256') && ha1_md5 === null,
      }
    }
    const sha256 = { username: 'sha256~alice', algorithm: 'SHA-256', isMd5: false, isSha256: true }
    const md5 = { username: 'alice', algorithm: 'MD5', isMd5: true, isSha256: false }
    expect(await make()).toEqual(md5)
    expect(await make('SHA-256')).toEqual(sha256)
    expect(await make()).toEqual(sha256)
    expect(await make('MD5')).toEqual(md5)
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
