import { describe, expect, it } from 'vitest'
import { racing } from '../../../../test/catalogue.ts'
import { createPortal, type SignedIn, signUp } from '../../../../test/portal.ts'

async function begin() {
  const portal = await createPortal()
  const root = await signUp(portal, 'root', { isAdmin: true })
  const second = await signUp(portal, 'second', { isAdmin: true })
  const carol = await signUp(portal, 'carol')
  const update = (body: object, by: SignedIn = root) =>
    portal.call('PATCH /api/admin/user/update', { token: by.token, body })
  const read = async (id: number) =>
    (await portal.call('GET /api/admin/users/:id', { token: root.token, params: { id } })).answer.user
  const audited = () => portal.services.db.selectFrom('audit_log').selectAll().execute()
  return { portal, root, second, carol, update, read, audited }
}

describe('concurrent changes of a user', () => {
  it('are refused if the version is outdated', async () => {
    const { portal, second, carol, update, read } = await begin()
    const { version } = await read(carol.id)
    const edits = [
      { id: carol.id, version, company: 'Of the first' },
      { id: carol.id, version, country: 'France' },
    ] as const
    const answers = await racing(
      portal,
      (tx) => tx.selectFrom('users').select('id').where('id', '=', carol.id).forUpdate().execute(),
      () => [update(edits[0]), update(edits[1], second)],
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused).toMatchObject({
      code: 'changed_meanwhile',
      message: 'Someone else just changed this. Review the changes before you save.',
    })
    expect((await read(carol.id)).version).toBe(version + 1)

    const own = await portal.call('PATCH /api/user/profile', {
      token: carol.token,
      body: { company: 'As she says' },
    })
    expect(own.status).toBe(200)
    expect((await update({ id: carol.id, version: version + 1, company: 'Stale' })).code).toBe(
      'changed_meanwhile',
    )
    expect((await read(carol.id)).company).toBe('As she says')
  })

  it('of the balance are refused if the balance has changed', async () => {
    const { second, carol, update, read, audited } = await begin()
    const sent = { id: carol.id, bal: 5, bal_was: 0, reason: 'five dollars' }
    const all = await Promise.all([
      update({ ...sent, request_key: 'first-of-two' }),
      update({ ...sent, company: 'Never saved', request_key: 'second-of-two' }, second),
    ])
    const refused = all.find(({ status }) => status !== 200)
    if (refused)
      expect(refused).toMatchObject({
        code: 'changed_meanwhile',
        message: 'The balance has changed. Review it before you save.',
      })
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await read(carol.id)).toMatchObject({ bal: 5 })
    expect((await audited()).filter(({ action }) => action === 'balance.adjust')).toHaveLength(1)
  })
})

it('refuses invalid changes with a reason and changes nothing', async () => {
  const { carol, root, update, read, audited } = await begin()
  const before = await read(carol.id)
  const money = { bal: 5, bal_was: 0, request_key: 'a-key-of-its-own' }
  const refused: [object, string, string?][] = [
    [{ username: 'ROOT' }, 'username_taken', 'An account with this username already exists'],
    [{ username: 'not a name' }, 'invalid_input'],
    [{ email: 'nobody' }, 'invalid_input'],
    [{ country: 'Atlantis' }, 'invalid_input'],
    [{ websiteip: 'no address' }, 'invalid_input'],
    [{ host: '0.0.0.0' }, 'invalid_input'],
    [{ bal: 5 }, 'invalid_input'],
    [{ ...money }, 'invalid_input'],
    [{ ...money, reason: ' ' }, 'invalid_input'],
    [{ ...money, bal: 0.0000001, reason: 'why' }, 'invalid_input'],
    [{ ...money, bal: -1, reason: 'why' }, 'insufficient_balance'],
    [{ ...money, bal_was: 1, reason: 'why' }, 'changed_meanwhile'],
    [{ password: 'not by this way' }, 'invalid_input'],
    [{ version: 99, company: 'x' }, 'changed_meanwhile'],
  ]
  for (const [change, code, message] of refused) {
    const answer = await update({ id: carol.id, ...change })
    expect({ change, code: answer.code }).toEqual({ change, code })
    if (message) expect(answer.message).toBe(message)
  }
  expect((await update({ id: 99_999, company: 'x' })).code).toBe('not_found')
  expect(await read(carol.id)).toEqual(before)
  expect(await audited()).toEqual([])

  await update({ id: root.id, host: '198.51.100.7' })
  expect((await update({ id: carol.id, host: '198.51.100.7' })).code).toBe('host_taken')
})

it('prevents administrators from locking themselves out, even concurrently', async () => {
  const { portal, root, second, update } = await begin()
  for (const change of [{ is_disabled: true }, { is_admin: false }])
    expect(await update({ id: root.id, ...change })).toMatchObject({
      code: 'own_account',
      message:
        'You cannot disable your own account or remove your own admin rights. Ask another administrator.',
    })
  const both = await racing(
    portal,
    (tx) => tx.selectFrom('users').select('id').where('is_admin', '=', true).forUpdate().execute(),
    () => [update({ id: second.id, is_admin: false }), update({ id: root.id, is_disabled: true }, second)],
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
})
