import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { claimDataFolder } from './data-folder.ts'
import { startEcho } from './echo.ts'
import { isSwitchInstalled } from './install-switch.ts'
import { anyRange, DEFAULT_RANGE, type PortRange } from './media-ports.ts'
import { isSipPortFree } from './ports.ts'
import { startSwitch } from './switch.ts'
import { UserError } from './user-error.ts'

type Environment = Record<string, string | undefined>

/** The switch that runs beside the portal, or why there is none. */
export type Telephony = {
  /** What the server has to know of it; empty without one. */
  settings: Record<string, string>
  /** For the person who started it. */
  words: string[]
  isRunning: boolean
  close(): Promise<void>
}

const DEFAULT_PORT = 5060
const REALM = 'trunkline'
/** Between the ports that are tried when the first is taken; each takes the next one too, for TLS. */
const PORT_STEP = 10
const MAX_TRIES = 200

const none = (...words: string[]): Telephony => ({
  settings: {},
  words,
  isRunning: false,
  close: async () => {},
})

/**
 * Starts Kamailio and rtpengine where they are installed. The demo does without when they cannot run; in production that
 * is a fault, because customers would wait for calls that never come.
 */
export async function startTelephony(
  environment: Environment,
  folder: string,
  askedPort: number | null,
): Promise<Telephony> {
  const isDemo = environment.NODE_ENV !== 'production'
  if (environment.TRUNKLINE_SWITCH === 'off') return none('No switch is started here (TRUNKLINE_SWITCH=off).')
  if (environment.SWITCHES) return none(`Switches: ${environment.SWITCHES}`)
  if (!isSwitchInstalled())
    return none(
      `Kamailio and rtpengine are not installed${isDemo ? ': all calls are made up by the demo switch' : ', so no calls can be made'}.`,
      'Install them with ./trunkline install-switch',
    )
  try {
    return await bringUp(environment, folder, askedPort, isDemo)
  } catch (error) {
    if (!isDemo || !(error instanceof UserError)) throw error
    return none(`${error.message}\nAll calls are made up by the demo switch.`)
  }
}

async function bringUp(
  environment: Environment,
  folder: string,
  askedPort: number | null,
  isDemo: boolean,
): Promise<Telephony> {
  const release = await claimDataFolder(folder)
  const echo = await startEcho()
  try {
    const host = environment.SIP_HOST || (isDemo ? '127.0.0.1' : '0.0.0.0')
    const hosts = host.split(',').map((one) => one.trim())
    const { port, words } = await choosePort(hosts, askedPort, isDemo)
    const secret = await secretOf(folder)
    const certificate = certificateOf(environment)
    const running = await startSwitch({
      runFolder: folder,
      secret,
      host: hosts,
      sipPort: port,
      // Of no interest to anybody else, unless another machine has to find it.
      controlPort: Number(environment.SIP_CONTROL_PORT ?? 0),
      // Unlike any other switch's, and the same after a restart: its calls are known by it.
      id:
        environment.SIP_SWITCH_ID ||
        `kamailio-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`,
      realm: environment.SIP_REALM || REALM,
      mediaPorts: mediaPortsOf(environment.SIP_MEDIA_PORTS, isDemo),
      ...(environment.SIP_ADVERTISE && { advertise: environment.SIP_ADVERTISE }),
      ...(certificate && { certificate }),
      wsPort: portOf('SIP_WS_PORT', environment) ?? null,
      phonePort: portOf('SIP_PHONE_PORT', environment) ?? 0,
      echoPort: echo.port,
      logLevel: logLevelOf(environment.SIP_LOG_LEVEL),
    })
    return {
      settings: {
        SWITCHES: `127.0.0.1:${running.controlPort}`,
        PHONE_SWITCH: `127.0.0.1:${running.phonePort}`,
        SIP_PORT: String(running.sipPort),
        ...(running.tlsPort !== null && { SIP_TLS_PORT: String(running.tlsPort) }),
      },
      words: [
        ...words,
        `SIP phones and PBXs    ${running.address}, port ${running.sipPort} (UDP, TCP)${running.tlsPort === null ? '' : ` or ${running.tlsPort} (TLS)`}`,
      ],
      isRunning: true,
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

/** The port asked for, or the usual one. Only a demo that nobody told a port moves on when it is taken. */
async function choosePort(
  hosts: readonly string[],
  asked: number | null,
  isDemo: boolean,
): Promise<{ port: number; words: string[] }> {
  const wanted = asked ?? DEFAULT_PORT
  if (await isSipPortFree(wanted, hosts)) return { port: wanted, words: [] }
  if (asked === null && isDemo)
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const port = DEFAULT_PORT + tries * PORT_STEP
      const words = [`Port ${DEFAULT_PORT} is in use here, so SIP is at ${port}.`]
      if (await isSipPortFree(port, hosts, 0)) return { port, words }
    }
  throw new UserError(
    `The SIP port ${wanted} (or ${wanted + 1}, for TLS) is in use. Choose another one with --sip-port.`,
  )
}

/** Known to the switch alone, and the same after a restart. */
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
  throw new UserError('SIP_TLS_KEY and SIP_TLS_CERTIFICATE belong together: give both or neither.')
}

function portOf(name: 'SIP_WS_PORT' | 'SIP_PHONE_PORT', environment: Environment): number | undefined {
  const text = environment[name]
  if (!text) return undefined
  const port = Number(text)
  if (!(Number.isInteger(port) && port >= 1 && port <= 65_535))
    throw new UserError(`${name} is a port such as 5066, not "${text}".`)
  return port
}

function logLevelOf(text: string | undefined): number {
  if (!/^[0-3]?$/.test(text ?? ''))
    throw new UserError(`SIP_LOG_LEVEL is a number from 0 to 3, not "${text}".`)
  return Number(text ?? 0)
}

/** Only a demo that nobody told its ports moves on when they are taken: firewalls know those of the others. */
function mediaPortsOf(text: string | undefined, isDemo: boolean): readonly PortRange[] {
  if (!text) return isDemo ? anyRange : [DEFAULT_RANGE]
  const [from = 0, to = 0] = text.split('-').map(Number)
  if (!(from >= 1024 && to <= 65_535 && to - from >= 10))
    throw new UserError(`SIP_MEDIA_PORTS is a range such as 20000-29999, not "${text}".`)
  return [{ from, to }]
}
