import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { createPortal, type SignedIn, signUp } from '../../../../test/portal.ts'
import { MINUTE } from '../../../platform/clock.ts'

async function begin() {
  const portal = await createPortal()
  const root = await signUp(portal, 'root', { isAdmin: true })
  const deputy = await signUp(portal, 'deputy', { isAdmin: true })
  const alice = await signUp(portal, 'alice')
  const tryToAdd = (note: unknown, { token }: SignedIn = root, id = alice.id) =>
    portal.call('POST /api/admin/users/:id/notes', { token, params: { id }, body: { note } })
  return {
    portal,
    root,
    deputy,
    alice,
    tryToAdd,
    async add(note: string, by: SignedIn = root) {
      const { status, answer, message } = await tryToAdd(note, by)
      if (status !== 200) throw new Error(message)
      return answer.note
    },
    change: (id: number, body: object, { token }: SignedIn = root) =>
      portal.call('PATCH /api/admin/user-notes/:id', { token, params: { id }, body }),
    remove: (id: number, { token }: SignedIn = root) =>
      portal.call('DELETE /api/admin/user-notes/:id', { token, params: { id } }),
    list: async (query: Record<string, number> = {}, id = alice.id) =>
      (await portal.call('GET /api/admin/users/:id/notes', { token: root.token, params: { id }, query }))
        .answer,
  }
}

const texts = (notes: readonly { note: string }[]) => notes.map(({ note }) => note)

describe('a note about a user', () => {
  it('has an author and a time, and notes are listed newest first, in pages', async () => {
    const { portal, root, alice, add, list } = await begin()
    const first = await add('  Pays by wire transfer. ')
    expect(first).toEqual({
      id: first.id,
      author: { id: root.id, username: 'root' },
      note: 'Pays by wire transfer.',
      is_pinned: false,
      createdAt: portal.clock.now().toISOString(),
      editedAt: null,
    })
    await add('second')
    await add('third')
    const page = await list({ limit: 2 })
    expect(texts(page.notes)).toEqual(['third', 'second'])
    expect(texts((await list({ limit: 2, before: page.next ?? 0 })).notes)).toEqual([
      'Pays by wire transfer.',
    ])
    expect((await list({}, root.id)).notes).toEqual([])
    expect(await auditOf(portal, root, 'user_note.create')).toMatchObject([
      {},
      {},
      {
        by: { username: 'root' },
        user: { id: alice.id },
        subject: `user ${alice.id}`,
        before: null,
        after: { note: 'Pays by wire transfer.' },
      },
    ])
  })

  it('is edited only by its author; the edit has its own time', async () => {
    const { portal, root, deputy, add, change } = await begin()
    const { id, createdAt } = await add('Calls on Mondays.')
    portal.clock.advance(MINUTE)
    expect(await change(id, { note: 'Calls on Tuesdays.' }, deputy)).toMatchObject({
      status: 403,
      code: 'note_of_other',
    })
    const edited = await change(id, { note: 'Calls on Tuesdays.' })
    expect(edited.answer.note).toMatchObject({
      note: 'Calls on Tuesdays.',
      createdAt,
      editedAt: portal.clock.now().toISOString(),
    })
    // A repeated request changes nothing and writes no audit entry.
    portal.clock.advance(MINUTE)
    expect((await change(id, { note: 'Calls on Tuesdays.' })).answer).toEqual(edited.answer)
    expect(await auditOf(portal, root, 'user_note.update')).toMatchObject([
      { before: { note: 'Calls on Mondays.' }, after: { note: 'Calls on Tuesdays.' } },
    ])
  })

  it('is pinned before the others by any administrator; a new pin replaces the old one', async () => {
    const { portal, root, deputy, add, change, list } = await begin()
    const [a, b] = [await add('a'), await add('b')]
    await add('c')
    expect((await change(a.id, { is_pinned: true }, deputy)).answer.note).toMatchObject({
      is_pinned: true,
      editedAt: null,
    })
    expect(await list({ limit: 1 })).toMatchObject({ pinned: { note: 'a' }, notes: [{ note: 'c' }] })
    await change(b.id, { is_pinned: true })
    const { pinned, notes } = await list()
    expect(pinned?.note).toBe('b')
    expect(texts(notes)).toEqual(['c', 'a'])
    await change(b.id, { is_pinned: false })
    expect((await list()).pinned).toBeNull()
    expect(await auditOf(portal, root, 'user_note.update')).toMatchObject([
      { before: { is_pinned: true }, after: { is_pinned: false } },
      { before: { is_pinned: false }, after: { is_pinned: true } },
      { by: { username: 'deputy' }, before: { is_pinned: false }, after: { is_pinned: true } },
    ])
  })

  it('is deleted by any administrator, and the audit log keeps the text', async () => {
    const { portal, root, deputy, add, remove, list } = await begin()
    const { id } = await add('Wrong customer.')
    expect((await remove(id, deputy)).answer.message).toBe('Note deleted.')
    expect((await list()).notes).toEqual([])
    expect(await auditOf(portal, root, 'user_note.delete')).toMatchObject([
      { by: { username: 'deputy' }, before: { note: 'Wrong customer.', author: 'root' }, after: null },
    ])
    expect((await remove(id)).code).toBe('not_found')
  })

  it('is refused with an error of the field if it is empty or too long, and for an unknown user', async () => {
    const { portal, root, add, tryToAdd, change } = await begin()
    for (const note of ['', '   ', undefined])
      expect((await tryToAdd(note)).answer).toMatchObject({
        error: { fields: [{ field: 'note', message: 'Please enter a note.' }] },
      })
    expect((await tryToAdd('x'.repeat(2_001))).answer).toMatchObject({
      error: { fields: [{ field: 'note', message: 'Please keep this under 2000 characters' }] },
    })
    const { id } = await add('x'.repeat(2_000))
    expect((await change(id, { note: '' })).status).toBe(400)
    expect((await tryToAdd('x', root, 999)).code).toBe('not_found')
    expect((await change(999, { is_pinned: true })).code).toBe('not_found')
    const unknown = { token: root.token, params: { id: 999 } }
    expect((await portal.call('GET /api/admin/users/:id/notes', unknown)).code).toBe('not_found')
  })

  it('goes with its user and stays without its author', async () => {
    const { portal, deputy, alice, root, tryToAdd, list } = await begin()
    const { db } = portal.services
    // The audit log keeps administrators who have an entry, so this note has none.
    const note = { user_id: alice.id, author_id: deputy.id, body: 'of the deputy' }
    await db
      .insertInto('user_notes')
      .values({ ...note, created_at: portal.clock.now() })
      .execute()
    await db.deleteFrom('users').where('id', '=', deputy.id).execute()
    expect((await list()).notes).toMatchObject([{ note: 'of the deputy', author: null }])
    await db.deleteFrom('users').where('id', '=', alice.id).execute()
    expect(await db.selectFrom('user_notes').selectAll().execute()).toEqual([])
    expect((await tryToAdd('x', root, alice.id)).code).toBe('not_found')
  })
})
