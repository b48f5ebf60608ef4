import { ConfigError } from '@trunkline/server/app/config'
import { EmbeddedPostgresFault } from '@trunkline/server/platform/embedded-postgres'
import { DatabaseTooNew } from '@trunkline/server/platform/migrate'
import { WrongProfile } from '@trunkline/server/platform/profile'
import { TransferRefusal } from '@trunkline/server/platform/transfer/dump'

/** Something the user can mend: told in one clear line, without a stack. */
export class Complaint extends Error {}

type Context = {
  port: number
  metricsPort?: string | undefined
  databaseUrl: string | undefined
  data?: string
}

const toldAsTheyAre = [ConfigError, TransferRefusal, DatabaseTooNew, EmbeddedPostgresFault, WrongProfile]

/** Turns what a start may fail of into words; anything unforeseen stays as it is. */
export function explain(error: unknown, context: Context): unknown {
  if (isDiskFull(error))
    return new Complaint(`There is no space left for ${context.data ?? 'the data folder'}.`)
  if (toldAsTheyAre.some((kind) => error instanceof kind)) return new Complaint((error as Error).message)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isMetrics = error instanceof Error && 'port' in error && String(error.port) === context.metricsPort
  const port = isMetrics ? context.metricsPort : context.port
  const way = isMetrics ? 'METRICS_PORT' : '--port'
  if (code === 'EADDRINUSE') return new Complaint(`Port ${port} is in use. Choose another one with ${way}.`)
  if (code === 'EACCES' && error instanceof Error && 'port' in error)
    return new Complaint(`Port ${port} may not be opened by this user. Choose another one with ${way}.`)
  if (context.databaseUrl && isConnectionFault(code, error))
    return new Complaint(
      `The database at ${withoutPassword(context.databaseUrl)} does not answer: ${reason(error)}`,
    )
  return error
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && /ENOSPC|No space left on device/.test(error.message)

const isConnectionFault = (code: string, error: unknown): boolean =>
  /^(ECONN|ENOTFOUND|EHOST|ENET|EAI_|ETIMEDOUT|28|3D000|57P)/.test(code) ||
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
