import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { cp, readFile, rm } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '@trunkline/server/platform/free-port'
import type { PortRange } from './media-ports.ts'
import { addressesOf, advertisedFor } from './own-addresses.ts'
import { root } from './paths.ts'
import { UserError } from './user-error.ts'

export type SwitchOptions = {
  /** The switch writes all its files here. */
  runFolder: string
  /** The switch's name in call control; unique among the switches of one database. */
  id: string
  /** Part of every stored digest hash: changing it invalidates all SIP passwords. */
  realm: string
  /** Signs nonces and encrypts hidden addresses. */
  secret: string
  /** Addresses to listen on; 0.0.0.0 and :: mean all addresses. */
  host: string | readonly string[]
  sipPort: number
  /** 0 means any free port, null disables TLS. Default: the port after `sipPort`. */
  tlsPort?: number | null
  /** WebSocket port for web phones; they may then also use the TLS port. Null or undefined disables it. */
  wsPort?: number | null
  /** Loopback port for web phones that connect through the portal. 0 means any free port; null or undefined disables it. */
  phonePort?: number | null
  /** `host:port` that receives the SIP messages of calls as HEP3 datagrams; undefined disables them. */
  traceAddress?: string
  /** Loopback port that answers calls to `echo`; undefined disables them. */
  echoPort?: number
  /** 0 means any free port. */
  controlPort: number
  /** Loopback port for rtpengine's commands, of Kamailio and of media processes. Undefined means any free port. */
  rtpenginePort?: number
  /** The public address, if it differs from the listening address. */
  advertise?: string
  /** Candidate ranges: the first one that no other switch on this machine uses. */
  mediaPorts?: readonly PortRange[]
  certificate?: { key: string; certificate: string }
  workers?: number
  logLevel?: number
  /** Timeouts and limits; tests shorten them. */
  limits?: Partial<typeof defaultLimits>
}

/** Maximum duration of a call to `echo`. */
export const ECHO_SECONDS = 60
const LOOPBACK = '127.0.0.1'

/** Increment this whenever sip/schema.sql changes. */
const SCHEMA_VERSION = 6

/** Longer than a step of a ring plan, which a media process can exceed by 20 seconds. rtpengine keeps an unanswered offer as long. */
export const TARGET_SECONDS = 180

export const defaultLimits = {
  failuresToBan: 10,
  banSeconds: 300,
  /** Out-of-dialog requests from one trusted, carrier or authenticated address. Other addresses get 30. */
  knownPerSecond: 1_000,
  /** Registrations of one user. Each may create an event, which is kept until it is acknowledged. Ten phones need ten per minute. */
  registrationsPerTenSeconds: 60,
  /** How long the switch caches digest hashes. */
  credentialsSeconds: 300,
  controlAnswersWithinMs: 2_000,
  /** Kamailio asks rtpengine twice, then works without it for two seconds. */
  mediaAnswersWithinMs: 1_000,
  /** An rtpengine that takes no commands for this time is restarted. Every new call would fail. */
  mediaHangsForSeconds: 20,
  /** The switch refuses new calls when its own delay, or that of call control, exceeds this. */
  overloadMs: 250,
  /** Fewer new calls per second are never refused. */
  unlimitedCallsPerSecond: 50,
  trunkAnswersWithinMs: 4_000,
  ringWithinMs: 20_000,
  ringsForMs: 90_000,
  /**
   * A phone, PBX, trunk or media process that has not answered by then is given up, even if it repeats its 180, which starts the other
   * timeouts again.
   */
  targetLifetimeMs: TARGET_SECONDS * 1_000,
  pingSeconds: 15,
  /** How long to wait after a failed registration at a carrier. */
  registerRetrySeconds: 30,
  /** A call without RTP from either side ends after this time. A call on hold may be silent for an hour. */
  silenceSeconds: 300,
  /** How long to wait for a carrier to confirm a BYE. The call is charged until then. */
  releaseSeconds: 300,
  /** Idle timeout of a TCP, TLS or WebSocket connection without authentication. */
  idleConnectionSeconds: 5,
  connectionsPerAddress: 1_000,
}

export type Definitions = {
  text: string
  database: string
  controlPort: number
  tlsPort: number | null
  phonePort: number | null
  mediaPort: number
  /** Loopback port where rtpengine reports silent calls. */
  silencePort: number
  silenceSeconds: number
  mediaHangsForSeconds: number
  /** The advertised address. */
  address: string
  /** In rtpengine's format: `address` or `address!advertised`. */
  interfaces: string[]
  probeAddress: string
}

type Certificate = { key: string; certificate: string } | null

/** The generated kamailio.cfg: machine-specific definitions, then an include of sip/kamailio.cfg. */
export async function definitionsFor(
  options: SwitchOptions,
  certificate: Certificate,
  mediaPort: number,
): Promise<Definitions> {
  const { advertise } = options
  const hosts = await addressesOf(options.host, advertise)
  const limits = { ...defaultLimits, ...options.limits }
  const database = join(options.runFolder, 'switch.db')
  const controlPort = options.controlPort || (await freePort())
  const phonePort = options.phonePort === 0 ? await freePort() : (options.phonePort ?? null)
  const silencePort = await freePort()
  const tlsPort = certificate === null ? null : await chosenTlsPort(options)
  const first = hosts[0] ?? '127.0.0.1'
  const domain = bracketed(advertise ?? first)
  const workers = options.workers ?? defaultWorkers()
  const values = {
    RUN_FOLDER: options.runFolder,
    DATABASE: database,
    ID: options.id,
    REALM: options.realm,
    SECRET: options.secret,
    DOMAIN: domain,
    OWN_ADDRESS: `${domain}:${options.sipPort}`,
    OWN_TLS_ADDRESS: `${domain}:${tlsPort ?? options.sipPort}`,
    MASK_ADDRESS: [advertise, ...hosts].find((host) => isIPv4(host ?? '')) ?? '127.0.0.8',
    CONTROL_ADDRESS: `127.0.0.1:${controlPort}`,
    MEDIA_PORT: mediaPort,
    SILENCE_PORT: silencePort,
    WORKERS: workers,
    TCP_WORKERS: Math.max(2, Math.ceil(workers / 2)),
    // Twice as many, because these workers block on DNS lookups and on rtpengine.
    CALL_WORKERS: workers * 2,
    MULTIHOMED: hosts.length > 1 ? 1 : 0,
    LOG_LEVEL: options.logLevel ?? 0,
    FAILURES_TO_BAN: limits.failuresToBan,
    BAN_SECONDS: limits.banSeconds,
    KNOWN_PER_SECOND: limits.knownPerSecond,
    REGISTRATIONS_PER_TEN_SECONDS: limits.registrationsPerTenSeconds,
    CREDENTIALS_SECONDS: limits.credentialsSeconds,
    OVERLOAD_MS: limits.overloadMs,
    UNLIMITED_CALLS_PER_SECOND: limits.unlimitedCallsPerSecond,
    PROBE_ADDRESS: `${bracketed(first)}:${options.sipPort}`,
    PROBE_SOCKET: `udp:${bracketed(first)}:${options.sipPort}`,
    CONTROL_ANSWERS_WITHIN_MS: limits.controlAnswersWithinMs,
    MEDIA_ANSWERS_WITHIN_MS: limits.mediaAnswersWithinMs,
    TRUNK_ANSWERS_WITHIN_MS: limits.trunkAnswersWithinMs,
    RING_WITHIN_MS: limits.ringWithinMs,
    RINGS_FOR_MS: limits.ringsForMs,
    TARGET_LIFETIME_MS: limits.targetLifetimeMs,
    PING_SECONDS: limits.pingSeconds,
    REGISTER_RETRY_SECONDS: limits.registerRetrySeconds,
    RELEASE_SECONDS: limits.releaseSeconds,
    CONNECTION_SECONDS: limits.idleConnectionSeconds,
    CONNECTIONS_PER_ADDRESS: limits.connectionsPerAddress,
    WS_PORT: options.wsPort ?? 0,
    PHONE_PORT: phonePort ?? 0,
    ECHO_PORT: options.echoPort ?? 0,
    ECHO_SECONDS: ECHO_SECONDS + 5,
    TRACE_ADDRESS: options.traceAddress ?? '',
    TLS_KEY: certificate?.key ?? '',
    TLS_CERTIFICATE: certificate?.certificate ?? '',
  }
  for (const [name, value] of Object.entries(values))
    if (/[|"\n]/.test(String(value)))
      throw new UserError(
        `The switch cannot use this ${name}: ${value}\nRemove the quote, the vertical bar or the line break.`,
      )
  const sockets = hosts.flatMap((host) => [
    socketLine('udp', host, options.sipPort, advertise),
    socketLine('tcp', host, options.sipPort, advertise),
    ...(tlsPort === null ? [] : [socketLine('tls', host, tlsPort, advertise)]),
    ...(options.wsPort ? [socketLine('tcp', host, options.wsPort, advertise)] : []),
  ])
  const text = [
    '#!KAMAILIO',
    ...Object.entries(values).map(([name, value]) => `#!substdef "|MY_${name}|${value}|g"`),
    ...(tlsPort === null ? [] : ['#!define WITH_TLS']),
    ...(options.wsPort || phonePort ? ['#!define WITH_WEBSOCKET'] : []),
    ...(options.traceAddress ? ['#!define WITH_TRACE'] : []),
    ...sockets,
    ...(phonePort ? [socketLine('tcp', LOOPBACK, phonePort, undefined)] : []),
    socketLine('tcp', LOOPBACK, silencePort, undefined),
    `include_file "${ROUTES}/kamailio.cfg"`,
    '',
  ].join('\n')
  return {
    text,
    address: advertise ?? first,
    database,
    controlPort,
    tlsPort,
    phonePort,
    mediaPort,
    silencePort,
    silenceSeconds: limits.silenceSeconds,
    mediaHangsForSeconds: limits.mediaHangsForSeconds,
    interfaces: hosts.map((host) => {
      const shown = advertisedFor(host, advertise)
      return `main/${host}${shown === undefined ? '' : `!${shown}`}`
    }),
    probeAddress: first,
  }
}

/** One worker per core, at least two. */
export const defaultWorkers = (): number => Math.max(2, availableParallelism())

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

function socketLine(protocol: string, host: string, port: number, advertise: string | undefined): string {
  const shown = advertisedFor(host, advertise)
  const advertised = shown === undefined ? '' : ` advertise ${bracketed(shown)}:${port}`
  return `listen=${protocol}:${bracketed(host)}:${port}${advertised}`
}

const chosenTlsPort = async ({ tlsPort, sipPort }: SwitchOptions): Promise<number> =>
  tlsPort === 0 ? await freePort() : (tlsPort ?? sipPort + 1)

/** The given certificate, or a self-signed one that is created once. Null if TLS is disabled or openssl fails. */
export async function certificateFor(runFolder: string, options: SwitchOptions): Promise<Certificate> {
  if (options.tlsPort === null) return null
  if (options.certificate) return options.certificate
  const own = { key: join(runFolder, 'tls.key'), certificate: join(runFolder, 'tls.crt') }
  if (existsSync(own.key) && existsSync(own.certificate)) return own
  const name = options.advertise ?? (await addressesOf(options.host, undefined))[0] ?? 'trunkline'
  const { status } = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', own.key, '-out', own.certificate, '-days', '3650', '-subj', `/CN=${name}`],
    ],
    { stdio: 'ignore' },
  )
  return status === 0 ? own : null
}

const ROUTES = 'routes'

/**
 * Copies the routes to the run folder. A Kamailio that is restarted after a crash then reads the routes of its definitions, even if
 * Trunkline was upgraded meanwhile. Besides, Kamailio cannot include a file whose path contains a space.
 */
export async function copyRoutes(runFolder: string): Promise<void> {
  const copy = join(runFolder, ROUTES)
  await rm(copy, { recursive: true, force: true })
  for (const name of ['kamailio.cfg', 'modules.cfg', 'route'])
    await cp(join(root, 'sip', name), join(copy, name), { recursive: true })
}

/** The database keeps live calls across restarts. A corrupt one or one with another schema version is replaced. */
export async function createDatabase(file: string): Promise<void> {
  if (existsSync(file) && isUsable(file)) return
  for (const ending of ['', '-wal', '-shm']) await rm(`${file}${ending}`, { force: true })
  const schema = await readFile(join(root, 'sip/schema.sql'), 'utf8')
  const database = new DatabaseSync(file)
  try {
    database.exec(
      `pragma journal_mode = wal; begin; ${schema} pragma user_version = ${SCHEMA_VERSION}; commit;`,
    )
  } finally {
    database.close()
  }
}

function isUsable(file: string): boolean {
  try {
    const database = new DatabaseSync(file)
    try {
      const { user_version: version } = database.prepare('pragma user_version').get() ?? {}
      const { quick_check: integrity } = database.prepare('pragma quick_check').get() ?? {}
      return version === SCHEMA_VERSION && integrity === 'ok'
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

export function freeUdpPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createSocket('udp4')
    probe.once('error', reject)
    probe.bind(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
