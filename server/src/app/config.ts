import { isIP, isIPv4 } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { API_TIMEOUT_MS } from '@trunkline/contract/limits'
import { z } from 'zod'
import { MIN_MONTHS_KEPT } from '../features/calls/archive/service.ts'
import { parseHostPort } from '../platform/address.ts'
import { DAY, SECOND } from '../platform/clock.ts'
import { splitHosts } from '../platform/primary.ts'
import { parseSoundKey } from '../platform/sound-key.ts'

/**
 * All settings of the server. Only this module reads the environment. It reports all faults at once.
 */
const url = (protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })

const valid = (faultOf: (value: string) => string | null) =>
  z.string().refine((value) => faultOf(value) === null, {
    error: (issue) => faultOf(String(issue.input)) ?? '',
  })

export function databaseUrlFault(value: string): string | null {
  const urls = splitHosts(value)
  const isUrl = (one: string) =>
    URL.canParse(one) &&
    ['postgres:', 'postgresql:'].includes(new URL(one).protocol) &&
    (urls.length === 1 || new URL(one).hostname !== '')
  if (!urls.every(isUrl))
    return 'must be an address such as postgres://user:password@host:5432/name, or several hosts with commas between: postgres://user:password@host1:5432,host2:5432/name'
  if (urls.length === 1) return null
  const target = new URL(urls[0] ?? '').searchParams.get('target_session_attrs') ?? 'read-write'
  return ['read-write', 'primary'].includes(target)
    ? null
    : `has target_session_attrs=${target}, and Trunkline needs the primary: use read-write`
}

/** One host: a list would always lead to the primary. */
const replicaUrlFault = (value: string): string | null =>
  splitHosts(value).length > 1
    ? 'names several hosts, and Trunkline reads reports from one: name the replica'
    : databaseUrlFault(value)

const port = z.coerce.number({ error: 'must be a number' }).int().min(1).max(65_535)
const count = z.coerce.number({ error: 'must be a number' }).int().positive()
const commaSeparated = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
/** Comma-separated list of `host:port`. */
const addresses = commaSeparated.refine((list) => list.every((address) => parseHostPort(address) !== null), {
  error: 'must be host:port, several with commas between',
})
/** `no`, or a list of proxies whose X-Forwarded-For header is trusted, in Fastify's format. */
const proxies = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
  .refine((list) => list.join() === 'no' || list.every(isProxy), {
    error:
      'must name the proxies whose X-Forwarded-For is believed: addresses or ranges with commas between, such as 127.0.0.1 or 10.0.0.0/24, or loopback for a proxy on this machine',
  })
  .transform((list) => (list.join() === 'no' ? (false as const) : list))

function isProxy(name: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(name)) return true
  const [address = '', bits, ...more] = name.split('/')
  const most = isIPv4(address) ? 32 : 128
  // A range of all addresses would let every client choose its own address.
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most)
  return isIP(address) !== 0 && isRange && more.length === 0
}

const TURN_URL = /^turns?:([^:[\]\s?]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?(\?transport=(udp|tcp))?$/

const yesOrNo = z.enum(['yes', 'no'], { error: 'must be yes or no' }).transform((value) => value === 'yes')

/** TURN servers for browser phones, as `turns:host:443?transport=tcp`. */
const turnUrls = commaSeparated.refine(
  (list) => list.length > 0 && list.every((address) => TURN_URL.test(address)),
  {
    error: 'must be turn:host:port or turns:host:port, several with commas between',
  },
)

/** The first key encrypts new files. The others only decrypt. */
const soundKeys = commaSeparated
  .refine((list) => list.length > 0 && list.every((key) => parseSoundKey(key) !== null), {
    error: 'must be 32 bytes in hex or base64; after a change, the old keys follow with commas between',
  })
  .transform((list) => list.flatMap((key) => parseSoundKey(key) ?? []))

const settings = z.object({
  DATABASE_URL: valid(databaseUrlFault),
  DATABASE_REPLICA_URL: valid(replicaUrlFault).optional(),
  PUBLIC_URL: url(['http:', 'https:']).transform((value) => value.replace(/\/+$/, '')),
  PORT: z.coerce.number({ error: 'must be a number' }).int().min(0).max(65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  TRUST_PROXY: proxies.default(false),
  SITE_NAME: z.string().min(1).max(60).default('Trunkline'),
  SUPPORT_EMAIL: z.email({ error: 'must be an email address' }),
  SUPPORT_PHONE: z.string().min(3).max(40),
  SMTP_URL: url(['smtp:', 'smtps:']),
  MAIL_FROM: z.string().min(3),
  OXAPAY_BASE_URL: url(['http:', 'https:']).transform((value) => value.replace(/\/+$/, '')),
  OXAPAY_MERCHANT_KEY: z.string().min(8, { error: 'must have at least 8 characters' }),
  /** The specification uses the provider's test mode for upgrades. Production must disable it. */
  OXAPAY_TRIAL_UPGRADES: yesOrNo.default(false),
  OXAPAY_TIMEOUT_MS: count.default(API_TIMEOUT_MS),
  SESSION_IDLE_DAYS: count.default(7),
  SESSION_DAYS: count.default(30),
  REGISTRATIONS_PER_HOUR: count.default(20),
  PROMO_REDEMPTIONS_PER_ADDRESS: count.default(3),
  DATABASE_POOL: count.default(10),
  SWITCHES: addresses.default([]),
  SIP_REALM: z
    .string()
    .max(100)
    .regex(/^[^":\s]+$/, { error: 'must be one word without : and "' })
    .default('trunkline'),
  SIP_HOST: z.string().optional(),
  SIP_ADVERTISE: z.string().optional(),
  SIP_PORT: port.default(5060),
  SIP_TLS_PORT: port.default(5061),
  PHONE_SWITCH: addresses.optional(),
  TURN_URLS: turnUrls.optional(),
  TURN_SECRET: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  TURN_ONLY: yesOrNo.default(false),
  SIP_TRACE: addresses.optional(),
  SIP_TRACE_DAYS: z.coerce.number({ error: 'must be a number' }).int().min(0).max(90).default(7),
  CALLER_IDS: z.enum(['any', 'approved'], { error: 'must be any or approved' }).default('approved'),
  CALL_SLICE_SECONDS: count.default(60),
  CALL_LEAD_SECONDS: count.default(20),
  CALL_DECISION_MS: count.default(1_500),
  MEDIA_NAME: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,60}$/, { error: 'must have letters, digits, dots and hyphens, at most 60' })
    .optional(),
  MEDIA_HOST: z.string().default('127.0.0.1'),
  MEDIA_ADVERTISE: z.string().optional(),
  MEDIA_PORT: z.coerce.number({ error: 'must be a number' }).int().min(0).max(65_535).default(0),
  MEDIA_SWITCHES: commaSeparated.optional(),
  MEDIA_RTPENGINES: addresses.default([]),
  MEDIA_STOP_SECONDS: z.coerce.number({ error: 'must be a number' }).int().min(0).max(3_600).default(5),
  FLOW_HTTP_PRIVATE: yesOrNo.default(false),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  LOG_FILE: z.string().optional(),
  RETENTION_MONTHS: count.min(MIN_MONTHS_KEPT, { error: `must be ${MIN_MONTHS_KEPT} or more` }).optional(),
  ARCHIVE_FOLDER: z.string().optional(),
  SOUND_FOLDER: z.string().optional(),
  SOUND_KEY: soundKeys.optional(),
  SOUND_S3_URL: url(['http:', 'https:']).optional(),
  SOUND_S3_REGION: z.string().default('us-east-1'),
  SOUND_S3_KEY_ID: z.string().optional(),
  SOUND_S3_SECRET: z.string().optional(),
  /** The data folder, for disk metrics and sounds. Set by the launcher. */
  TRUNKLINE_DATA: z.string().optional(),
  /** URL of the sandbox mailbox. The launcher sets it in the demo profile. */
  SANDBOX_MAILBOX_URL: url(['http:']).optional(),
  /** Address of the sandbox carrier. The launcher sets it if there is a real switch. */
  SANDBOX_CARRIER: addresses.optional(),
  /** Source address of incoming calls of the sandbox. The launcher sets it if there is a real switch. */
  SANDBOX_NETWORK: addresses.optional(),
  /** Page that dials numbers as the public telephone network. The launcher sets it if there is a real switch. */
  SANDBOX_DIAL_URL: url(['http:']).optional(),
})

/** Defaults of the demo profile. Production has none. */
const demoDefaults = (port: string) => ({
  // The demo passwords are public, so by default only this machine can connect.
  HOST: 'localhost',
  PUBLIC_URL: `http://localhost:${port}`,
  SUPPORT_EMAIL: 'support@trunkline.example',
  SUPPORT_PHONE: '1-800-555-0199',
  SMTP_URL: 'smtp://127.0.0.1:1025',
  MAIL_FROM: 'Trunkline <no-reply@trunkline.example>',
  // The launcher overrides this with the port of its sandbox. Otherwise payments fail with an error.
  OXAPAY_BASE_URL: 'http://127.0.0.1:3002',
  OXAPAY_MERCHANT_KEY: 'sandbox-merchant-key',
  OXAPAY_TRIAL_UPGRADES: 'yes',
  CALLER_IDS: 'any',
})

export type Config = ReturnType<typeof loadConfig>

export class ConfigError extends Error {}

export function loadConfig(environment: Record<string, string | undefined>) {
  const isProduction = environment.NODE_ENV === 'production'
  // Empty variables count as missing, because unit files and compose files clear variables this way.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = settings.safeParse(
    isProduction ? given : { ...demoDefaults(given.PORT ?? '3000'), ...given },
  )
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => {
      const name = String(path[0])
      return `  ${name} ${given[name] === undefined ? 'is missing' : message}`
    })
    throw new ConfigError(`These settings need attention:\n${faults.join('\n')}`)
  }
  const value = parsed.data
  if (value.RETENTION_MONTHS && !value.ARCHIVE_FOLDER)
    throw new ConfigError(
      'These settings need attention:\n  ARCHIVE_FOLDER is missing: RETENTION_MONTHS needs it',
    )
  if ((value.TURN_URLS === undefined) !== (value.TURN_SECRET === undefined))
    throw new ConfigError('These settings need attention:\n  TURN_URLS and TURN_SECRET need each other')
  const fault = soundFault(value)
  if (fault) throw new ConfigError(`These settings need attention:\n  ${fault}`)
  return {
    profile: isProduction ? ('production' as const) : ('demo' as const),
    databaseUrl: value.DATABASE_URL,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL ?? null,
    databasePool: value.DATABASE_POOL,
    publicUrl: value.PUBLIC_URL,
    port: value.PORT,
    host: value.HOST,
    trustProxy: value.TRUST_PROXY,
    site: { name: value.SITE_NAME, support: { email: value.SUPPORT_EMAIL, phone: value.SUPPORT_PHONE } },
    mail: { smtpUrl: value.SMTP_URL, from: value.MAIL_FROM },
    oxapay: {
      baseUrl: value.OXAPAY_BASE_URL,
      merchantKey: value.OXAPAY_MERCHANT_KEY,
      isUpgradeTrial: value.OXAPAY_TRIAL_UPGRADES,
      timeoutMs: value.OXAPAY_TIMEOUT_MS,
    },
    sandboxMailboxUrl: value.SANDBOX_MAILBOX_URL ?? null,
    sandboxCarrier: value.SANDBOX_CARRIER?.[0] ?? null,
    sandboxNetwork: value.SANDBOX_NETWORK?.[0] ?? null,
    sandboxDialUrl: value.SANDBOX_DIAL_URL ?? null,
    sessions: { idleMs: value.SESSION_IDLE_DAYS * DAY, absoluteMs: value.SESSION_DAYS * DAY },
    registrationsPerHour: value.REGISTRATIONS_PER_HOUR,
    promoRedemptionsPerAddress: value.PROMO_REDEMPTIONS_PER_ADDRESS,
    sip: { realm: value.SIP_REALM, port: value.SIP_PORT, tlsPort: value.SIP_TLS_PORT },
    phoneSwitch: value.PHONE_SWITCH?.[0] ?? null,
    /** TURN servers of browser phones. `isOnly`: speech takes no other path. */
    turn:
      value.TURN_URLS && value.TURN_SECRET
        ? { urls: value.TURN_URLS, secret: value.TURN_SECRET, isOnly: value.TURN_ONLY }
        : null,
    callerIds: value.CALLER_IDS,
    /** Where the switches send the SIP messages of calls, and how long these are kept. 0 days turn the capture off. */
    sipTrace: { address: value.SIP_TRACE?.[0] ?? null, days: value.SIP_TRACE_DAYS },
    /** Hosts of the portal and the switches. Customers cannot claim them as trusted addresses. */
    ownHosts: [
      new URL(value.PUBLIC_URL).hostname,
      ...[...value.SWITCHES, ...(value.PHONE_SWITCH ?? [])].map((address) => address.replace(/:\d+$/, '')),
      ...(value.SIP_HOST?.split(',').map((host) => host.trim()) ?? []),
      ...(value.SIP_ADVERTISE ? [value.SIP_ADVERTISE] : []),
    ],
    calls: {
      switches: value.SWITCHES,
      sliceSeconds: value.CALL_SLICE_SECONDS,
      leadSeconds: value.CALL_LEAD_SECONDS,
      answerWithinMs: value.CALL_DECISION_MS,
    },
    media: {
      name:
        value.MEDIA_NAME ??
        `${hostname()
          .replace(/[^A-Za-z0-9._-]/g, '-')
          .slice(0, 50)}-media`,
      host: value.MEDIA_HOST,
      advertisedHost: value.MEDIA_ADVERTISE ?? value.MEDIA_HOST,
      port: value.MEDIA_PORT,
      /** Hosts that may send calls. This machine always may. */
      switches: value.MEDIA_SWITCHES ?? value.SWITCHES.map((address) => address.replace(/:\d+$/, '')),
      /** Control ports of rtpengine. Without one, dialed calls are not recorded. */
      rtpengines: value.MEDIA_RTPENGINES,
      stopWithinMs: value.MEDIA_STOP_SECONDS * SECOND,
      asksPrivateAddresses: value.FLOW_HTTP_PRIVATE,
    },
    /** Address of the health server. Null disables it. */
    healthServer:
      value.METRICS_PORT === undefined ? null : { port: value.METRICS_PORT, host: value.METRICS_HOST },
    log: { level: value.LOG_LEVEL, file: value.LOG_FILE ?? null },
    dataFolder: value.TRUNKLINE_DATA ?? null,
    archive: value.ARCHIVE_FOLDER
      ? { months: value.RETENTION_MONTHS ?? null, folder: value.ARCHIVE_FOLDER }
      : null,
    sounds: soundSettings(value),
  }
}

type Parsed = z.output<typeof settings>

function soundFault(value: Parsed): string | null {
  const s3 = [value.SOUND_S3_URL, value.SOUND_S3_KEY_ID, value.SOUND_S3_SECRET]
  if (s3.some((one) => one !== undefined) && s3.includes(undefined))
    return 'SOUND_S3_URL, SOUND_S3_KEY_ID and SOUND_S3_SECRET need each other'
  if (value.SOUND_FOLDER && !value.SOUND_KEY && !value.TRUNKLINE_DATA)
    return 'SOUND_KEY is missing: SOUND_FOLDER needs it, because there is no data folder for a generated key'
  return null
}

/** The storage of voicemail and recordings. Without a folder nothing is recorded. */
function soundSettings(value: Parsed) {
  const data = value.TRUNKLINE_DATA
  return {
    folder: value.SOUND_FOLDER ?? (data ? join(data, 'sounds') : null),
    keys: value.SOUND_KEY ?? [],
    /** Used without SOUND_KEY; created on first use. */
    keyFile: data ? join(data, 'sound.key') : null,
    s3:
      value.SOUND_S3_URL && value.SOUND_S3_KEY_ID && value.SOUND_S3_SECRET
        ? {
            url: value.SOUND_S3_URL,
            region: value.SOUND_S3_REGION,
            keyId: value.SOUND_S3_KEY_ID,
            secret: value.SOUND_S3_SECRET,
          }
        : null,
  }
}

/** For the test that compares the documentation with this list. */
export const settingNames = Object.keys(settings.shape)
