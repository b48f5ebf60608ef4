import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoNumbers } from '@trunkline/sandbox/carriers/start'
import { loadConfig } from '@trunkline/server/app/config'
import { demoAccounts } from '@trunkline/server/app/demo'
import { demoRentals } from '@trunkline/server/app/demo-numbers'
import { type RunningServer, startServer } from '@trunkline/server/main/start'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { ensureProfile } from '@trunkline/server/platform/profile'
import { buildWeb } from './build-web.ts'
import { dataFolderOf, lockDataFolder } from './data-folder.ts'
import { hasEmbeddedDatabase } from './database.ts'
import { importDemoHistory } from './demo-history.ts'
import { type PartProcess, startPartProcess } from './part-process.ts'
import { ensurePortIsFree, readPort } from './ports.ts'
import { showProgress } from './progress.ts'
import { startSandbox } from './sandbox.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { startTelephony, type Telephony } from './telephony.ts'
import { explain, refuseDatabaseUrl, UserError } from './user-error.ts'

type Options = { port: number; sipPort: number | null; data: string }
type Started = { server: RunningServer; telephony: Telephony }
type Environment = Record<string, string | undefined>

/** `start` runs the portal, its database and the switch until a signal stops it. */
export async function start(args: string[]): Promise<void> {
  const { port, sipPort, data } = readOptions(args)
  const environment: Environment = { ...process.env, PORT: String(port), TRUNKLINE_DATA: data }
  /** Stop functions in start order; `stopAll` calls the last one first. */
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
  if (!isDemo) loadConfig(environment) // reports every missing setting before anything starts
  refuseDatabaseUrl('DATABASE_URL', environment.DATABASE_URL)
  await ensurePortIsFree(port, environment.HOST || (isDemo ? 'localhost' : '0.0.0.0'))
  const { METRICS_PORT: metricsPort, METRICS_HOST: metricsHost } = environment
  if (Number(metricsPort) > 0) await ensurePortIsFree(Number(metricsPort), metricsHost || '127.0.0.1')
  if (isDemo) {
    running.push(await lockDataFolder(data))
    environment.LOG_FILE ??= join(data, 'trunkline.log')
  }
  if (environment.DATABASE_URL) await ensureProfile(environment.DATABASE_URL, isDemo ? 'demo' : 'production')
  await buildWeb()
  if (!environment.DATABASE_URL) {
    const isNew = !hasEmbeddedDatabase(data)
    const postgres = await showProgress(
      isNew ? 'Creating the database' : 'Starting the database',
      () => startEmbeddedPostgres(join(data, 'database')),
      { isBrief: !isNew },
    )
    running.push(postgres.close)
    environment.DATABASE_URL = postgres.url
  }
  const sandbox = isDemo ? await startSandbox(join(data, 'sandbox'), port, [Number(metricsPort)]) : null
  if (sandbox) running.push(sandbox.close)
  const telephony = await showProgress(
    'Starting the switch',
    () => startTelephony(environment, join(data, 'switch'), sipPort),
    { isBrief: true },
  )
  running.push(telephony.close)
  const { SWITCHES: ownSwitch, ...sip } = telephony.settings
  Object.assign(environment, sip)
  // The demo's trunks have no real carrier, so the test carrier answers real calls.
  if (sandbox && telephony.isRunning) {
    environment.SANDBOX_CARRIER = sandbox.carrier
    environment.SANDBOX_NETWORK = sandbox.network
    environment.SANDBOX_DIAL_URL = `${sandbox.settings.SANDBOX_SWITCH_URL}/public-network`
    await sandbox.setSwitch(`${telephony.host}:${telephony.settings.SIP_PORT}`, demoRentals)
  }
  if (ownSwitch) environment.SWITCHES = [ownSwitch, sandbox?.settings.SWITCHES].filter(Boolean).join(',')
  if (sandbox)
    Object.assign(environment, { ...sandbox.settings, ...given(environment, Object.keys(sandbox.settings)) })
  const server = await showProgress('Starting the server', () => startParts(environment, running), {
    isBrief: true,
  })
  if (sandbox && environment.SANDBOX_TRAFFIC !== 'off') {
    await importDemoHistory(server.config, join(data, 'sandbox'))
    await sandbox.startTraffic()
  }
  return { server, telephony }
}

/** Runs the API and the worker in this process, call control and media each in another one. The API stops first, then media. */
async function startParts(
  environment: Environment,
  running: Array<() => Promise<void>>,
): Promise<RunningServer> {
  const parts: { callcontrol?: PartProcess; media?: PartProcess } = {}
  const server = await startServer(environment, ['api', 'worker'], {
    callcontrol: () => parts.callcontrol?.metricsPort() ?? null,
    media: () => parts.media?.metricsPort() ?? null,
  })
  running.push(server.close)
  const names = ['callcontrol', 'media'] as const
  const results = await Promise.allSettled(
    names.map(async (name) => {
      parts[name] = await startPartProcess(name, environment)
    }),
  )
  for (const name of names) {
    const started = parts[name]
    if (started) running.splice(-1, 0, started.close)
  }
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return server
}

/** The test carrier chooses its behavior by the last two digits of the number. */
const testNumbers = [
  '  Calls to any number of a demo route reach an echo test. Create a SIP password under Make test Call.',
  ...demoNumbers.map(({ ending, what }) => `  A number ending in ${ending} ${what}.`),
]

/** Rings her phones and browsers. */
const alicesNumber = demoRentals[0].number.replace(/\D/g, '')

/** The user's own settings override those of the sandbox. */
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

function announce({ server: { config }, telephony }: Started, environment: Environment, data: string): void {
  const lines = [`Trunkline is ready at ${config.publicUrl}`]
  if (config.profile === 'demo') {
    lines.push('', 'This is the demo profile. Sign in as:')
    for (const { username, password, role } of demoAccounts)
      lines.push(`  ${username.padEnd(6)} / ${password.padEnd(16)}  ${role}`)
    lines.push(
      '',
      `  Mail sent by the demo  ${environment.SANDBOX_MAILBOX_URL}`,
      `  Demo switch            ${environment.SANDBOX_SWITCH_URL}`,
      ...(telephony.isRunning
        ? [`  Ring alice’s browser   ${environment.SANDBOX_DIAL_URL}?number=${alicesNumber}&dial=yes`]
        : []),
      `  Data and log           ${data}`,
      ...telephony.messages.map((line) => `  ${line}`),
    )
    if (telephony.isRunning) lines.push('', ...testNumbers)
  } else lines.push(...telephony.messages, 'To create an administrator, run: ./trunkline admin create NAME')
  lines.push('', 'Stop with Ctrl-C.')
  process.stdout.write(`${lines.join('\n')}\n`)
}
