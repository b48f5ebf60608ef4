import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataFolder } from './data-folder.ts'
import { startEcho } from './echo.ts'
import { isSwitchInstalled } from './install-switch.ts'
import { DEFAULT_RANGE, FALLBACK_RANGES, type PortRange } from './media-ports.ts'
import { isSipPortFree } from './ports.ts'
import { startSwitch } from './switch.ts'
import { freeUdpPort } from './switch-settings.ts'
import { UserError } from './user-error.ts'

type Environment = Record<string, string | undefined>

/** The switch of this machine, or the reason why none is running. */
export type Telephony = {
  /** The server's settings for this switch; empty without one. */
  settings: Record<string, string>
  /** Lines to print at startup. */
  messages: string[]
  isRunning: boolean
  /** The address to which phones and carriers on this machine send. */
  host: string
  close(): Promise<void>
}

const DEFAULT_PORT = 5060
const REALM = 'trunkline'
/** Step between the ports that the demo tries; each port also needs the next one, for TLS. */
const PORT_STEP = 10
const MAX_TRIES = 200

const none = (...messages: string[]): Telephony => ({
  settings: {},
  messages,
  isRunning: false,
  host: '',
  close: async () => {},
})

/**
 * Starts Kamailio and rtpengine if they are installed. If they fail to start, the demo runs without them; production
 * reports the error.
 */
export async function startTelephony(
  environment: Environment,
  folder: string,
  askedPort: number | null,
): Promise<Telephony> {
  const isDemo = environment.NODE_ENV !== 'production'
  if (environment.TRUNKLINE_SWITCH === 'off') return none('The switch is off (TRUNKLINE_SWITCH=off).')
  if (environment.SWITCHES) return none(`Switches: ${environment.SWITCHES}`)
  if (!isSwitchInstalled())
    return none(
      `Kamailio and rtpengine are not installed. ${isDemo ? 'All calls come from the demo switch' : 'No calls are possible'}.`,
      'To install them, run: ./trunkline install-switch',
    )
  try {
    return await bringUp(environment, folder, askedPort, isDemo)
  } catch (error) {
    if (!isDemo || !(error instanceof UserError)) throw error
    return none(`${error.message}\nAll calls come from the demo switch.`)
  }
}

async function bringUp(
  environment: Environment,
  folder: string,
  askedPort: number | null,
  isDemo: boolean,
): Promise<Telephony> {
  const release = await lockDataFolder(folder)
  const echo = await startEcho()
  try {
    const host = environment.SIP_HOST || (isDemo ? '127.0.0.1' : '0.0.0.0')
    const hosts = host.split(',').map((one) => one.trim())
    const { port, messages } = await choosePort(hosts, askedPort, isDemo)
    const secret = await secretOf(folder)
    const certificate = certificateOf(environment)
    const traceAddress = await traceAddressOf(environment)
    const rtpenginePort = portOf('SIP_RTPENGINE_PORT', environment)
    const running = await startSwitch({
      runFolder: folder,
      secret,
      host: hosts,
      sipPort: port,
      // Any free port, unless call control runs on another machine.
      controlPort: Number(environment.SIP_CONTROL_PORT ?? 0),
      // Unique and the same after a restart, because call control identifies calls by it.
      id:
        environment.SIP_SWITCH_ID ||
        `kamailio-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`,
      realm: environment.SIP_REALM || REALM,
      ...(rtpenginePort && { rtpenginePort }),
      mediaPorts: mediaPortsOf(environment.SIP_MEDIA_PORTS, isDemo),
      ...(environment.SIP_ADVERTISE && { advertise: environment.SIP_ADVERTISE }),
      ...(certificate && { certificate }),
      wsPort: portOf('SIP_WS_PORT', environment) ?? null,
      phonePort: portOf('SIP_PHONE_PORT', environment) ?? 0,
      echoPort: echo.port,
      ...(traceAddress && { traceAddress }),
      logLevel: logLevelOf(environment.SIP_LOG_LEVEL),
    })
    return {
      settings: {
        SWITCHES: `127.0.0.1:${running.controlPort}`,
        PHONE_SWITCH: `127.0.0.1:${running.phonePort}`,
        MEDIA_RTPENGINES: `127.0.0.1:${running.rtpenginePort}`,
        SIP_PORT: String(running.sipPort),
        ...(traceAddress && { SIP_TRACE: traceAddress }),
        ...(running.tlsPort !== null && { SIP_TLS_PORT: String(running.tlsPort) }),
      },
      messages: [
        ...messages,
        `SIP phones and PBXs    ${running.address}, port ${running.sipPort} (UDP, TCP)${running.tlsPort === null ? '' : ` or ${running.tlsPort} (TLS)`}`,
      ],
      isRunning: true,
      host: hosts[0] === '0.0.0.0' ? '127.0.0.1' : (hosts[0] ?? ''),
      async close() {
        await running.close()
        await echo.close()
        await release()
      },
    }
  } catch (error) {
    await echo.close()
    await release()
    throw error
  }
}

/**
 * Where the switch sends the SIP messages of calls: a free loopback port that call control gets too. A switch without call control on this
 * machine needs the address of one.
 */
async function traceAddressOf({
  SIP_TRACE: given,
  SIP_TRACE_DAYS: days,
  SIP_CONTROL_PORT: isAlone,
}: Environment): Promise<string | null> {
  if (days && Number(days) === 0) return null
  return given || (isAlone ? null : `127.0.0.1:${await freeUdpPort()}`)
}

/** The given port, or 5060. Only a demo without a given port tries other ports. */
async function choosePort(
  hosts: readonly string[],
  asked: number | null,
  isDemo: boolean,
): Promise<{ port: number; messages: string[] }> {
  const wanted = asked ?? DEFAULT_PORT
  if (await isSipPortFree(wanted, hosts)) return { port: wanted, messages: [] }
  if (asked === null && isDemo)
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const port = DEFAULT_PORT + tries * PORT_STEP
      const messages = [`Port ${DEFAULT_PORT} is in use. SIP uses port ${port} instead.`]
      if (await isSipPortFree(port, hosts, 0)) return { port, messages }
    }
  throw new UserError(
    `SIP port ${wanted} or ${wanted + 1} (for TLS) is in use. Choose another port with --sip-port.`,
  )
}

/** Kept in a file, so that a restart does not change it. */
async function secretOf(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'switch.secret')
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return (await readFile(file, 'utf8')).trim()
}

function certificateOf(environment: Environment): { key: string; certificate: string } | null {
  const { SIP_TLS_KEY: key, SIP_TLS_CERTIFICATE: certificate } = environment
  if (!key && !certificate) return null
  if (key && certificate) return { key, certificate }
  throw new UserError('Set both SIP_TLS_KEY and SIP_TLS_CERTIFICATE, or neither.')
}

type PortSetting = 'SIP_WS_PORT' | 'SIP_PHONE_PORT' | 'SIP_RTPENGINE_PORT'

function portOf(name: PortSetting, environment: Environment): number | undefined {
  const text = environment[name]
  if (!text) return undefined
  const port = Number(text)
  if (!(Number.isInteger(port) && port >= 1 && port <= 65_535))
    throw new UserError(`${name} must be a port such as 5066, not "${text}".`)
  return port
}

function logLevelOf(text: string | undefined): number {
  if (!/^[0-3]?$/.test(text ?? ''))
    throw new UserError(`SIP_LOG_LEVEL must be a number from 0 to 3, not "${text}".`)
  return Number(text ?? 0)
}

/** Only a demo without given ports tries other ranges: elsewhere a firewall depends on them. */
function mediaPortsOf(text: string | undefined, isDemo: boolean): readonly PortRange[] {
  if (!text) return isDemo ? FALLBACK_RANGES : [DEFAULT_RANGE]
  const [from = 0, to = 0] = text.split('-').map(Number)
  if (!(from >= 1024 && to <= 65_535 && to - from >= 10))
    throw new UserError(`SIP_MEDIA_PORTS must be a range such as 20000-29999, not "${text}".`)
  return [{ from, to }]
}
