import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '@trunkline/server/app/config'
import { demoAccounts } from '@trunkline/server/app/demo'
import { type RunningServer, startServer } from '@trunkline/server/main/start'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { buildWeb } from './build-web.ts'
import { Complaint, explain } from './complaint.ts'
import { claimDataFolder } from './data-folder.ts'
import { giveDemoPast } from './demo-past.ts'
import { ensurePortIsFree } from './ports.ts'
import { startSandbox } from './sandbox.ts'

type Environment = Record<string, string | undefined>

/** Runs the whole product until it is told to stop. */
export async function start(args: string[]): Promise<void> {
  const { port, data } = readOptions(args)
  const environment: Environment = { ...process.env, PORT: String(port) }
  /** What was started, last first: that is the order in which it is stopped. */
  const running: Array<() => Promise<void>> = []
  const stopAll = async () => {
    for (const stop of running.splice(0).reverse()) await stop().catch(() => {})
  }
  stopOnSignal(stopAll)
  try {
    const server = await bringUp(environment, data, port, running)
    announce(server, environment, data)
  } catch (error) {
    await stopAll()
    throw explain(error, { port, databaseUrl: process.env.DATABASE_URL })
  }
}

async function bringUp(
  environment: Environment,
  data: string,
  port: number,
  running: Array<() => Promise<void>>,
): Promise<RunningServer> {
  const isDemo = environment.NODE_ENV !== 'production'
  if (!isDemo) loadConfig(environment) // names everything that is missing before anything is touched
  await ensurePortIsFree(port, environment.HOST || (isDemo ? 'localhost' : '0.0.0.0'))
  if (isDemo) {
    running.push(await claimDataFolder(data))
    environment.LOG_FILE ??= join(data, 'trunkline.log')
  }
  await buildWeb()
  if (!environment.DATABASE_URL) {
    const postgres = await startEmbeddedPostgres(join(data, 'database'))
    running.push(postgres.close)
    environment.DATABASE_URL = postgres.url
  }
  const sandbox = isDemo ? await startSandbox(join(data, 'sandbox'), port) : null
  if (sandbox) {
    running.push(sandbox.close)
    Object.assign(environment, { ...sandbox.settings, ...given(environment, Object.keys(sandbox.settings)) })
  }
  const server = await startServer(environment)
  running.push(server.close)
  if (sandbox && environment.SANDBOX_TRAFFIC !== 'off') {
    await giveDemoPast(server.config.databaseUrl, join(data, 'sandbox'))
    await sandbox.startTraffic()
  }
  return server
}

/** Settings that the user gave win over those of the sandbox. */
const given = (environment: Environment, names: string[]): Environment =>
  Object.fromEntries(names.filter((name) => environment[name]).map((name) => [name, environment[name]]))

function readOptions(args: string[]): { port: number; data: string } {
  let values: { port?: string; data?: string }
  try {
    values = parseArgs({ args, options: { port: { type: 'string' }, data: { type: 'string' } } }).values
  } catch (error) {
    throw new Complaint(
      `${error instanceof Error ? error.message : error}\nUsage: ./trunkline start [--port N] [--data DIR]`,
    )
  }
  const port = Number(values.port ?? (process.env.PORT || 3000))
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Complaint(
      `The port must be a number from 1 to 65535, not "${values.port ?? process.env.PORT}".`,
    )
  return { port, data: resolve(values.data ?? (process.env.TRUNKLINE_DATA || 'data')) }
}

/** Ctrl-C and SIGTERM stop everything in order; a second one does not wait. */
function stopOnSignal(stopAll: () => Promise<void>): void {
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
}

function announce({ config }: RunningServer, environment: Environment, data: string): void {
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
    )
  } else lines.push('Sign in as an administrator made with: ./trunkline admin create NAME')
  lines.push('', 'Stop with Ctrl-C.')
  process.stdout.write(`${lines.join('\n')}\n`)
}
