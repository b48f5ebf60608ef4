import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@trunkline/server/platform/free-port'
import pg from 'pg'
import { root } from '../../launcher/paths.ts'

/** Two PostgreSQL servers under Patroni and one etcd, with the configuration in ops/patroni. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>

const LOOPBACK = '127.0.0.1'
const CONFIG = join(root, 'ops/patroni/config.yml')
const PASSWORD = 'failover'
const PATIENCE_MS = 180_000
const POSTGRES = 'postgres'

type Node = { name: string; port: number; folder: string; patroni: ChildProcess }

export async function startCluster(folder: string) {
  const wrapper = await unprivileged(folder)
  const started: ChildProcess[] = []
  const run = (name: string, program: string, args: string[], env: Record<string, string>): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const child = spawn(...wrapper(program, args), {
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', log, log],
      cwd: folder,
    })
    closeSync(log)
    child.once('error', (error) => process.stderr.write(`${program}: ${error.message}\n`))
    started.push(child)
    return child
  }
  const close = async (): Promise<void> => {
    // Patroni stops its PostgreSQL on SIGTERM. etcd is last.
    for (const child of started.toReversed()) await stopped(child)
  }

  try {
    const [client, peer] = [await freePort(), await freePort()]
    const etcdUrl = `http://${LOOPBACK}:${client}`
    const etcdPeer = `http://${LOOPBACK}:${peer}`
    run('etcd', 'etcd', [], {
      ETCD_NAME: 'etcd',
      ETCD_DATA_DIR: join(folder, 'etcd'),
      ETCD_LISTEN_CLIENT_URLS: etcdUrl,
      ETCD_ADVERTISE_CLIENT_URLS: etcdUrl,
      ETCD_LISTEN_PEER_URLS: etcdPeer,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: etcdPeer,
      ETCD_INITIAL_CLUSTER: `etcd=${etcdPeer}`,
    })
    const startNode = async (name: string): Promise<Node> => {
      const [port, restApi] = [await freePort(), await freePort()]
      const data = join(folder, name)
      const address = `${LOOPBACK}:${port}`
      const patroni = run(name, 'patroni', [CONFIG], {
        PATRONI_NAME: name,
        PATRONI_RESTAPI_LISTEN: `${LOOPBACK}:${restApi}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${LOOPBACK}:${restApi}`,
        // Two addresses, as in ops/patroni/node.env.
        PATRONI_POSTGRESQL_LISTEN: `${LOOPBACK},127.0.0.2:${port}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: address,
        PATRONI_POSTGRESQL_DATA_DIR: data,
        PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
        PATRONI_ETCD3_HOSTS: `${LOOPBACK}:${client}`,
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
        PATRONI_REWIND_PASSWORD: PASSWORD,
      })
      return { name, port, folder: data, patroni }
    }
    const first = await startNode('db1')
    await until('the first node is the primary', async () => (await isReplica(first)) === false)
    const second = await startNode('db2')
    await until('the second node is a synchronous replica', () => hasSynchronousReplica(first))
    await ask(first, `create role trunkline login password '${PASSWORD}'`)
    await ask(first, 'create database trunkline owner trunkline')
    const hosts = [first, second].map(({ port }) => `${LOOPBACK}:${port}`).join()
    return {
      url: `postgresql://trunkline:${PASSWORD}@${hosts}/trunkline?target_session_attrs=read-write`,
      /** Kills the primary and its Patroni with SIGKILL. Neither comes back. */
      async killPrimary(): Promise<string> {
        if (!(await hasSynchronousReplica(first))) throw new Error('there is no synchronous replica')
        const postmaster = Number(
          (await readFile(join(first.folder, 'postmaster.pid'), 'utf8')).split('\n')[0],
        )
        const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
        first.patroni.kill('SIGKILL')
        for (const pid of [postmaster, ...children.trim().split(' ').map(Number)])
          try {
            process.kill(pid, 'SIGKILL')
          } catch {
            // It ended by itself.
          }
        return first.name
      },
      /** Resolves when the replica accepts writes. */
      takeover: () => until('the replica takes over', async () => (await isReplica(second)) === false, 50),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function ask({ port }: Pick<Node, 'port'>, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    host: LOOPBACK,
    port,
    user: POSTGRES,
    password: PASSWORD,
    database: POSTGRES,
    connectionTimeoutMillis: 15_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    client.end().catch(() => {})
  }
}

const isReplica = async (node: Node): Promise<unknown> =>
  (await ask(node, 'select pg_is_in_recovery() as answer'))[0]?.answer

const hasSynchronousReplica = async (node: Node): Promise<boolean> =>
  (await ask(node, `select from pg_stat_replication where sync_state = 'sync'`)).length > 0

async function until(what: string, condition: () => Promise<boolean>, everyMs = 250): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(everyMs)) {
    if (await condition().catch(() => false)) return
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE_MS / 1_000} s: ${what}`)
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const isOver = await Promise.race([ended, pause(30_000, null, { ref: false })])
  if (isOver === null) child.kill('SIGKILL')
}

type Wrapper = (program: string, args: string[]) => [string, string[]]

/** PostgreSQL refuses to run as root. All programs end with this process. */
async function unprivileged(folder: string): Promise<Wrapper> {
  await mkdir(folder, { recursive: true })
  const dieWithParent = ['--pdeathsig', 'TERM']
  if (process.getuid?.() !== 0) return (program, args) => ['setpriv', [...dieWithParent, program, ...args]]
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = accounts.find(([name]) => name === POSTGRES) ?? []
  if (!uid || !gid) throw new Error('install the packages of Debian: postgresql-15, patroni, etcd-server')
  await chown(folder, Number(uid), Number(gid))
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  return (program, args) => ['setpriv', [...user, ...dieWithParent, program, ...args]]
}
