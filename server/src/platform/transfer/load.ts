import pg from 'pg'
import { copyInOn } from '../copy-in.ts'
import { jobTables } from '../jobs.ts'
import { MIGRATION_LOCK, MIGRATIONS_TABLE, readMigrations } from '../migrate.ts'
import { type Profile, profileOf, refuseOtherProfile } from '../profile.ts'
import {
  connect,
  type Dump,
  listOf,
  nameOf,
  type Outline,
  prove,
  readTables,
  type Table,
  TransferRefusal,
} from './dump.ts'

const OLDEST = 150_000

export type Loaded = { tables: number; rows: number; leftOut: string[]; profile: Profile | null }
export type OnTableLoaded = (table: string, rows: number) => void

/**
 * Loads a dump into an empty database in one transaction. A failure leaves the database empty. The checksum of each table
 * verifies its rows.
 */
export async function loadDump(
  url: string,
  { outline, contents }: Dump,
  onTable: OnTableLoaded,
  profile?: Profile,
): Promise<Loaded> {
  const client = await connect(url)
  try {
    await client.query('begin')
    // A portal that starts during the load waits for this lock.
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await refuseUnfit(client)
    await makeTables(client, outline)
    const known = new Map((await readTables(client)).map((table) => [nameOf(table), table]))
    await prepare(client, [...known.values()])
    const loaded: Loaded = { tables: 0, rows: 0, leftOut: [], profile: null }
    for await (const { table, rows, proof } of contents) {
      const name = `${table.schema}.${table.name}`
      if (!isTaken(table, known.get(nameOf(table)), outline)) {
        loaded.leftOut.push(name)
        for await (const _ of rows);
        await proof()
        continue
      }
      await copyInOn(client, `copy ${nameOf(table)} (${listOf(table.columns)}) from stdin`, rows)
      const wanted = await proof()
      const got = await prove(client, table)
      if (got.rows !== wanted.rows || got.fingerprint !== wanted.fingerprint)
        throw new TransferRefusal(
          `${name} did not arrive as it was: ${wanted.rows} rows were read, ${got.rows} written.`,
        )
      onTable(name, got.rows)
      loaded.tables++
      loaded.rows += got.rows
    }
    await conclude(client, outline)
    if (profile) await refuseOtherProfile(client, profile)
    loaded.profile = await profileOf(client)
    await client.query('commit')
    await client.query('analyze')
    return loaded
  } finally {
    await client.end()
  }
}

/** Skips foreign tables, and job tables of another version, which the next start creates. */
function isTaken(table: Table, here: Table | undefined, { jobsVersion }: Outline): boolean {
  if (!here) return false
  const unknown = table.columns.find((column) => !here.columns.includes(column))
  if (unknown !== undefined)
    throw new TransferRefusal(
      `Table ${table.name} has a column "${unknown}" that this release does not know.`,
    )
  return table.schema !== 'pgboss' || jobsVersion === JOBS_VERSION
}

/** Version of the tables that `jobTables` creates. */
const JOBS_VERSION = Number(
  /INSERT INTO pgboss\.version\(version\) VALUES \('(\d+)'\)/.exec(jobTables())?.[1],
)

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
           current_setting('server_encoding') as encoding, current_database() as name, current_user as role,
           pg_has_role(datdba, 'usage') as is_owned,
           (select n.nspname || '.' || c.relname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
             where n.nspname !~ '^(pg_|information_schema$)' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
               and not exists (select from pg_depend as d where d.objid = c.oid and d.deptype = 'e')
             order by 1 limit 1) as holds
      from pg_database where datname = current_database()`)
  const { number, version, encoding, name, role, is_owned, holds } = rows[0]
  if (number < OLDEST)
    throw new TransferRefusal(`The server is PostgreSQL ${version}. Trunkline needs 15 or newer.`)
  if (encoding !== 'UTF8')
    throw new TransferRefusal(`The database ${name} keeps text as ${encoding}. Make one with encoding UTF8.`)
  if (holds !== null)
    throw new TransferRefusal(`The database ${name} is not empty (it holds ${holds}). Give it an empty one.`)
  if (!is_owned)
    throw new TransferRefusal(
      `The role ${role} does not own the database ${name}: as a superuser run "alter database ${pg.escapeIdentifier(name)} owner to ${pg.escapeIdentifier(role)}".`,
    )
}

/** Creates the tables of the source's release. The next start applies newer migrations. */
async function makeTables(client: pg.Client, outline: Outline): Promise<void> {
  const migrations = await readMigrations()
  await client.query(MIGRATIONS_TABLE)
  for (const { number, checksum } of outline.migrations) {
    const migration = migrations.find((one) => one.number === number)
    if (!migration) throw new TransferRefusal('This was made by a newer Trunkline than this one.')
    if (migration.checksum !== checksum)
      throw new TransferRefusal(`This was made by another Trunkline: migration ${migration.name} differs.`)
    await client.query(migration.sql)
  }
  if (outline.jobsVersion === JOBS_VERSION) {
    await client.query(jobTables())
    // The SQL of pg-boss sets its own timeouts for the transaction.
    await client.query('set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  }
  for (const month of outline.months)
    await client.query(`select make_cdr_month(to_date($1, '"m"YYYY_MM')::timestamp at time zone 'UTC')`, [
      month,
    ])
  for (const month of outline.archivedMonths)
    await client.query(`create table cdr_months.${pg.escapeIdentifier(month)} (like cdrs including all)`)
}

/** Disables triggers, whose effects are part of the dump, and removes rows that migrations inserted. */
async function prepare(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await switchTriggers(client, 'disable')
  const ours = tables.filter(({ schema }) => schema === 'public')
  await client.query(`truncate ${ours.map(nameOf).join(', ')}`)
}

async function conclude(client: pg.Client, { sequences }: Outline): Promise<void> {
  await switchTriggers(client, 'enable')
  for (const { name, lastValue } of sequences)
    await client.query('select setval(to_regclass($1), $2)', [
      `public.${pg.escapeIdentifier(name)}`,
      lastValue,
    ])
}

async function switchTriggers(client: pg.Client, how: 'disable' | 'enable'): Promise<void> {
  const { rows } = await client.query(
    `select distinct c.relname as name from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows)
    await client.query(`alter table ${nameOf({ schema: 'public', name })} ${how} trigger user`)
}
