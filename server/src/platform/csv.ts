import type { Readable } from 'node:stream'
import { Refusal } from '@trunkline/contract/errors'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { type Copy, copyOut } from './copy-out.ts'
import { isInvalidParameter } from './database.ts'

/** An export may take as long as this, for it goes no faster than its reader. */
const MAX_MS = 30 * 60_000

/** Each export has a connection of its own for as long as its reader takes. */
const MAX_EXPORTS = 8
const MAX_EXPORTS_EACH = 2

/** Which rows, in which columns: the name of each and its expression. */
export type CsvFile = {
  columns: readonly (readonly [name: string, expression: string])[]
  query: CompiledQuery
}

export type Exports = { begin(userId: number, file: CsvFile): Promise<Readable> }

/** Files of any length, a few at a time. */
export function createExports(databaseUrl: string): Exports {
  const exporting: number[] = []
  return {
    async begin(userId, file) {
      const own = exporting.filter((other) => other === userId)
      if (exporting.length >= MAX_EXPORTS || own.length >= MAX_EXPORTS_EACH)
        throw new Refusal('too_many_requests')
      exporting.push(userId)
      const done = () => exporting.splice(exporting.indexOf(userId), 1)
      try {
        const rows = await copyOut(databaseUrl, copyOf(file))
        rows.once('close', done)
        return rows
      } catch (error) {
        done()
        throw isInvalidParameter(error) ? new Refusal('invalid_input') : error
      }
    },
  }
}

export const copyOf = ({ columns, query }: CsvFile): Copy => ({
  statement: `copy (${withValues(query)}) to stdout with (format csv)`,
  header: `${columns.map(([name]) => name).join(',')}\n`,
  timeoutMs: MAX_MS,
})

/** COPY takes no parameters: each value is written in place, quoted by the driver's own rules. */
const withValues = ({ sql, parameters }: CompiledQuery): string =>
  sql.replace(/\$(\d+)/g, (_, number) => written(parameters[Number(number) - 1]))

function written(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `array[${value.map(written).join(', ')}]`
  return pg.escapeLiteral(String(value))
}

/**
 * A spreadsheet takes a cell that begins like this for a formula, and people choose what they write. The apostrophe makes it text.
 * Telephone numbers are written without their +, which would do the same to each.
 */
export const unarmed = (column: string): string =>
  `case when ascii(${column}) in (${[...'\t\r+-=@'].map((sign) => sign.charCodeAt(0)).join(', ')})
        then '''' || ${column} else ${column} end`

/** A moment on the wall of somebody, in two columns. */
export const dateIn = (column: string, timezone: string): string =>
  `to_char(${column} at time zone ${pg.escapeLiteral(timezone)}, 'YYYY-MM-DD')`
export const timeIn = (column: string, timezone: string): string =>
  `to_char(${column} at time zone ${pg.escapeLiteral(timezone)}, 'HH24:MI:SS')`
/** A moment as every program reads it. */
export const momentOf = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** Micro-dollars as dollars, exactly. */
export const dollarsOf = (column: string): string => `${column} * 0.000001`

/** A text that must not end its quotes. */
export const quoted = (text: string): string => text.replaceAll("'", "''")
