import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { dataFolder, post, signIn, startPortal, trunkline } from './portal-process.ts'

it('moves a demo with its past and its live calls to a PostgreSQL of your own, and backs it up beside the running portal', async () => {
  const data = await dataFolder()
  const env = { SANDBOX_TRAFFIC: 'on' }
  const old = await startPortal(data, { env })
  while (Number((await figures(old.url)).liveCalls) === 0) await pause(100)
  const own = await ownServer()
  const to = await own.makeDatabase('moved', 'operator')

  expect(await outcome(['move-database', '--to', to, '--data', data])).toEqual({
    code: 1,
    said: `Another Trunkline (process ${old.child.pid}) is running on the data folder ${data}.`,
  })
  const file = join(await dataFolder(), 'backup')
  expect(await outcome(['backup', file, '--data', data])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^\d{5,} rows of \d\d tables are kept in /),
  })
  expect((await stat(file)).mode & 0o077).toBe(0)
  const { answer } = await signIn(old.url, 'alice', 'trunkline-alice')
  // No goodbye: calls are live and money is held.
  old.child.kill('SIGKILL')
  await old.ended

  // Killed in the middle it leaves nothing behind, and is simply run again.
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
  expect(moved.said).not.toContain('Left out')

  // On its new database the portal goes on as if nothing had been: sessions, numbers that are given out, triggers, months, jobs.
  const next = await startPortal(data, { env: { ...env, DATABASE_URL: to } })
  const me = await fetch(`${next.url}/api/auth/me`, { headers: { authorization: `Bearer ${answer.token}` } })
  expect(me.status).toBe(200)
  expect(Number((await figures(next.url)).totalCalls)).toBeGreaterThan(8_000)
  const newcomer = { username: 'newcomer', password: 'long enough' }
  expect((await post(`${next.url}/register`, newcomer)).status).toBe(200)
  while (Number((await figures(next.url)).liveCalls) === 0) await pause(100)
  next.child.kill('SIGTERM')
  expect(await next.ended).toBe(0)
  expect(await outcome(['check-books'], { DATABASE_URL: to })).toMatchObject({ code: 0 })

  // What was written beside the running portal is one moment of it.
  const restored = await outcome(['restore', file, '--data', await dataFolder()])
  expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('The books add up.') })
  expect(restored.said).toMatch(/public\.live_calls: [1-9]/)
}, 300_000)

it.each([
  [['move-database'], 'Usage: ./trunkline move-database --to postgres://'],
  [['move-database', '--to', 'db.example'], 'Usage: ./trunkline move-database --to postgres://'],
  [['restore', '/nowhere/backup'], 'There is no file /nowhere/backup.'],
])('./trunkline %j says what it needs', async (args, words) => {
  expect(await outcome(args)).toEqual({ code: 1, said: expect.stringContaining(words) })
})

async function outcome(args: string[], env: Record<string, string> = {}) {
  const command = trunkline(args, { env })
  return { code: await command.ended, said: command.output().trim() }
}

/** A PostgreSQL of the operator's own, where an ordinary role owns its database and nothing else. */
async function ownServer() {
  const server = await startEmbeddedPostgres(await dataFolder())
  onTestFinished(server.close)
  const query = (text: string) => ask(server.url, text)
  return {
    query,
    async makeDatabase(name: string, role: string): Promise<string> {
      await query(`create role ${role} login password 'secret'`)
      await query(`create database ${name} owner ${role}`)
      const url = new URL(server.url)
      Object.assign(url, { username: role, password: 'secret', pathname: `/${name}` })
      return url.href
    },
  }
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const tablesOf = (url: string) =>
  ask(url, `select schemaname, tablename from pg_tables where schemaname !~ '^(pg_|information)'`)

async function figures(url: string): Promise<Record<string, unknown>> {
  const { answer } = await signIn(url, 'admin', 'trunkline-admin')
  const headers = { authorization: `Bearer ${answer.token}` }
  const read = async (path: string) => (await fetch(`${url}${path}`, { headers })).json()
  const { stats } = (await read('/api/admin/dashboard/stats')) as { stats: object }
  return { ...stats, ...((await read('/api/admin/live-calls')) as object) }
}
