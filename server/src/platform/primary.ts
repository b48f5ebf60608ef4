import type { Socket } from 'node:net'
import pg from 'pg'

/**
 * Connects to the primary of a database URL with several hosts, which pg does not support. One search finds the host that accepts
 * writes, and all connections of the process share the result. A URL with one host gets the plain client of pg.
 */

/** None of several hosts accepts writes. */
export class NoPrimary extends Error {
  constructor(faults: readonly HostFault[]) {
    const list = faults.map(({ host, reason }) => `${host} (${reason})`).join(', ')
    super(
      `No host of the database accepts writes: ${list}. Check that one of them is running as the primary.`,
    )
  }
}

export type HostFault = { host: string; reason: string }

class ReadOnlyHost extends Error {}

const CHECK_TIMEOUT_MS = 2_000
/** After this time without an answer, the process checks the host, which may have lost its power. */
const SILENT_MS = 3_000
/** How long a failed search is reused. Otherwise, every request during a failover would connect to every host. */
const NEXT_SEARCH_MS = 250

const READ_ONLY_TRANSACTION = '25006'

/** One URL for each host. */
export function splitHosts(url: string): string[] {
  const [, start, hosts, rest] = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts?.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url]
}

/** A client that connects to the primary. */
export const createClient = (url: string, config: pg.ClientConfig = {}): pg.Client =>
  new (primaryClient(url))({ ...config, connectionString: url })

/** The class of such clients, for pools. */
export function primaryClient(url: string): typeof pg.Client {
  const urls = splitHosts(url)
  if (urls.length === 1) return pg.Client
  const known = clusters.get(url) ?? createClass(createCluster(urls))
  clusters.set(url, known)
  return known
}

/** By URL. All pools and listeners of the process share what they know about its hosts. */
const clusters = new Map<string, typeof pg.Client>()

/** The hosts that cannot be reached. A replica is not a fault. A URL with one host is not checked. */
export async function unreachableHosts(url: string): Promise<HostFault[]> {
  const urls = splitHosts(url)
  if (urls.length === 1) return []
  const faults = await Promise.all(
    urls.map(hostOf).map((host) =>
      checkHost(host).then(
        () => null,
        (error) => (error instanceof ReadOnlyHost ? null : faultOf(host, error)),
      ),
    ),
  )
  return faults.filter((fault) => fault !== null)
}

type Host = { url: string; host: string; port: number }
type Cluster = ReturnType<typeof createCluster>

function hostOf(url: string): Host {
  const { host, port } = new pg.Client({ connectionString: url })
  return { url, host, port }
}

function createCluster(urls: readonly string[]) {
  const hosts = urls.map(hostOf)
  const connected = new Map<pg.Client, Host>()
  let primary: Host | null = null
  let search: Promise<Host> | null = null
  let isChecking = false

  /** Asks all hosts at once. Connections to any other host than the primary are closed. */
  function find(): Promise<Host> {
    search ??= Promise.any(hosts.map(checkHost)).then(
      (found) => {
        search = null
        primary = found
        for (const [client, host] of connected) if (host !== found) client.connection.stream.destroy()
        return found
      },
      ({ errors }: AggregateError) => {
        setTimeout(() => {
          search = null
        }, NEXT_SEARCH_MS).unref()
        throw new NoPrimary(hosts.map((host, index) => faultOf(host, errors[index])))
      },
    )
    return search
  }

  function forget(host: Host): void {
    if (primary === host) primary = null
  }

  return {
    first: hosts[0] as Host,
    primary: async (): Promise<Host> => primary ?? find(),
    forget,
    add: (client: pg.Client, host: Host) => void connected.set(client, host),
    remove: (client: pg.Client) => void connected.delete(client),

    /** Checks a host that was silent or refused to write. Its connections are closed if another host has taken over. */
    verify(host: Host): void {
      if (isChecking) return
      isChecking = true
      checkHost(host)
        .catch(() => {
          forget(host)
          return find()
        })
        .catch(() => {})
        .finally(() => {
          isChecking = false
        })
    },
  }
}

const createClass = (cluster: Cluster): typeof pg.Client =>
  class PrimaryClient extends pg.Client {
    #isEnding = false
    /** Set by pg, but not declared: false during a query. */
    declare readyForQuery: boolean

    constructor(config?: string | pg.ClientConfig) {
      super({ ...(typeof config === 'object' && config), connectionString: cluster.first.url })
      this.on('error', () => {})
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg has an overload for promises and one for callbacks.
    override connect(callback?: any): any {
      const connected = this.#connect()
      if (!callback) return connected
      connected.then(() => callback(null, this), callback)
    }

    // biome-ignore lint/suspicious/noExplicitAny: as above.
    override end(callback?: any): any {
      this.#isEnding = true
      return super.end(callback)
    }

    async #connect(): Promise<this> {
      const host = await cluster.primary()
      // A pool destroys the stream at its timeout. pg would then wait for it forever.
      if (this.#isEnding || this.connection.stream.destroyed) throw new Error('Connection terminated')
      // pg reads both when it connects.
      Object.assign(this, { host: host.host, port: host.port })
      try {
        await connectForWrites(this, () => super.connect())
      } catch (error) {
        cluster.forget(host)
        this.end().catch(() => {})
        throw error
      }
      cluster.add(this, host)
      this.once('end', () => {
        cluster.remove(this)
        if (!this.#isEnding) cluster.forget(host)
      })
      const { connection } = this
      connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
        if (code === READ_ONLY_TRANSACTION) cluster.verify(host)
      })
      const stream = connection.stream as Socket
      stream.setTimeout(SILENT_MS)
      stream.on('timeout', () => {
        if (!this.readyForQuery) cluster.verify(host)
        stream.setTimeout(SILENT_MS)
      })
      return this
    }
  }

/** Fails if the host does not accept writes. */
async function checkHost(host: Host): Promise<Host> {
  const client = new pg.Client({
    connectionString: host.url,
    application_name: 'trunkline host check',
    connectionTimeoutMillis: CHECK_TIMEOUT_MS,
    query_timeout: CHECK_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await connectForWrites(client, () => client.connect())
    return host
  } finally {
    client.end().catch(() => {})
  }
}

/** PostgreSQL reports these settings while a client connects, so the check needs no query. Poolers may not forward them. */
const REPORTED = ['in_hot_standby', 'default_transaction_read_only']
const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as answer`

async function connectForWrites(client: pg.Client, connect: () => Promise<unknown>): Promise<void> {
  const reported = new Map<string, string>()
  client.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
    if (REPORTED.includes(status.parameterName)) reported.set(status.parameterName, status.parameterValue)
  })
  await connect()
  const isReadOnly =
    reported.size === REPORTED.length
      ? [...reported.values()].includes('on')
      : (await client.query(IS_READ_ONLY)).rows[0].answer
  if (isReadOnly) throw new ReadOnlyHost('is read-only')
}

const faultOf = ({ host, port }: Host, error: unknown): HostFault => ({
  host: `${host}:${port}`,
  reason: reasonOf(error),
})

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : ''
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'the name does not resolve' : error.message
}
