import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoNumbers } from '@trunkline/sandbox/carriers/start'
import { loadConfig } from '@trunkline/server/app/config'
import { demoAccounts } from '@trunkline/server/app/demo'
import { type RunningServer, startServer } from '@trunkline/server/main/start'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { ensureProfile } from '@trunkline/server/platform/profile'
import { buildWeb } from './build-web.ts'
import { type CallControlProcess, startCallControlProcess } from './call-control.ts'
import { claimDataFolder, dataFolderOf } from './data-folder.ts'
import { hasEmbeddedDatabase } from './database.ts'
import { giveDemoPast } from './demo-past.ts'
import { ensurePortIsFree } from './ports.ts'
import { tellWhile } from './progress.ts'
import { startSandbox } from './sandbox.ts'
import { startTelephony, type Telephony } from './telephony.ts'
import { explain, refuseDatabaseUrl, UserError } from './user-error.ts'

type Options = { port: number; sipPort: number | null; data: string }
type Started = { server: RunningServer; telephony: Telephony }
type Environment = Record<string, string | undefined>

/** Runs the whole product until it is told to stop. */
export async function start(args: string[]): Promise<void> {
  const { port, sipPort, data } = readOptions(args)
  const environment: Environment = { ...process.env, PORT: String(port), TRUNKLINE_DATA: data }
  /** What was started, last first: that is the order in which it is stopped. */
  const running: Array<() => Promise<void>> = []
  const stopAll = async () => {
    for (const stop of running.splice(0).reverse()) await stop().catch(() => {})
  }
  stopOnSignal(stopAll)
  try {
    const started = await bringUp(environment, { data, port, sipPort }, running)
    announce(started, environment, data)
  } catch (error) {
    await stopAll()
    const { METRICS_PORT: metricsPort, DATABASE_URL: databaseUrl } = process.env
    throw explain(error, { port, metricsPort, databaseUrl, data })
  }
}

async function bringUp(
  environment: Environment,
  { data, port, sipPort }: Options,
  running: Array<() => Promise<void>>,
): Promise<Started> {
  const isDemo = environment.NODE_ENV !== 'production'
  if (!isDemo) loadConfig(environment) // names everything that is missing before anything is touched
  refuseDatabaseUrl('DATABASE_URL', environment.DATABASE_URL)
  await ensurePortIsFree(port, environment.HOST || (isDemo ? 'localhost' : '0.0.0.0'))
  const { METRICS_PORT: metricsPort, METRICS_HOST: metricsHost } = environment
  if (Number(metricsPort) > 0) await ensurePortIsFree(Number(metricsPort), metricsHost || '127.0.0.1')
  if (isDemo) {
    running.push(await claimDataFolder(data))
    environment.LOG_FILE ??= join(data, 'trunkline.log')
  }
  if (environment.DATABASE_URL) await ensureProfile(environment.DATABASE_URL, isDemo ? 'demo' : 'production')
  await buildWeb()
  if (!environment.DATABASE_URL) {
    const isNew = !hasEmbeddedDatabase(data)
    const postgres = await tellWhile(
      isNew ? 'Creating the database' : 'Starting the database',
      () => startEmbeddedPostgres(join(data, 'database')),
      { isBrief: !isNew },
    )
    running.push(postgres.close)
    environment.DATABASE_URL = postgres.url
  }
  const sandbox = isDemo ? await startSandbox(join(data, 'sandbox'), port, [Number(metricsPort)]) : null
  if (sandbox) running.push(sandbox.close)
  const telephony = await tellWhile(
    'Starting the switch',
    () => startTelephony(environment, join(data, 'switch'), sipPort),
    { isBrief: true },
  )
  running.push(telephony.close)
  const { SWITCHES: ownSwitch, ...sip } = telephony.settings
  Object.assign(environment, sip)
  // Its carriers do not exist: the demo's real calls go to a stand-in.
  if (sandbox && telephony.isRunning) environment.SANDBOX_CARRIER = sandbox.carrier
  if (ownSwitch) environment.SWITCHES = [ownSwitch, sandbox?.settings.SWITCHES].filter(Boolean).join(',')
  if (sandbox)
    Object.assign(environment, { ...sandbox.settings, ...given(environment, Object.keys(sandbox.settings)) })
  const server = await tellWhile('Starting the server', () => startParts(environment, running), {
    isBrief: true,
  })
  if (sandbox && environment.SANDBOX_TRAFFIC !== 'off') {
    await giveDemoPast(server.config.databaseUrl, join(data, 'sandbox'))
    await sandbox.startTraffic()
  }
  return { server, telephony }
}

/** The API and the worker in this process, call control in one of its own; the API stops first. */
async function startParts(
  environment: Environment,
  running: Array<() => Promise<void>>,
): Promise<RunningServer> {
  let control: CallControlProcess | null = null
  const server = await startServer(environment, ['api', 'worker'], () => control?.watchedAt() ?? null)
  running.push(server.close)
  control = await startCallControlProcess(environment)
  running.splice(-1, 0, control.close)
  return server
}

/** What the demo's carrier does is told by the end of the number. */
const testNumbers = [
  '  Any number of a demo route is answered with an echo. Make a SIP password under Make test Call.',
  ...demoNumbers.map(({ ending, what }) => `  A number that ends in ${ending} ${what}.`),
]

/** Settings that the user gave win over those of the sandbox. */
const given = (environment: Environment, names: string[]): Environment =>
  Object.fromEntries(names.filter((name) => environment[name]).map((name) => [name, environment[name]]))

function readOptions(args: string[]): Options {
  let values: { port?: string; 'sip-port'?: string; data?: string }
  try {
    values = parseArgs({
      args,
      options: { port: { type: 'string' }, 'sip-port': { type: 'string' }, data: { type: 'string' } },
    }).values
  } catch (error) {
    throw new UserError(
      `${error instanceof Error ? error.message : error}\nUsage: ./trunkline start [--port N] [--sip-port N] [--data DIR]`,
    )
  }
  const sipPort = values['sip-port'] || process.env.SIP_PORT
  return {
    port: readPort('port', values.port ?? (process.env.PORT || '3000')),
    sipPort: sipPort ? readPort('SIP port', sipPort) : null,
    data: dataFolderOf(values.data),
  }
}

export function readPort(name: string, text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError(`The ${name} must be a number from 1 to 65535, not "${text}".`)
  return port
}

/** Ctrl-C and SIGTERM stop everything in order; a second one does not wait. */
export function stopOnSignal(stopAll: () => Promise<void>): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(130)
    isStopping = true
    process.stderr.write('\nStopping ...\n')
    await stopAll()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Without a terminal it is the word of log rotation, which the server hears; with one, that the terminal is gone.
  process.on('SIGHUP', () => process.stdin.isTTY && stop())
}

function announce({ server: { config }, telephony }: Started, environment: Environment, data: string): void {
  const lines = [`Trunkline is ready at ${config.publicUrl}`]
  if (config.profile === 'demo') {
    lines.push('', 'This is the demo profile. Sign in as')
    for (const { username, password, role } of demoAccounts)
      lines.push(`  ${username.padEnd(6)} / ${password.padEnd(16)}  ${role}`)
    lines.push(
      '',
      `  Mail sent by the demo  ${environment.SANDBOX_MAILBOX_URL}`,
      `  Demo switch            ${environment.SANDBOX_SWITCH_URL}`,
      `  Data and log           ${data}`,
      ...telephony.words.map((line) => `  ${line}`),
    )
    if (telephony.isRunning) lines.push('', ...testNumbers)
  } else
    lines.push(...telephony.words, 'Sign in as an administrator made with: ./trunkline admin create NAME')
  lines.push('', 'Stop with Ctrl-C.')
  process.stdout.write(`${lines.join('\n')}\n`)
}
