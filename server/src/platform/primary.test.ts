import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../../test/database.ts'
import { atEnd, forAll } from '../../test/lifetime.ts'
import { copyOut } from './copy-out.ts'
import { isDatabaseUnavailable, openDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { openJobs } from './jobs.ts'
import { listen } from './listen.ts'
import { migrate } from './migrate.ts'
import { NoPrimary, primaryClient, splitHosts, unreachableHosts } from './primary.ts'

const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB' }

/** In memory, if possible: these tests copy whole data folders. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'primary-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An initialized data folder. Copies of it have the same password. */
const original = forAll(async () => {
  const folder = await newFolder()
  await (await startEmbeddedPostgres(folder, { settings: NOT_DURABLE })).close()
  return folder
})

/** A child process of the server may have exited. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** With `isReplica`, the server is in recovery until it is promoted. */
async function startServer({ isReplica = false } = {}) {
  const folder = await newFolder()
  // Keeps the owner, which PostgreSQL checks.
  await promisify(execFile)('cp', ['-a', `${original()}/.`, folder])
  const cluster = join(folder, 'postgres')
  if (isReplica) await writeFile(join(cluster, 'standby.signal'), '')
  const server = await startEmbeddedPostgres(folder, { settings: NOT_DURABLE })
  onTestFinished(server.close)
  const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    ...server,
    port: new URL(server.url).port,
    promote: () => ask(server.url, 'select pg_promote()'),
    become: async (mode: 'read-only' | 'writable') => {
      const value = mode === 'read-only' ? 'on' : 'off'
      await ask(server.url, `alter system set default_transaction_read_only = ${value}`)
      await ask(server.url, 'select pg_reload_conf()')
      await expect
        .poll(async () => (await ask(server.url, 'show default_transaction_read_only'))[0])
        .toEqual({ default_transaction_read_only: value })
    },
    /** Stops all processes of the server. Its sockets stay open, as after a power failure. */
    async freeze() {
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
      const pids = [pid, ...children.map(Number)]
      for (const one of pids) signal(one, 'SIGSTOP')
      onTestFinished(() => {
        for (const one of pids) signal(one, 'SIGCONT')
      })
    },
  }
}

/** One URL with the hosts of all servers. */
function joined(...servers: Server[]): string {
  const url = new URL(servers[0]?.url ?? '')
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`)
  return `${url.href.replace(url.host, hosts.join())}?target_session_attrs=read-write`
}

function openPool(url: string) {
  const db = openDatabase({ url, poolSize: 3, onError: () => {} })
  onTestFinished(() => db.destroy())
  const write = async () => {
    const result = await sql<{ port: string }>`
      with written as (select set_config('x.y', 'z', true), pg_current_xact_id())
      select current_setting('port') as port from written`.execute(db)
    return result.rows[0]?.port
  }
  return { db, write }
}

function openListener(url: string) {
  const heard: string[] = []
  let connections = 0
  const listener = listen({
    url,
    channels: { news: (payload) => heard.push(payload) },
    onListening: () => connections++,
    onError: () => {},
  })
  onTestFinished(() => listener.close())
  return { heard, connections: () => connections }
}

it('leaves a URL with one host to pg', () => {
  for (const url of [
    'postgres://u:p@db.example:5432/name',
    'postgres:///name',
    'postgres://u:a,b@db.example/n',
  ])
    expect([primaryClient(url), splitHosts(url)]).toEqual([pg.Client, [url]])
})

it('connects pools, listeners, exports, migrations and jobs to the host that accepts writes', async () => {
  const [replica, primary] = await Promise.all([startServer({ isReplica: true }), startServer()])
  const url = joined(replica, primary)
  expect(await migrate(url)).toBeGreaterThan(0)
  expect(await openPool(url).write()).toBe(primary.port)
  const { heard, connections } = openListener(url)
  await expect.poll(connections).toBe(1)
  await ask(primary.url, `notify news, 'one'`)
  await expect.poll(() => heard).toEqual(['one'])
  const copy = { statement: `copy (select current_setting('port')) to stdout`, header: '', timeoutMs: 5_000 }
  expect(await text(await copyOut(url, copy))).toBe(`${primary.port}\n`)
  const jobs = await openJobs(url, () => {})
  expect(await jobs.waiting()).toEqual([])
  await jobs.close()
  expect(await unreachableHosts(url)).toEqual([])
})

it('follows a replica that takes over from a primary that never comes back', async () => {
  const [primary, replica] = await Promise.all([startServer(), startServer({ isReplica: true })])
  const url = joined(primary, replica)
  const { write } = openPool(url)
  const { heard, connections } = openListener(url)
  expect(await write()).toBe(primary.port)
  await expect.poll(connections).toBe(1)
  await primary.close()
  const fault = await write()
    .then(write)
    .catch((error) => error)
  expect(isDatabaseUnavailable(fault)).toBe(true)
  await replica.promote()
  await expect.poll(() => write().catch(String)).toBe(replica.port)
  await expect.poll(connections).toBe(2)
  await ask(replica.url, `notify news, 'from the new primary'`)
  await expect.poll(() => heard).toEqual(['from the new primary'])
})

it('drops connections that have become read-only, once another host accepts writes', async () => {
  const [one, other] = await Promise.all([startServer(), startServer()])
  await other.become('read-only')
  const url = joined(one, other)
  const { write, db } = openPool(url)
  expect(await write()).toBe(one.port)
  await one.become('read-only')
  const create = sql`create table if not exists kept (id integer)`
  const fault = await create.execute(db).catch((error) => error)
  expect([fault.code, isDatabaseUnavailable(fault)]).toEqual(['25006', true])
  await other.become('writable')
  await expect
    .poll(() =>
      create.execute(db).then(
        () => 'written',
        () => 'failed',
      ),
    )
    .toBe('written')
  expect(await ask(other.url, `select to_regclass('kept')::text as name`)).toEqual([{ name: 'kept' }])
  expect(await write()).toBe(other.port)
})

// Without a listener, whose own checks would find it too.
it('leaves a primary that stops answering without closing its connections', async () => {
  const [primary, replica] = await Promise.all([startServer(), startServer({ isReplica: true })])
  const { write } = openPool(joined(primary, replica))
  expect(await write()).toBe(primary.port)
  await primary.freeze()
  const hanging = write().catch((error) => error)
  await replica.promote()
  expect(isDatabaseUnavailable(await hanging)).toBe(true)
  expect(await write()).toBe(replica.port)
})

it('names every host and its fault if none accepts writes', async () => {
  const replica = await startServer({ isReplica: true })
  const url = joined(replica).replace('@', '@127.0.0.1:1,nowhere.invalid:5432,')
  const fault = await openPool(url)
    .write()
    .catch((error) => error)
  expect(fault).toBeInstanceOf(NoPrimary)
  expect(fault.message).toBe(
    `No host of the database accepts writes: 127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1), nowhere.invalid:5432 (the name does not resolve), 127.0.0.1:${replica.port} (is read-only). Check that one of them is running as the primary.`,
  )
  expect(isDatabaseUnavailable(fault)).toBe(true)
  expect((await unreachableHosts(url)).map(({ host }) => host)).toEqual([
    '127.0.0.1:1',
    'nowhere.invalid:5432',
  ])
})
