import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Bounds, type Measured, measure } from './measure.ts'

/**
 * Baseline: a minimal durable money transaction that updates one row and inserts another. It is measured as two statements and as one
 * statement; the faster form counts.
 */
const FORMS = {
  'begin, update, insert, commit': `\\set id random(1, :accounts)
begin;
update baseline_accounts set balance = balance - 1 where id = :id;
insert into baseline_entries (account, amount) values (:id, -1);
commit;
`,
  'one statement': `\\set id random(1, :accounts)
with changed as (update baseline_accounts set balance = balance - 1 where id = :id returning id)
insert into baseline_entries (account, amount) select id, -1 from changed;
`,
}

const TABLES = `
  create table baseline_accounts (id integer primary key, balance bigint not null) with (fillfactor = 50);
  create table baseline_entries (id bigint generated always as identity primary key, account integer, amount bigint);
  insert into baseline_accounts select n, 0 from generate_series(1, 1000) as n;`

export type Yardstick = { tool: string; form: string; measured: Measured }

export async function prepareTables(url: string, statements: string, vacuumed: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.query(`vacuum analyze ${vacuumed}`)
  await client.end()
}

export async function prepareYardstick(url: string): Promise<void> {
  await prepareTables(url, TABLES, 'baseline_accounts')
}

export async function measureYardstick(
  url: string,
  accounts: number,
  clients: number,
  seconds: number,
): Promise<Yardstick[]> {
  const pgbench = await findPgbench()
  if (!pgbench) return [await throughTheDriver(url, accounts, clients, seconds)]
  const results: Yardstick[] = []
  for (const [form, script] of Object.entries(FORMS))
    results.push({
      tool: 'pgbench',
      form,
      measured: await runPgbench(pgbench, url, script, accounts, clients, seconds),
    })
  return results
}

export async function findPgbench(): Promise<string | null> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const installed = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((v) => `/usr/lib/postgresql/${v}/bin/pgbench`)
  for (const candidate of [...installed, 'pgbench']) {
    const works = await promisify(execFile)(candidate, ['--version']).catch(() => null)
    if (works) return candidate
  }
  return null
}

export async function runPgbench(
  pgbench: string,
  url: string,
  script: string,
  accounts: number,
  clients: number,
  seconds: number,
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
  try {
    await writeFile(join(folder, 'two-row.sql'), script)
    // The third field of the transaction log is the latency in microseconds.
    const { stdout } = await promisify(execFile)(
      pgbench,
      [
        ...['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)],
        ...['-D', `accounts=${accounts}`, '-f', 'two-row.sql', '-l', '--log-prefix=latency', url],
      ],
      { cwd: folder },
    )
    const took: number[] = []
    for (const name of await readdir(folder))
      if (name.startsWith('latency')) took.push(...(await readLatencies(join(folder, name))))
    took.sort((left, right) => left - right)
    const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0) / 1_000
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0)
    return { perSecond, count: took.length, p50Ms: at(0.5), p99Ms: at(0.99) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readLatencies(file: string): Promise<number[]> {
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => Number(line.split(' ')[2]))
}

/** Without pgbench: the faster form through the ledger's driver, which slows the baseline down. */
async function throughTheDriver(
  url: string,
  accounts: number,
  clients: number,
  seconds: number,
): Promise<Yardstick> {
  const pool = new pg.Pool({ connectionString: url, max: clients })
  const bounds: Bounds = { workers: clients, mostSteps: Number.POSITIVE_INFINITY, mostMs: seconds * 1_000 }
  try {
    const measured = await measure(bounds, async (index) => {
      await pool.query({
        name: 'baseline',
        text: `with changed as (update baseline_accounts set balance = balance - 1 where id = $1 returning id)
               insert into baseline_entries (account, amount) select id, -1 from changed`,
        values: [(index % accounts) + 1],
      })
    })
    return { tool: 'node-postgres (pgbench was not found)', form: 'one statement', measured }
  } finally {
    await pool.end()
  }
}
