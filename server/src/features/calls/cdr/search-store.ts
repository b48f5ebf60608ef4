import { sql } from 'kysely'
import { type Database, STATEMENT_TIMEOUT_MS } from '../../../platform/database.ts'
import { CALLER_ID, DEVICE, DIGIT_RUNS, FACTS, IS_POOR, MARGIN, SEARCHED } from './filter-store.ts'

const INDEXES = {
  /** For the search: trigrams and runs of digits. */
  numbers: `gin (${SEARCHED} gin_trgm_ops, (${DIGIT_RUNS}))`,
  /** For filters of administrators by a value. One GIN index answers any combination of its columns. */
  facts: `gin (${FACTS})`,
  /** For filters by a range. GIN would read everything above the lower bound and everything below the upper one. */
  callers: `btree (${CALLER_ID})`,
  devices: `btree (${DEVICE})`,
  margins: `btree (${MARGIN})`,
  /** Only calls with poor speech. */
  poor: 'btree (user_id, started_at)',
} as const
export type IndexKind = keyof typeof INDEXES
export const indexKinds = Object.keys(INDEXES) as IndexKind[]

/** A month's partition and its indexes of completed periods. */
export type SearchableMonth = {
  name: string
  begins: Date
  ends: Date
  indexes: { name: string; isValid: boolean }[]
}

export async function listSearchableMonths(db: Database): Promise<SearchableMonth[]> {
  const { rows } = await sql<
    Omit<SearchableMonth, 'indexes'> & { indexes: SearchableMonth['indexes'] | null }
  >`
    select c.relname as name, month at time zone 'UTC' as begins, (month + interval '1 month') at time zone 'UTC' as ends,
           (select jsonb_agg(jsonb_build_object('name', n.relname, 'isValid', x.indisvalid))
              from pg_index as x join pg_class as n on n.oid = x.indexrelid
             where x.indrelid = c.oid and n.relname ~ ('^' || c.relname || '_(search|numbers|facts|callers|devices|margins|poor)')) as indexes
      from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
     cross join lateral (select to_date(c.relname, '"m"YYYY_MM')::timestamp as month) as named
     where i.inhparent = 'cdrs'::regclass and c.relname ~ '^m[0-9]{4}_[0-9]{2}$'
     order by c.relname`.execute(db)
  return rows.map((row) => ({ ...row, indexes: row.indexes ?? [] }))
}

/** An index of the calls of a period, or of the whole month. */
export type WantedIndex = { kind: IndexKind; name: string; from: Date | null; to: Date | null }

/**
 * Creates an index on a month and drops those that it replaces. CONCURRENTLY does not block writers and cannot run in a transaction. An
 * ordinary drop would wait for every reader, such as an export, and all new records would wait behind it.
 */
export async function createSearchIndex(
  db: Database,
  month: SearchableMonth,
  { kind, name, from, to }: WantedIndex,
): Promise<void> {
  const dropped = (index: string) => sql`drop index concurrently if exists ${sql.id('cdr_months', index)}`
  const moment = (at: Date) => sql`${sql.lit(at.toISOString())}::timestamptz`
  const conditions = [
    ...(kind === 'poor' ? [sql.raw(IS_POOR)] : []),
    ...(from ? [sql`started_at >= ${moment(from)}`] : []),
    ...(to ? [sql`started_at < ${moment(to)}`] : []),
  ]
  const part = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  // An index of hours replaces only another one.
  const isReplaced = (other: string) =>
    other !== name && kindOf(other) === kind && (from === null || HOURS.test(other))
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      // An interrupted creation leaves an invalid index.
      await dropped(name).execute(connection)
      await sql`create index concurrently ${sql.id(name)} on ${sql.id('cdr_months', month.name)}
                  using ${sql.raw(INDEXES[kind])} ${part}`.execute(connection)
      for (const other of month.indexes)
        if (isReplaced(other.name)) await dropped(other.name).execute(connection)
      await sql`analyze ${sql.id('cdr_months', month.name)}`.execute(connection)
    } finally {
      await sql.raw(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}`).execute(connection)
    }
  })
}

/** The names of indexes of hours end with the day and the hour. */
const HOURS = /_\d\d_\d\d$/

/** The indexes of older releases are named `search`. */
const kindOf = (index: string): IndexKind =>
  indexKinds.find((kind) => index.includes(`_${kind}`)) ?? 'numbers'
