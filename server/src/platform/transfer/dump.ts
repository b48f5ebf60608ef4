import pg from 'pg'
import { copyOutOn } from '../copy-out.ts'
import { createClient } from '../primary.ts'

/** A snapshot of a whole database, read from the database or from a file. */
export type Dump = { outline: Outline; contents: AsyncIterable<Content> }

/** The structure that must exist before rows are loaded. */
export type Outline = {
  takenAt: string
  migrations: { number: number; checksum: string }[]
  /** Version of the job tables. Null if no worker has run yet. */
  jobsVersion: number | null
  /** Partitions of call records, including detached ones. */
  months: string[]
  archivedMonths: string[]
  sequences: { name: string; lastValue: string }[]
  /** Ordered by foreign keys: referenced tables come first. */
  tables: Table[]
}

export type Table = { schema: string; name: string; columns: string[] }

/** The rows of a table in COPY format, with a checksum to verify them after loading. */
export type Content = { table: Table; rows: AsyncIterable<Buffer>; proof(): Promise<Proof> }

/** Number of rows and the sum of their hashes, which does not depend on their order. */
export type Proof = { rows: number; fingerprint: string }

/** An error that the operator can fix. */
export class TransferRefusal extends Error {}

/** Fixed output formats for every server, and no timeouts. */
const SESSION = `
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8';
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`

export async function connect(url: string): Promise<pg.Client> {
  const client = createClient(url, {
    application_name: 'trunkline transfer',
    connectionTimeoutMillis: 10_000,
  })
  // A lost connection fails its query and also emits this event.
  client.on('error', () => {})
  await client.connect()
  await client.query(SESSION)
  return client
}

/** Reads a snapshot of a database. Other connections can keep writing. */
export async function dumpDatabase<Answer>(
  url: string,
  use: (dump: Dump) => Promise<Answer>,
): Promise<Answer> {
  const client = await connect(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    const outline = await readOutline(client)
    // Blocks migrations during the dump, but no reads or writes.
    await client.query(`lock table ${outline.tables.map(nameOf).join(', ')} in access share mode`)
    return await use({ outline, contents: readContents(client, outline.tables) })
  } finally {
    await client.end()
  }
}

async function* readContents(client: pg.Client, tables: readonly Table[]): AsyncGenerator<Content> {
  for (const table of tables) {
    // Older servers copy a partitioned table only with a query.
    const statement = `copy (select ${listOf(table.columns)} from ${nameOf(table)}) to stdout`
    yield {
      table,
      rows: await copyOutOn(client, { statement, header: '' }),
      proof: () => prove(client, table),
    }
  }
}

export async function prove(client: pg.Client, table: Table): Promise<Proof> {
  const { rows } = await client.query(
    `select count(*)::float8 as rows,
            coalesce(sum(('x' || left(md5(row(${listOf(table.columns)})::text), 15))::bit(60)::bigint), 0)::text as fingerprint
       from ${nameOf(table)}`,
  )
  return rows[0]
}

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

export const listOf = (columns: readonly string[]): string => columns.map(pg.escapeIdentifier).join(', ')

async function readOutline(client: pg.Client): Promise<Outline> {
  const all = async <Row>(text: string): Promise<Row[]> => (await client.query(text)).rows
  const { rows: found } = await client.query(
    `select to_regclass('public.migrations') is not null as is_ours, to_regclass('pgboss.version') is not null as has_jobs`,
  )
  if (!found[0].is_ours) throw new TransferRefusal('This database holds nothing of Trunkline yet.')
  const months = await all<{ name: string; attached: boolean }>(
    `select relname as name, relispartition as attached from pg_class
      where relnamespace = 'cdr_months'::regnamespace and relkind = 'r' and relname <> 'other' order by 1`,
  )
  const jobs = found[0].has_jobs ? await all<{ version: number }>('select version from pgboss.version') : []
  return {
    takenAt: new Date().toISOString(),
    migrations: await all('select number, checksum from migrations order by 1'),
    jobsVersion: jobs[0]?.version ?? null,
    months: months.filter(({ attached }) => attached).map(({ name }) => name),
    archivedMonths: months.filter(({ attached }) => !attached).map(({ name }) => name),
    sequences: await all(
      `select sequencename as name, last_value::text as "lastValue" from pg_sequences
        where schemaname = 'public' and last_value is not null order by 1`,
    ),
    tables: await readTables(client),
  }
}

/** All tables of Trunkline. Of the job tables, only those with pending jobs and schedules. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] | null }>(
    `select n.nspname as schema, c.relname as name,
            (select jsonb_agg(a.attname order by a.attnum) from pg_attribute as a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
            (select jsonb_agg(distinct t.relname) from pg_constraint as f join pg_class as t on t.oid = f.confrelid
              where f.conrelid = c.oid and f.contype = 'f' and t.oid <> c.oid) as needs
       from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition
        and (n.nspname in ('public', 'cdr_months') or n.nspname = 'pgboss' and c.relname in ('queue', 'schedule', 'job'))
        and not exists (select from pg_depend as d where d.objid = c.oid and d.deptype = 'e')
      order by n.nspname desc, c.relname`,
  )
  const ordered: Table[] = []
  const isReady = ({ needs }: { needs: string[] | null }) =>
    (needs ?? []).every((needed) => ordered.some(({ name }) => name === needed))
  for (let waiting = rows; waiting.length > 0; ) {
    const ready = waiting.filter(isReady)
    if (ready.length === 0) throw new Error('Tables have circular foreign keys')
    ordered.push(...ready.map(({ schema, name, columns }) => ({ schema, name, columns })))
    waiting = waiting.filter((table) => !ready.includes(table))
  }
  return ordered
}
