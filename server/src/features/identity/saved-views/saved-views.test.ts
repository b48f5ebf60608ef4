import { SAVED_VIEWS_MAX } from '@trunkline/contract/limits'
import { expect, it } from 'vitest'
import { createPortal, signUp } from '../../../../test/portal.ts'

async function withAlice() {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'alice')
  const save = (name: string, query: string, screen: 'cdr' | 'analysis' = 'cdr', by = token) =>
    portal.call('POST /api/views', { token: by, body: { screen, name, query } })
  const list = async (screen = 'cdr', by = token) =>
    (await portal.call('GET /api/views', { token: by, query: { screen } })).answer.views
  return { portal, token, save, list }
}

it('lists the views of a screen by name, and replaces one with the same name', async () => {
  const { save, list } = await withAlice()
  await save('Germany', 'country=DE')
  await save('failed today', 'status=failed')
  await save('Germany', 'country=DE&period=week')
  await save('Germany', 'by=carrier', 'analysis')
  expect(await list()).toEqual([
    { id: expect.any(Number), name: 'failed today', query: 'status=failed' },
    { id: expect.any(Number), name: 'Germany', query: 'country=DE&period=week' },
  ])
  expect(await list('analysis')).toMatchObject([{ query: 'by=carrier' }])
})

it('deletes a view, but never one of somebody else', async () => {
  const { portal, token, save, list } = await withAlice()
  const mallory = await signUp(portal, 'mallory')
  const { id } = (await save('Germany', 'country=DE')).answer.view
  const remove = (by: string) => portal.call('DELETE /api/views/:id', { token: by, params: { id } })
  expect(await list('cdr', mallory.token)).toEqual([])
  expect((await remove(mallory.token)).status).toBe(404)
  expect(await list()).toHaveLength(1)
  expect((await remove(token)).status).toBe(200)
  expect(await list()).toEqual([])
})

it('refuses a view without a name, and more views than fit', async () => {
  const { save, list } = await withAlice()
  expect((await save('  ', 'a=b')).status).toBe(400)
  const saved = await Promise.all(
    Array.from({ length: SAVED_VIEWS_MAX + 5 }, (_, index) => save(`view ${index}`, 'a=b')),
  )
  expect(saved.filter(({ status }) => status === 200)).toHaveLength(SAVED_VIEWS_MAX)
  expect(saved.find(({ status }) => status !== 200)).toMatchObject({ status: 409, code: 'too_many_views' })
  const [first] = await list()
  expect((await save(first?.name ?? '', 'c=d')).status).toBe(200)
})
