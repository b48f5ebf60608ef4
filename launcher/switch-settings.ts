import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { readFile, rm, symlink } from 'node:fs/promises'
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
  /** Everything the switch writes is in here. */
  runFolder: string
  /** Its name towards call control: unique among the switches of one database. */
  id: string
  /** Part of every stored digest hash, so it stays what it is. */
  realm: string
  /** Seals nonces and hides addresses. */
  secret: string
  /** Addresses to listen on; 0.0.0.0 and :: stand for all there are. */
  host: string | readonly string[]
  sipPort: number
  /** 0 takes any free port, null leaves TLS out. Without it: the port after `sipPort`. */
  tlsPort?: number | null
  /** For phones in browsers, which then may also come to the TLS port. Null, or nothing, leaves them out. */
  wsPort?: number | null
  /** For the phones in browsers that come through the portal, on this machine alone. 0 takes any free port; null, or nothing, leaves them out. */
  phonePort?: number | null
  /** Where calls to `echo` are answered, on this machine; nothing leaves them out. */
  echoPort?: number
  /** 0 takes any free port. */
  controlPort: number
  /** The public address, where it differs from the one listened on. */
  advertise?: string
  /** For speech: the first of these that no other switch of this machine has. */
  mediaPorts?: readonly PortRange[]
  certificate?: { key: string; certificate: string }
  workers?: number
  logLevel?: number
  /** Patience and limits; the tests make them short. */
  limits?: Partial<typeof defaultLimits>
}

/** A call to the echo is over then. */
export const ECHO_SECONDS = 60
const LOOPBACK = '127.0.0.1'

/** Counted up whenever sip/schema.sql changes. */
const SCHEMA_VERSION = 2

/** What a provider's switch has patience for. */
export const defaultLimits = {
  failuresToBan: 10,
  banSeconds: 300,
  /** Requests outside of calls, from one address that is trusted, a carrier's, or has proven a password. Strangers have 30. */
  knownPerSecond: 1_000,
  /** Hashes of passwords are asked for again then. */
  credentialsSeconds: 300,
  trunkAnswersWithinMs: 4_000,
  ringWithinMs: 20_000,
  ringsForMs: 90_000,
  pingSeconds: 15,
  /** A call in which nothing is heard from either side for so long is over; one that is on hold may be quiet for an hour. */
  silenceSeconds: 300,
  /** A carrier that does not confirm the end of a call is given up then. The call is charged until it does, or until then. */
  releaseSeconds: 300,
  /** A TCP, TLS or WebSocket connection on which nothing was proven may be idle for so long. */
  idleLineSeconds: 5,
}

export type Definitions = {
  text: string
  database: string
  controlPort: number
  tlsPort: number | null
  phonePort: number | null
  mediaPort: number
  /** Where rtpengine tells of calls that went silent, on this machine. */
  silencePort: number
  silenceSeconds: number
  /** The address that others are told. */
  address: string
  /** For rtpengine, `address` or `address!advertised`. */
  interfaces: string[]
  probeAddress: string
}

type Certificate = { key: string; certificate: string } | null

/** The file that kamailio is started with: what depends on the machine, then the configuration itself. */
export async function definitionsFor(options: SwitchOptions, certificate: Certificate): Promise<Definitions> {
  const { advertise } = options
  const hosts = await addressesOf(options.host, advertise)
  const limits = { ...defaultLimits, ...options.limits }
  const database = join(options.runFolder, 'switch.db')
  const controlPort = options.controlPort || (await freePort())
  const phonePort = options.phonePort === 0 ? await freePort() : (options.phonePort ?? null)
  const mediaPort = await freeUdpPort()
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
    MASK_ADDRESS: [advertise, ...hosts].find((host) => isIPv4(host ?? '')) ?? '127.0.0.8',
    CONTROL_ADDRESS: `127.0.0.1:${controlPort}`,
    MEDIA_PORT: mediaPort,
    SILENCE_PORT: silencePort,
    WORKERS: workers,
    TCP_WORKERS: Math.max(2, Math.ceil(workers / 2)),
    // They may have to wait: for a name to be looked up, or for rtpengine.
    CALL_WORKERS: workers * 2,
    MULTIHOMED: hosts.length > 1 ? 1 : 0,
    LOG_LEVEL: options.logLevel ?? 0,
    FAILURES_TO_BAN: limits.failuresToBan,
    BAN_SECONDS: limits.banSeconds,
    KNOWN_PER_SECOND: limits.knownPerSecond,
    CREDENTIALS_SECONDS: limits.credentialsSeconds,
    TRUNK_ANSWERS_WITHIN_MS: limits.trunkAnswersWithinMs,
    RING_WITHIN_MS: limits.ringWithinMs,
    RINGS_FOR_MS: limits.ringsForMs,
    PING_SECONDS: limits.pingSeconds,
    RELEASE_SECONDS: limits.releaseSeconds,
    LINE_SECONDS: limits.idleLineSeconds,
    WS_PORT: options.wsPort ?? 0,
    PHONE_PORT: phonePort ?? 0,
    ECHO_PORT: options.echoPort ?? 0,
    ECHO_SECONDS: ECHO_SECONDS + 5,
    TLS_KEY: certificate?.key ?? '',
    TLS_CERTIFICATE: certificate?.certificate ?? '',
  }
  for (const [name, value] of Object.entries(values))
    if (/[|"\n]/.test(String(value)))
      throw new UserError(
        `The switch cannot use this ${name}, because of a quote, a bar or a line break: ${value}`,
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
    interfaces: hosts.map((host) => {
      const shown = advertisedFor(host, advertise)
      return `main/${host}${shown === undefined ? '' : `!${shown}`}`
    }),
    probeAddress: first,
  }
}

/** More would only take turns on the same processors. */
export const defaultWorkers = (): number => Math.max(2, availableParallelism())

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

function socketLine(protocol: string, host: string, port: number, advertise: string | undefined): string {
  const shown = advertisedFor(host, advertise)
  const advertised = shown === undefined ? '' : ` advertise ${bracketed(shown)}:${port}`
  return `listen=${protocol}:${bracketed(host)}:${port}${advertised}`
}

const chosenTlsPort = async ({ tlsPort, sipPort }: SwitchOptions): Promise<number> =>
  tlsPort === 0 ? await freePort() : (tlsPort ?? sipPort + 1)

/** The certificate given, or one of our own that is made once. Null where TLS is not wanted or cannot be had. */
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

/** Kamailio includes no file whose path has a space in it, so its files are reached from the run folder. */
export async function linkRoutes(runFolder: string): Promise<void> {
  const link = join(runFolder, ROUTES)
  await rm(link, { force: true })
  await symlink(join(root, 'sip'), link)
}

/** Made once, and kept over restarts: it holds the calls that live. One that is broken, or of another make, is of no use. */
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
      const { quick_check: fault } = database.prepare('pragma quick_check').get() ?? {}
      return version === SCHEMA_VERSION && fault === 'ok'
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

function freeUdpPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createSocket('udp4')
    probe.once('error', reject)
    probe.bind(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
