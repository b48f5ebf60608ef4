import { incomingTexts, reasonTexts } from '@trunkline/contract/call-reasons'
import type { Owner } from '@trunkline/domain/access'
import { allCountries } from '@trunkline/domain/countries'
import { sql } from 'kysely'
import {
  type CsvFile,
  dateIn,
  dollarsOf,
  escapeFormula,
  isoTimestampOf,
  quoted,
  timeIn,
} from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { type CdrFilter, matchesFilter } from './filter-store.ts'

const countryNames = JSON.stringify(Object.fromEntries(allCountries().map(({ code, name }) => [code, name])))
const reasons = JSON.stringify(reasonTexts)
const incomingReasons = JSON.stringify({ ...reasonTexts, ...incomingTexts })
/** The SIP account of an incoming call is the called customer. */
const CALLER = `case when caller_id <> '' then caller_id when direction = 'in' then 'Withheld' else ${escapeFormula('sip_account')} end`

/** Numbers have no +, because spreadsheets would treat them as formulas. */
const columnsOf = (timezone: string) =>
  [
    ['date', dateIn('started_at', timezone)],
    ['time', timeIn('started_at', timezone)],
    ['caller', CALLER],
    ['destination', `case when destination = '' then ${escapeFormula('dialed')} else destination end`],
    ['country', `'${quoted(countryNames)}'::jsonb ->> country`],
    ['duration', 'seconds'],
    ['cost', dollarsOf('cost_micros')],
    ['status', 'status'],
    ['started_at', isoTimestampOf('started_at')],
    [
      'reason',
      `case direction when 'in' then '${quoted(incomingReasons)}'::jsonb ->> reason else '${quoted(reasons)}'::jsonb ->> reason end`,
    ],
    ['route', escapeFormula('route_name')],
    ['sipiax', escapeFormula('sip_account')],
    ['src', CALLER],
    ['real_sessiontime', 'seconds'],
    ['agent_bill', dollarsOf('cost_micros')],
  ] as const
/** Columns for administrators only. */
const ADMIN_COLUMNS = [
  ['buycost', dollarsOf('buy_micros')],
  ['user_id', 'user_id'],
  ['trunk', escapeFormula('trunk_name')],
  ['switch', escapeFormula('switch_id')],
  ['device', escapeFormula('device')],
] as const

/** At the end, because spreadsheets refer to columns by their position. */
const LATER_COLUMNS = [
  ['direction', 'direction'],
  ['caller_name', `nullif(${escapeFormula('caller_name')}, '')`],
] as const

export function fileOfCdrs(db: Database, owner: Owner, filter: CdrFilter, timezone: string): CsvFile {
  const columns = [...columnsOf(timezone), ...(owner.userId === null ? ADMIN_COLUMNS : []), ...LATER_COLUMNS]
  const query = sql`
    select ${sql.raw(columns.map(([, expression]) => expression).join(', '))} from cdrs
     where ${matchesFilter(owner, filter)} order by started_at desc, call_id desc`
  return { columns, query: query.compile(db) }
}
