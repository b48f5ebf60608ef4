import { ConfigError, databaseUrlFault } from '@trunkline/server/app/config'
import { LogFault } from '@trunkline/server/app/log-file'
import { ArchiveRefusal } from '@trunkline/server/main/archive'
import { EmbeddedPostgresFault } from '@trunkline/server/platform/embedded-postgres'
import { DatabaseTooNew } from '@trunkline/server/platform/migrate'
import { TransactionPooling } from '@trunkline/server/platform/pooler'
import { WrongProfile } from '@trunkline/server/platform/profile'
import { TransferRefusal } from '@trunkline/server/platform/transfer/dump'

/** Something the user can mend: told in one clear line, without a stack. */
export class UserError extends Error {}

type Context = {
  port: number
  metricsPort?: string | undefined
  databaseUrl: string | undefined
  data?: string
}

const toldAsTheyAre = [
  ConfigError,
  TransferRefusal,
  DatabaseTooNew,
  EmbeddedPostgresFault,
  WrongProfile,
  LogFault,
  TransactionPooling,
  ArchiveRefusal,
]

/** Turns what a start may fail of into words; anything unforeseen stays as it is. */
export function explain(error: unknown, context: Context): unknown {
  if (isDiskFull(error))
    return new UserError(`There is no space left for ${context.data ?? 'the data folder'}.`)
  if (toldAsTheyAre.some((kind) => error instanceof kind)) return new UserError((error as Error).message)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isMetrics = error instanceof Error && 'port' in error && String(error.port) === context.metricsPort
  const port = isMetrics ? context.metricsPort : context.port
  const way = isMetrics ? 'METRICS_PORT' : '--port'
  const hint = isMetrics || process.env.NODE_ENV === 'production' ? '' : DEMO_PORTS
  if (code === 'EADDRINUSE')
    return new UserError(`Port ${port} is in use. Choose another one with ${way}.${hint}`)
  if (code === 'EACCES' && error instanceof Error && 'port' in error)
    return new UserError(`Port ${port} may not be opened by this user. Choose another one with ${way}.`)
  if (context.databaseUrl && code === MAY_NOT)
    return new UserError(
      `The role may not change the database at ${withoutPassword(context.databaseUrl)}: ${reason(error)}. It has to own the database: as a superuser run "alter database NAME owner to ROLE".`,
    )
  if (context.databaseUrl && isConnectionFault(code, error))
    return new UserError(
      `The database at ${withoutPassword(context.databaseUrl)} does not answer: ${reason(error)}`,
    )
  return error
}

const DEMO_PORTS = ' A demo also takes the three ports after its own, where they are free.'

/** PostgreSQL's code for rights that are missing. */
const MAY_NOT = '42501'

/** An address that leads to no single PostgreSQL is refused before anybody tries to connect. */
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
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port || 5432}${pathname}`
}
