import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask } from '../../server/test/database.ts'
import { dataFolder, freePort, signIn, startPortal } from './portal-process.ts'
import { outcome, ownDatabase, settings } from './production-settings.ts'

const TABLES = `select count(*)::int as tables from pg_class where relkind in ('r', 'p', 'i', 'S')`
const CONTENT = `select (select jsonb_agg(username) from users) as users, (select count(*)::int from trunks) as trunks,
                        (select jsonb_object_agg(name, value) from service_settings) as settings`

const start = async () => ['start', '--port', String(await freePort()), '--data', await dataFolder()]

it('the demo refuses the database of a production portal and changes nothing in it', async () => {
  const url = await ownDatabase()
  expect(await outcome(['admin', 'create', 'boss'], settings(url))).toMatchObject({ code: 0 })
  const before = [await ask(url, CONTENT), await ask(url, TABLES)]
  expect(before[0]).toEqual([{ users: ['boss'], trunks: 0, settings: { profile: 'production' } }])

  const refused = { code: 1, said: expect.stringContaining('This database belongs to a production portal.') }
  expect(await outcome(await start(), { DATABASE_URL: url })).toEqual(refused)
  expect(await outcome(['admin', 'create', 'other'], { DATABASE_URL: url })).toEqual(refused)
  expect([await ask(url, CONTENT), await ask(url, TABLES)]).toEqual(before)

  // Older releases did not store the profile.
  await ask(url, `delete from service_settings where name = 'profile'`)
  expect(await outcome(await start(), { DATABASE_URL: url })).toEqual(refused)
  expect(await ask(url, CONTENT)).toEqual([{ users: ['boss'], trunks: 0, settings: null }])
})

it('production refuses the database of a demo until its accounts are closed', async () => {
  const url = await ownDatabase()
  const demo = await startPortal(await dataFolder(), { env: { DATABASE_URL: url } })
  demo.child.kill('SIGTERM')
  await demo.ended
  const file = join(await dataFolder(), 'backup')
  expect(await outcome(['backup', file], { DATABASE_URL: url })).toMatchObject({ code: 0 })

  const env = settings(url)
  const refused = { code: 1, said: expect.stringContaining('This database belongs to the demo') }
  expect(await outcome(await start(), env)).toEqual(refused)
  expect(await outcome(['run', 'worker'], env)).toEqual(refused)
  expect(await outcome(['admin', 'create', 'boss'], env)).toEqual(refused)
  // Older releases did not store the profile.
  await ask(url, `delete from service_settings where name = 'profile'`)
  expect(await outcome(['run', 'callcontrol'], env)).toEqual(refused)

  const empty = await ownDatabase({ hasTables: false })
  expect(await outcome(['restore', file], settings(empty))).toEqual(refused)
  expect(await ask(empty, `select to_regclass('users') as users`)).toEqual([{ users: null }])
  expect(await outcome(['restore', file], { DATABASE_URL: empty })).toEqual({
    code: 0,
    said: expect.stringContaining('Production refuses it until you run "./trunkline leave-demo" on it.'),
  })

  const left = await outcome(['leave-demo'], env)
  expect(left).toEqual({
    code: 0,
    said: expect.stringContaining('Demo accounts closed: admin, alice, paula'),
  })
  expect(await outcome(['admin', 'create', 'admin'], env)).toMatchObject({ code: 0 })
  const port = await freePort()
  const portal = await startPortal(await dataFolder(), { env: { ...env, LOG_LEVEL: 'silent' } }, port)
  for (const name of ['admin', 'alice', 'demo-admin-1'])
    expect((await signIn(`http://127.0.0.1:${port}`, name, 'trunkline-admin')).status).toBe(401)
  expect(await ask(url, `select from trunks where status <> 'inactive'`)).toEqual([])
  portal.child.kill('SIGTERM')
  await portal.ended
  expect(await outcome(['check-books'], env)).toMatchObject({ code: 0 })
  expect(await outcome(await start(), { DATABASE_URL: url })).toMatchObject({ code: 1 })
})

it('production commands neither create nor use a database in the data folder', async () => {
  const data = await dataFolder()
  const file = join(data, 'backup')
  for (const args of [
    ['admin', 'create', 'boss'],
    ['backup', file],
    ['check-books'],
    ['leave-demo'],
    ['restore', join(import.meta.dirname, 'profiles.test.ts')],
  ])
    expect(await outcome([...args, '--data', data], { NODE_ENV: 'production' })).toEqual({
      code: 1,
      said: 'DATABASE_URL is missing. In production, set it for every command, to the same value as for ./trunkline start.',
    })
  expect(existsSync(join(data, 'database'))).toBe(false)
})
