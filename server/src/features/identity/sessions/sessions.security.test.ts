import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createPortal, type Portal, signUp } from '../../../../test/portal.ts'
import { MINUTE } from '../../../platform/clock.ts'

const attempt = (portal: Portal, username: string, password: string, from: string) =>
  portal.call('POST /api/auth/login', { body: { username, password }, from })

const tooMany = { status: 429, message: 'Too many login attempts. Please try again later.' }

describe('guessing', () => {
  it('from one address is blocked after five failures until the window ends', async () => {
    const portal = await createPortal()
    const { password } = await signUp(portal, 'alice')
    for (let n = 0; n < 5; n++) expect((await attempt(portal, 'alice', 'wrong', '10.0.0.1')).status).toBe(401)
    expect(await attempt(portal, 'ALICE', 'wrong', '10.0.0.1')).toMatchObject(tooMany)
    expect(await attempt(portal, 'alice', password, '10.0.0.1')).toMatchObject(tooMany)
    portal.clock.advance(15 * MINUTE)
    expect((await attempt(portal, 'alice', password, '10.0.0.1')).status).toBe(200)
  })

  it('in parallel gets exactly five attempts', async () => {
    const portal = await createPortal()
    await signUp(portal, 'alice')
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => attempt(portal, 'alice', 'wrong', '10.0.0.1')),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35)
  })

  it('with many usernames from one address is blocked too', async () => {
    const portal = await createPortal()
    const statuses: number[] = []
    for (let n = 0; n < 52; n++)
      statuses.push((await attempt(portal, `user${n}`, 'letmein', '10.0.0.1')).status)
    expect(statuses.slice(0, 50).every((status) => status === 401)).toBe(true)
    expect(statuses.slice(50)).toEqual([429, 429])
    const rows = portal.services.db
      .selectFrom('attempts')
      .select('key')
      .where('key', 'like', '%10.0.0.1 user%')
    expect(await rows.execute()).toHaveLength(50)
  })

  it('from many addresses blocks new addresses, but not those the owner used before', async () => {
    const portal = await createPortal()
    const { password } = await signUp(portal, 'alice') // signed in from 127.0.0.1
    for (let n = 0; n < 40; n++) await attempt(portal, 'alice', 'wrong', `10.1.${n}.1`)
    expect(await attempt(portal, 'alice', password, '10.9.9.9')).toMatchObject(tooMany)
    expect((await attempt(portal, 'alice', password, '127.0.0.1')).status).toBe(200)
  })

  it('counts an IPv6 network as one address', async () => {
    const portal = await createPortal()
    await signUp(portal, 'alice')
    for (let n = 0; n < 5; n++) await attempt(portal, 'alice', 'wrong', `2001:db8:1:2::${n + 1}`)
    expect(await attempt(portal, 'alice', 'wrong', '2001:db8:1:2:ffff::1')).toMatchObject(tooMany)
    expect((await attempt(portal, 'alice', 'wrong', '2001:db8:1:3::1')).status).toBe(401)
  })

  it('does not include successful sign-ins', async () => {
    const portal = await createPortal()
    const { password } = await signUp(portal, 'alice')
    for (let n = 0; n < 60; n++)
      expect((await attempt(portal, 'alice', password, '10.0.0.1')).status).toBe(200)
  })
})

it('a sign-in that is in progress does not survive a password change', async () => {
  const portal = await createPortal()
  const { id, username, password } = await signUp(portal, 'alice')
  const { db } = portal.services
  await db.deleteFrom('sessions').execute()
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  let isDone = false
  const login = await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ password_hash: 'another' }).where('id', '=', id).execute()
    const answer = portal.call('POST /api/auth/login', { body: { username, password } })
    void answer.finally(() => {
      isDone = true
    })
    while (!isDone && (await waiting.execute(db)).rows.length === 0);
    return { answer }
  })
  expect(await login.answer).toMatchObject({ status: 401, message: 'Invalid username or password' })
  expect(await db.selectFrom('sessions').select('id').execute()).toEqual([])
})

it('a mailed link that is opened during a password change waits for it, and is dead then', async () => {
  const portal = await createPortal({}, { hasWorker: true })
  const { id, token } = await signUp(portal, 'alice')
  const { db } = portal.services
  await portal.call('PUT /api/user/email', { token, body: { email: 'alice@example.com' } })
  const [mail] = await portal.mails(1)
  const link = /#token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const opened = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const answer = portal.call('POST /api/auth/verify-email', { body: { token: link } })
    while ((await waiting.execute(db)).rows.length === 0);
    await tx.updateTable('users').set({ password_hash: 'another' }).where('id', '=', id).execute()
    return { answer }
  })
  expect((await opened.answer).code).toBe('email_link_dead')
})

describe('a token', () => {
  it('is stored only as a hash', async () => {
    const portal = await createPortal()
    const { token } = await signUp(portal, 'alice')
    const { rows } = await sql<{ row: string }>`select sessions::text as row from sessions`.execute(
      portal.services.db,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(token)
    expect(rows[0]?.row).not.toContain(Buffer.from(token).toString('hex'))
  })

  it('of a disabled account is invalid immediately, and the account cannot sign in', async () => {
    const portal = await createPortal()
    const { token, id, username, password } = await signUp(portal, 'alice')
    await portal.services.db
      .updateTable('users')
      .set({ disabled_at: portal.clock.now() })
      .where('id', '=', id)
      .execute()
    expect((await portal.call('GET /api/auth/me', { token })).status).toBe(401)
    expect(await portal.call('POST /api/auth/login', { body: { username, password } })).toMatchObject({
      status: 401,
      message: 'Invalid username or password',
    })
  })

  it('can end only its own session at logout', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const bob = await signUp(portal, 'bob')
    await portal.services.sessions.signOut({ userId: bob.id, isAdmin: false }, alice.token)
    expect((await portal.call('GET /api/auth/me', { token: alice.token })).status).toBe(200)
  })
})
