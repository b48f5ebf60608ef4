import type { Readable } from 'node:stream'
import { Refusal } from '@trunkline/contract/errors'
import { allCountries } from '@trunkline/domain/countries'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { type Copy, copyOut } from './copy-out.ts'
import { isInvalidParameter } from './database.ts'

/** Generous, because the reader sets the pace of an export. */
const MAX_MS = 30 * 60_000

/** Each export occupies a database connection. */
const MAX_EXPORTS = 8
const MAX_EXPORTS_EACH = 2

export type CsvColumn = readonly [name: string, expression: string]

/** The query, and for each column its name and SQL expression. */
export type CsvFile = {
  columns: readonly CsvColumn[]
  query: CompiledQuery
}

export type Exports = { begin(userId: number, file: CsvFile): Promise<Readable> }

/** Streams CSV exports of any length, with a limit on concurrent exports. */
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

/** COPY accepts no parameters, so values are inlined with the escape functions of pg. */
const withValues = ({ sql, parameters }: CompiledQuery): string =>
  sql.replace(/\$(\d+)/g, (_, number) => written(parameters[Number(number) - 1]))

function written(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `array[${value.map(written).join(', ')}]`
  return pg.escapeLiteral(String(value))
}

/**
 * Prevents CSV injection: spreadsheets run cells that start with these characters as formulas. The apostrophe marks the cell as
 * text. Phone numbers are exported without +, which would need an apostrophe too.
 */
export const escapeFormula = (column: string): string =>
  `case when ascii(${column}) in (${[...'\t\r+-=@'].map((sign) => sign.charCodeAt(0)).join(', ')})
        then '''' || ${column} else ${column} end`

/** Date and time in a time zone, in two columns. */
export function dateAndTime(column: string, timezone: string): CsvColumn[] {
  const local = `${column} at time zone ${pg.escapeLiteral(timezone)}`
  return [
    ['date', `to_char(${local}, 'YYYY-MM-DD')`],
    ['time', `to_char(${local}, 'HH24:MI:SS')`],
  ]
}
/** A timestamp in ISO 8601 format, UTC. */
export const isoTimestampOf = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** Micro-dollars as exact dollars. */
export const dollarsOf = (column: string): string => `${column} * 0.000001`

/** The word for the value of a column, such as the name of a country for its code. */
export const wordFor = (column: string, words: Readonly<Record<string, string>>): string =>
  `${pg.escapeLiteral(JSON.stringify(words))}::jsonb ->> ${column}`

export const countryNames = Object.fromEntries(allCountries().map(({ code, name }) => [code, name]))

/** For a `select` that returns the columns in their order. */
export const expressionsOf = (columns: readonly CsvColumn[]): RawBuilder<unknown> =>
  sql.raw(columns.map(([, expression]) => expression).join(', '))
