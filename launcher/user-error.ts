import { ConfigError, databaseUrlFault } from '@trunkline/server/app/config'
import { LogFault } from '@trunkline/server/app/log-file'
import { ArchiveRefusal } from '@trunkline/server/main/archive'
import { EmbeddedPostgresFault } from '@trunkline/server/platform/embedded-postgres'
import { DatabaseTooNew } from '@trunkline/server/platform/migrate'
import { TransactionPooling } from '@trunkline/server/platform/pooler'
import { NoPrimary, splitHosts } from '@trunkline/server/platform/primary'
import { WrongProfile } from '@trunkline/server/platform/profile'
import { TransferRefusal } from '@trunkline/server/platform/transfer/dump'

/** An error that the user can fix; printed without a stack trace. */
export class UserError extends Error {}

type Context = {
  port: number
  metricsPort?: string | undefined
  databaseUrl: string | undefined
  data?: string
}

const userErrors = [
  ConfigError,
  TransferRefusal,
  DatabaseTooNew,
  EmbeddedPostgresFault,
  WrongProfile,
  LogFault,
  TransactionPooling,
  NoPrimary,
  ArchiveRefusal,
]

/** Converts known errors to a UserError; returns any other error unchanged. */
export function explain(error: unknown, context: Context): unknown {
  if (isDiskFull(error))
    return new UserError(
      `The disk of ${context.data ?? 'the data folder'} is full. Free some space and try again.`,
    )
  if (userErrors.some((kind) => error instanceof kind)) return new UserError((error as Error).message)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isMetrics = error instanceof Error && 'port' in error && String(error.port) === context.metricsPort
  const port = isMetrics ? context.metricsPort : context.port
  const setting = isMetrics ? 'METRICS_PORT' : '--port'
  const hint = isMetrics || process.env.NODE_ENV === 'production' ? '' : DEMO_PORTS
  if (code === 'EADDRINUSE')
    return new UserError(`Port ${port} is in use. Choose another port with ${setting}.${hint}`)
  if (code === 'EACCES' && error instanceof Error && 'port' in error)
    return new UserError(
      `This user is not allowed to open port ${port}. Choose another port with ${setting}.`,
    )
  if (context.databaseUrl && code === INSUFFICIENT_PRIVILEGE)
    return new UserError(
      `The role cannot change the database at ${withoutPassword(context.databaseUrl)}: ${reason(error)}. The role must own the database. As a superuser, run "alter database NAME owner to ROLE".`,
    )
  if (context.databaseUrl && isConnectionFault(code, error))
    return new UserError(
      `Cannot connect to the database at ${withoutPassword(context.databaseUrl)}: ${reason(error)}. Check that it is running and that the address is right.`,
    )
  return error
}

const DEMO_PORTS = ' A demo also uses the next three ports, if they are free.'

/** PostgreSQL's error code insufficient_privilege. */
const INSUFFICIENT_PRIVILEGE = '42501'

/** Rejects a malformed address before connecting. */
export function refuseDatabaseUrl(name: string, url: string | undefined): void {
  const fault = url ? databaseUrlFault(url) : null
  if (fault !== null) throw new UserError(`${name} ${fault}.`)
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && /ENOSPC|No space left on device/.test(error.message)

const isConnectionFault = (code: string, error: unknown): boolean =>
  /^(ECONN|ENOTFOUND|EHOST|ENET|EAI_|ETIMEDOUT|08|28|3D000|53300|57P)/.test(code) ||
  (error instanceof Error && /timeout|terminated/i.test(error.message))

const reason = (error: unknown): string =>
  error instanceof AggregateError
    ? reason(error.errors[0])
    : error instanceof Error
      ? error.message
      : String(error)

export function withoutPassword(url: string): string {
  const urls = splitHosts(url).map((one) => new URL(one))
  const hosts = urls.map(({ hostname, port }) => `${hostname}:${port || 5432}`)
  return `${hosts.join()}${urls[0]?.pathname}`
}
