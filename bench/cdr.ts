import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@trunkline/server/app/logger'
import { createCdrMonths } from '@trunkline/server/features/calls/cdr/months'
import { systemClock } from '@trunkline/server/platform/clock'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate } from '@trunkline/server/platform/migrate'
import { sql } from 'kysely'
import { measureExport } from './cdr-export.ts'
import { type Figures, type Filled, measureReading } from './cdr-reading.ts'
import { fillFigures, fillRecords } from './cdr-rows.ts'

/** Pages, search, totals, charts and export at growing numbers of call records. See README.md. */

const asked = process.argv.slice(2).map(Number)
const sizes = asked.length > 0 ? asked : [100_000, 1_000_000, 10_000_000]

/** Figures without records are generated in a few minutes. */
const isAnalysis = process.env.BENCH_ONLY === 'analysis'
// A given folder keeps the records for the next run.
const kept = process.env.BENCH_FOLDER
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'trunkline-bench-')))
await mkdir(folder, { recursive: true })
// For generating. Reading does not depend on these settings.
const settings = { fsync: 'off', max_wal_size: '4GB', maintenance_work_mem: '512MB' }
const postgres = await startEmbeddedPostgres(folder, { settings })
const filled: Filled[] = []
try {
  for (const size of sizes) filled.push(await fill(size))
  // Waits for a signal file, so that other load can be stopped before the measurement.
  if (process.env.BENCH_WAIT_FOR) await appearanceOf(process.env.BENCH_WAIT_FOR)
  printReading(await measureReading(filled, isAnalysis ? 'analysis' : ''))
  for (const { size, db, url } of isAnalysis ? [] : filled) {
    console.log(`export of ${size.toLocaleString('en')} records`)
    await measureExport(db, url, size)
  }
} finally {
  for (const { db } of filled) await db.destroy()
  await postgres.close()
  if (!kept) await rm(folder, { recursive: true, force: true })
}

async function fill(size: number): Promise<Filled> {
  const url = await createDatabase(`${isAnalysis ? 'figures' : 'records'}_${size}`)
  await migrate(url)
  const filling = openDatabase({ url, poolSize: 1, onError: () => {} })
  const began = performance.now()
  const isNew = !(await isFilled(filling))
  if (isNew) await (isAnalysis ? fillFigures : fillRecords)(filling, size, new Date())
  await createCdrMonths(filling, systemClock, createLogger({ level: 'silent', file: null })).tidy()
  await filling.destroy()
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(`${size.toLocaleString('en')} records generated in ${seconds} s`)
  return { size, url, db: openDatabase({ url, poolSize: 4, onError: () => {} }) }
}

/** Prints medians in milliseconds, one column per size, and the ratio of the largest size to the smallest. */
function printReading(figures: readonly Figures[]): void {
  const [least, most] = [figures[0], figures.at(-1)]
  if (!least || !most) return
  const line = (name: string, columns: string[]) =>
    console.log(`${name.padEnd(50)}${columns.map((column) => column.padStart(12)).join('')}`)
  line('median, ms', [...sizes.map((size) => size.toLocaleString('en')), 'growth'])
  for (const name of least.keys()) {
    const [first = 0, last = 0] = [least.get(name), most.get(name)]
    line(name, [...figures.map((of) => (of.get(name) ?? 0).toFixed(2)), (last / first).toFixed(2)])
  }
  if (isAnalysis) return
  for (const whose of ['quiet account', 'busy account', 'everybody'])
    line(
      `ratio of a deep page to the first, ${whose}`,
      figures.map((of) =>
        ((of.get(`deep page, ${whose}`) ?? 0) / (of.get(`page, ${whose}`) ?? 0)).toFixed(2),
      ),
    )
}

async function appearanceOf(file: string): Promise<void> {
  console.log(`records generated; create ${file} to start the measurement`)
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 1_000))
}

/** The vacuum at the end counts the rows of the last table that is filled. */
async function isFilled(db: Database): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select reltuples::integer as count from pg_class where relname = 'figure_days'`.execute(db)
  return (rows[0]?.count ?? 0) > 0
}

async function createDatabase(name: string): Promise<string> {
  const { rows } = await atServer(`select from pg_database where datname = '${name}'`)
  if (rows.length === 0) await atServer(`create database ${name}`)
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

async function atServer(statement: string) {
  const db = openDatabase({ url: postgres.url, poolSize: 1, onError: () => {} })
  try {
    return await sql.raw(statement).execute(db)
  } finally {
    await db.destroy()
  }
}
