import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { loadConfig } from '@trunkline/server/app/config'
import { type Role, roles, startServer } from '@trunkline/server/main/start'
import { buildWeb } from './build-web.ts'
import { readPort } from './ports.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { explain, UserError } from './user-error.ts'

const MAX_NAME = 60
const USAGE = `Usage: ./trunkline run ${roles.join('|')}[-NAME] [--port N]`

/** `run api-1` runs one part of the server in its own process. */
export async function run(args: string[]): Promise<void> {
  const { name, role, port } = readOptions(args)
  const environment = {
    ...process.env,
    ...(port && { PORT: port }),
    ...(role === 'media' && { MEDIA_NAME: process.env.MEDIA_NAME || mediaName(name) }),
  }
  const { port: listenPort } = configOf(environment)
  try {
    if (role === 'api') await buildWeb()
    const server = await startServer(environment, [role])
    stopOnSignal(server.close)
  } catch (error) {
    throw explain(error, {
      port: listenPort,
      metricsPort: process.env.METRICS_PORT,
      databaseUrl: process.env.DATABASE_URL,
    })
  }
  process.stdout.write(`${name} is ready${role === 'api' ? ` on port ${listenPort}` : ''}.\n`)
}

/** Two media processes on one machine need different names. */
const mediaName = (name: string): string =>
  `${hostname()}-${name}`.replace(/[^A-Za-z0-9._-]/g, '-').slice(-MAX_NAME)

function configOf(environment: Record<string, string | undefined>) {
  // A single part starts neither the embedded database nor the sandbox.
  if (environment.NODE_ENV !== 'production')
    throw new UserError(
      '"./trunkline run" works in production only. Set NODE_ENV=production, or use ./trunkline start.',
    )
  try {
    return loadConfig(environment)
  } catch (error) {
    throw explain(error, { port: 0, databaseUrl: undefined })
  }
}

function readOptions(args: string[]): { name: string; role: Role; port: string | null } {
  let parsed: { values: { port?: string }; positionals: string[] }
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: { port: { type: 'string' } } })
  } catch {
    throw new UserError(USAGE)
  }
  const [name = '', ...more] = parsed.positionals
  const role = roles.find((one) => one === name.split('-')[0])
  if (!role || more.length > 0) throw new UserError(USAGE)
  const { port } = parsed.values
  return { name, role, port: port === undefined ? null : String(readPort('port', port)) }
}
