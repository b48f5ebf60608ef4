import type { Readable } from 'node:stream'
import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { Owner } from '@trunkline/domain/access'
import { allCountries } from '@trunkline/domain/countries'
import { type CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import { copyOut } from '../../platform/copy-out.ts'
import type { Database } from '../../platform/database.ts'
import { type CdrFilter, fits } from './filter-store.ts'

/** An export may take as long as this, for it goes no faster than its reader. */
const MOST_MS = 30 * 60_000

const countryNames = JSON.stringify(Object.fromEntries(allCountries.map(({ code, name }) => [code, name])))
const reasons = JSON.stringify(reasonTexts)

/**
 * A spreadsheet takes a cell that begins like this for a formula, and callers choose what they dial. The apostrophe makes it text.
 * Numbers are written without their +, which would do the same to each.
 */
const unarmed = (column: string) =>
  `case when ascii(${column}) in (${[...'\t\r+-=@'].map((sign) => sign.charCodeAt(0)).join(', ')})
        then '''' || ${column} else ${column} end`

/** Name and expression of each column. $zone stands for the time zone. */
const COLUMNS = [
  ['date', `to_char(started_at at time zone $zone, 'YYYY-MM-DD')`],
  ['time', `to_char(started_at at time zone $zone, 'HH24:MI:SS')`],
  ['caller', `case when caller_id = '' then ${unarmed('sip_account')} else caller_id end`],
  ['destination', `case when destination = '' then ${unarmed('dialed')} else destination end`],
  ['country', `'${escapeQuotes(countryNames)}'::jsonb ->> country`],
  ['duration', 'seconds'],
  ['cost', 'cost_micros * 0.000001'],
  ['status', 'status'],
  ['started_at', `to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`],
  ['reason', `'${escapeQuotes(reasons)}'::jsonb ->> reason`],
  ['route', unarmed('route_name')],
  ['sipiax', unarmed('sip_account')],
  ['src', `case when caller_id = '' then ${unarmed('sip_account')} else caller_id end`],
  ['real_sessiontime', 'seconds'],
  ['agent_bill', 'cost_micros * 0.000001'],
] as const
/** What a customer need not know. */
const ADMIN_COLUMNS = [
  ['buycost', 'buy_micros * 0.000001'],
  ['user_id', 'user_id'],
  ['trunk', unarmed('trunk_name')],
  ['switch', unarmed('switch_id')],
] as const

const columnsFor = (owner: Owner) => (owner.userId === null ? [...COLUMNS, ...ADMIN_COLUMNS] : COLUMNS)

/** The COPY statement of an export. */
export function csvStatement(db: Database, owner: Owner, filter: CdrFilter, timezone: string): string {
  const shown = columnsFor(owner).map(([, column]) =>
    column.replace('$zone', () => pg.escapeLiteral(timezone)),
  )
  const query = sql`
    select ${sql.raw(shown.join(', '))} from cdrs where ${fits(owner, filter)}
     order by started_at desc, call_id desc`
  return `copy (${withValues(query.compile(db))}) to stdout with (format csv)`
}

/** COPY takes no parameters: each value is written in place, quoted by the driver's own rules. */
function withValues({ sql: text, parameters }: CompiledQuery): string {
  return text.replace(/\$(\d+)/g, (_, number) => {
    const value = parameters[Number(number) - 1]
    if (typeof value === 'number' || typeof value === 'bigint') return String(value)
    if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
    return pg.escapeLiteral(String(value))
  })
}

function escapeQuotes(text: string): string {
  return text.replaceAll("'", "''")
}

export const copyCdrs = (
  db: Database,
  owner: Owner,
  url: string,
  filter: CdrFilter,
  timezone: string,
): Promise<Readable> =>
  copyOut(url, {
    statement: csvStatement(db, owner, filter, timezone),
    header: `${columnsFor(owner)
      .map(([name]) => name)
      .join(',')}\n`,
    timeoutMs: MOST_MS,
  })
