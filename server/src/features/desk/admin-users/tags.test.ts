import { describe, expect, it } from 'vitest'
import { auditOf, racing } from '../../../../test/catalogue.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'

async function begin() {
  const portal = await createPortal()
  const root = await signUp(portal, 'root', { isAdmin: true })
  const [alice, bob] = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]
  const { token } = root
  const tag = (id: number, given: unknown) =>
    portal.call('POST /api/admin/users/:id/tags', { token, params: { id }, body: { tag: given } })
  const untag = (id: number, given: string) =>
    portal.call('DELETE /api/admin/users/:id/tags', { token, params: { id }, query: { tag: given } })
  const names = async (query: Record<string, string | number>) =>
    (await portal.call('GET /api/users', { token, query })).answer.users.map(({ username }) => username)
  return { portal, root, alice, bob, token, tag, untag, names }
}

describe('the tags of a user', () => {
  it('are added and removed in lower case, and every change is in the audit log', async () => {
    const { portal, root, alice, token, tag, untag } = await begin()
    expect((await tag(alice.id, ' VIP ')).answer).toEqual({ tags: ['vip'] })
    expect((await tag(alice.id, 'call-center')).answer).toEqual({ tags: ['call-center', 'vip'] })
    expect((await tag(alice.id, 'Vip')).answer).toEqual({ tags: ['call-center', 'vip'] })
    const { answer } = await portal.call('GET /api/admin/users/:id', { token, params: { id: alice.id } })
    expect(answer.user.tags).toEqual(['call-center', 'vip'])
    expect((await untag(alice.id, 'VIP')).answer).toEqual({ tags: ['call-center'] })
    expect((await untag(alice.id, 'never-there')).answer).toEqual({ tags: ['call-center'] })
    expect(await auditOf(portal, root, 'user.tags')).toMatchObject([
      { before: { tags: ['call-center', 'vip'] }, after: { tags: ['call-center'] } },
      { before: { tags: ['vip'] }, after: { tags: ['call-center', 'vip'] } },
      { user: { id: alice.id }, before: { tags: [] }, after: { tags: ['vip'] } },
    ])
  })

  it('filter the list of users, which shows them, on every page and in every order', async () => {
    const { portal, alice, bob, root, token, tag, untag, names } = await begin()
    for (const { id } of [alice, bob, root]) await tag(id, 'reseller')
    await tag(bob.id, 'vip')
    expect(await names({ tag: 'vip' })).toEqual(['bob'])
    expect(await names({ tag: 'VIP' })).toEqual(['bob'])
    expect(await names({ tag: 'vip', search: 'alice' })).toEqual([])
    expect(await names({ tag: 'unknown' })).toEqual([])
    for (const sort of ['newest', 'name', 'balance'])
      expect((await names({ tag: 'reseller', sort })).toSorted()).toEqual(['alice', 'bob', 'root'])
    const query = { tag: 'reseller', sort: 'name', limit: 2 }
    const first = (await portal.call('GET /api/users', { token, query })).answer
    expect(first.users.map(({ tags }) => tags)).toEqual([['reseller'], ['reseller', 'vip']])
    expect(await names({ ...query, after: first.next ?? '' })).toEqual(['root'])
    const used = async () => (await portal.call('GET /api/admin/user-tags', { token })).answer.tags
    expect(await used()).toEqual([
      { tag: 'reseller', users: 3 },
      { tag: 'vip', users: 1 },
    ])
    await untag(bob.id, 'vip')
    expect(await used()).toEqual([{ tag: 'reseller', users: 3 }])
  })

  it('are words of at most 30 characters; others get an error of the field', async () => {
    const { alice, tag } = await begin()
    const sentence = 'Tags are one word of up to 30 characters: letters, digits and . _ -.'
    for (const bad of ['two words', 'x'.repeat(31), '-dash', 'a,b', '<b>'])
      expect((await tag(alice.id, bad)).answer).toMatchObject({
        error: { code: 'invalid_input', fields: [{ field: 'tag', message: sentence }] },
      })
    for (const missing of ['', ' ', undefined])
      expect((await tag(alice.id, missing)).answer).toMatchObject({
        error: { fields: [{ field: 'tag', message: 'Please enter a tag.' }] },
      })
    for (const good of ['x'.repeat(30), 'größe', 'a.b_c-1'])
      expect((await tag(alice.id, good)).status).toBe(200)
    expect((await tag(999, 'vip')).code).toBe('not_found')
  })

  it('are at most ten, also when two administrators add one at the same time', async () => {
    const { portal, alice, tag, untag } = await begin()
    for (let n = 0; n < 10; n++) expect((await tag(alice.id, `tag${n}`)).status).toBe(200)
    expect((await tag(alice.id, 'eleventh')).answer).toMatchObject({
      error: { code: 'too_many_tags', fields: [{ field: 'tag' }] },
    })
    // A tag that is there already is no eleventh.
    expect((await tag(alice.id, 'tag3')).status).toBe(200)
    await untag(alice.id, 'tag0')
    const answers = await racing(
      portal,
      (tx) => tx.selectFrom('users').select('id').where('id', '=', alice.id).forUpdate().execute(),
      () => [tag(alice.id, 'one'), tag(alice.id, 'two')],
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
