import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ask } from '../../server/test/database.ts'
import { dataFolder, post, preparedFolder, signIn, startPortal, trunkline } from './portal-process.ts'
import { outcome, ownServer } from './production-settings.ts'

it('moves a demo with its history and live calls to another PostgreSQL, and backs it up while the portal is running', async () => {
  const data = await preparedFolder()
  const env = { SANDBOX_TRAFFIC: 'on' }
  const old = await startPortal(data, { env })
  const oldStats = await statsOf(old.url)
  while (Number((await oldStats()).liveCalls) === 0) await pause(100)
  const own = await operatorServer()
  const to = await own.makeDatabase('moved', 'operator')

  expect(await outcome(['move-database', '--to', to, '--data', data])).toEqual({
    code: 1,
    said: `Another Trunkline (process ${old.child.pid}) is using the data folder ${data}. Stop it, or choose another folder with --data.`,
  })
  const file = join(await dataFolder(), 'backup')
  expect(await outcome(['backup', file, '--data', data])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^Backed up \d{5,} rows of \d{3} tables to /),
  })
  expect((await stat(file)).mode & 0o077).toBe(0)
  const { answer } = await signIn(old.url, 'alice', 'trunkline-alice')
  // Killed while calls are live and money is held.
  old.child.kill('SIGKILL')
  await old.ended

  // A killed move leaves nothing behind and can be repeated.
  const first = trunkline(['move-database', '--to', to, '--data', data])
  while ((await own.query(`select from pg_stat_activity where query ilike 'copy %'`)).length === 0)
    await pause(5)
  first.child.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  while ((await own.query(`select from pg_stat_activity where datname = 'moved'`)).length > 0) await pause(20)
  expect(await tablesOf(to)).toEqual([])

  const moved = await outcome(['move-database', '--to', to, '--data', data])
  expect(moved).toMatchObject({ code: 0, said: expect.stringContaining('The books add up.') })
  expect(moved.said).toContain('start Trunkline with DATABASE_URL set to the address of 127.0.0.1')
  expect(moved.said).not.toContain('Skipped')

  // Sessions, sequences, triggers, partitions and jobs work on the new database.
  const next = await startPortal(data, { env: { ...env, DATABASE_URL: to } })
  const me = await fetch(`${next.url}/api/auth/me`, { headers: { authorization: `Bearer ${answer.token}` } })
  expect(me.status).toBe(200)
  const nextStats = await statsOf(next.url)
  expect(Number((await nextStats()).totalCalls)).toBeGreaterThan(8_000)
  const newcomer = { username: 'newcomer', password: 'long enough' }
  expect((await post(`${next.url}/register`, newcomer)).status).toBe(200)
  while (Number((await nextStats()).liveCalls) === 0) await pause(100)
  next.child.kill('SIGTERM')
  expect(await next.ended).toBe(0)
  expect(await outcome(['check-books'], { DATABASE_URL: to })).toMatchObject({ code: 0 })

  // The backup taken while the portal was running is consistent.
  const restored = await outcome(['restore', file, '--data', await dataFolder()])
  expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('The books add up.') })
  expect(restored.said).toMatch(/public\.live_calls: [1-9]/)
}, 300_000)

it.each([
  [['move-database'], 'Usage: ./trunkline move-database --to postgres://'],
  [['move-database', '--to', 'db.example'], 'Usage: ./trunkline move-database --to postgres://'],
  [['restore', '/nowhere/backup'], 'The file /nowhere/backup does not exist.'],
])('explains what is wrong with ./trunkline %j', async (args, message) => {
  expect(await outcome(args)).toEqual({ code: 1, said: expect.stringContaining(message) })
})

/** The operator's own PostgreSQL; `makeDatabase` creates a database owned by an ordinary role. */
async function operatorServer() {
  const server = await ownServer()
  const query = (text: string) => ask(server, text)
  return {
    query,
    async makeDatabase(name: string, role: string): Promise<string> {
      await query(`create role ${role} login password 'secret'`)
      await query(`create database ${name} owner ${role}`)
      const url = new URL(server)
      Object.assign(url, { username: role, password: 'secret', pathname: `/${name}` })
      return url.href
    },
  }
}

const tablesOf = (url: string) =>
  ask(url, `select schemaname, tablename from pg_tables where schemaname !~ '^(pg_|information)'`)

/** Signs in once, because checking a password takes long. */
async function statsOf(url: string): Promise<() => Promise<Record<string, unknown>>> {
  const { answer } = await signIn(url, 'admin', 'trunkline-admin')
  const headers = { authorization: `Bearer ${answer.token}` }
  const read = async (path: string) => (await fetch(`${url}${path}`, { headers })).json()
  return async () => {
    const { stats } = (await read('/api/admin/dashboard/stats')) as { stats: object }
    return { ...stats, ...((await read('/api/admin/live-calls')) as object) }
  }
}
