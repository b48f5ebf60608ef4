import { describe, expect, it } from 'vitest'
import { auditOf, racing } from '../../../../test/catalogue.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'

async function begin() {
  const portal = await createPortal()
  const root = await signUp(portal, 'root', { isAdmin: true })
  const { token } = root
  const create = (name: unknown, text: unknown = 'Hello {name}') =>
    portal.call('POST /api/admin/support/canned-replies', { token, body: { name, text } })
  return {
    portal,
    root,
    create,
    change: (id: number, body: object) =>
      portal.call('PATCH /api/admin/support/canned-replies/:id', { token, params: { id }, body }),
    remove: (id: number) =>
      portal.call('DELETE /api/admin/support/canned-replies/:id', { token, params: { id } }),
    list: async () => (await portal.call('GET /api/admin/support/canned-replies', { token })).answer.replies,
  }
}

describe('canned replies', () => {
  it('are created, changed, deleted and listed by name, with audit entries', async () => {
    const { portal, root, create, change, remove, list } = await begin()
    const { reply } = (await create(' welcome ', ' Hello {name} ')).answer
    expect(reply).toEqual({ id: reply.id, name: 'welcome', text: 'Hello {name}', version: 1 })
    await create('Bye')
    expect((await list()).map(({ name }) => name)).toEqual(['Bye', 'welcome'])
    expect((await change(reply.id, { text: 'Hi {name}', version: 1 })).answer.reply).toEqual({
      ...reply,
      text: 'Hi {name}',
      version: 2,
    })
    expect((await change(reply.id, { text: 'Hi {name}' })).answer.reply.version).toBe(2)
    expect((await remove(reply.id)).answer.message).toBe('Canned reply deleted.')
    expect((await list()).map(({ name }) => name)).toEqual(['Bye'])
    expect(await auditOf(portal, root, 'canned_reply.create')).toHaveLength(2)
    expect(await auditOf(portal, root, 'canned_reply.update')).toMatchObject([
      { before: { text: 'Hello {name}' }, after: { name: 'welcome', text: 'Hi {name}' } },
    ])
    expect(await auditOf(portal, root, 'canned_reply.delete')).toMatchObject([
      { subject: `canned reply ${reply.id}`, before: { name: 'welcome', text: 'Hi {name}' }, after: null },
    ])
    for (const gone of [change(reply.id, {}), remove(reply.id)]) expect((await gone).code).toBe('not_found')
  })

  it('have unique names, and an edit of an older version is refused', async () => {
    const { create, change } = await begin()
    const { reply } = (await create('Welcome')).answer
    const other = (await create('Bye')).answer.reply
    const taken = { error: { code: 'canned_reply_taken', fields: [{ field: 'name' }] } }
    expect((await create('WELCOME')).answer).toMatchObject(taken)
    expect((await change(other.id, { name: 'welcome' })).answer).toMatchObject(taken)
    await change(reply.id, { text: 'one', version: 1 })
    expect((await change(reply.id, { text: 'two', version: 1 })).code).toBe('changed_meanwhile')
  })

  it('are refused with an error of the field if name or text is empty or too long', async () => {
    const { create } = await begin()
    for (const [name, text, field, message] of [
      [' ', 'x', 'name', 'Please enter a name.'],
      ['x'.repeat(61), 'x', 'name', 'Please keep this under 60 characters'],
      ['x', ' ', 'text', 'Please enter a message.'],
      ['x', 'x'.repeat(4_001), 'text', 'Please keep this under 4000 characters'],
    ])
      expect((await create(name, text)).answer).toMatchObject({ error: { fields: [{ field, message }] } })
  })

  it('are at most 50, also when two administrators add one at the same time', async () => {
    const { portal, create } = await begin()
    for (let n = 0; n < 49; n++) expect((await create(`reply ${n}`)).status).toBe(200)
    const answers = await racing(
      portal,
      (tx) =>
        tx
          .insertInto('canned_replies')
          .values({ name: 'x', body: 'x', updated_at: portal.clock.now() })
          .execute()
          .then(() => tx.deleteFrom('canned_replies').where('name', '=', 'x').execute()),
      () => [create('one'), create('two')],
    )
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['too_many_canned_replies', undefined])
  })
})
