import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@trunkline/server/app/logger'
import { createCdrMonths } from '@trunkline/server/features/cdr/months'
import { systemClock } from '@trunkline/server/platform/clock'
import { openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate } from '@trunkline/server/platform/migrate'
import { sql } from 'kysely'
import { measureExport } from './cdr-export.ts'
import { type Figures, measureReading } from './cdr-reading.ts'
import { fillRecords } from './cdr-rows.ts'

/** Pages, search, totals, charts and export of call records, at growing numbers of them. See README.md. */

const asked = process.argv.slice(2).map(Number)
const sizes = asked.length > 0 ? asked : [100_000, 1_000_000, 10_000_000]

const folder = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
const postgres = await startEmbeddedPostgres(folder)
try {
  const results: Figures[] = []
  for (const size of sizes) {
    console.log(`${size.toLocaleString('en')} records`)
    results.push(await measureSize(size))
  }
  if (results.length > 1) printGrowth(results[0] as Figures, results.at(-1) as Figures)
} finally {
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

async function measureSize(size: number): Promise<Figures> {
  const url = await createDatabase(`records_${size}`)
  await migrate(url)
  const filling = openDatabase({ url, poolSize: 1, onError: () => {} })
  const began = performance.now()
  await fillRecords(filling, size, new Date())
  await createCdrMonths(filling, systemClock, createLogger({ level: 'silent', file: null })).tidy()
  await filling.destroy()
  console.log(`  filled in ${Math.round((performance.now() - began) / 1_000)} s`)
  const db = openDatabase({ url, poolSize: 4, onError: () => {} })
  try {
    const figures = await measureReading(db, url)
    await measureExport(db, url, size)
    return figures
  } finally {
    await db.destroy()
    await dropDatabase(`records_${size}`)
  }
}

function printGrowth(least: Figures, most: Figures): void {
  console.log(
    `growth of the median from ${sizes[0]?.toLocaleString('en')} to ${sizes.at(-1)?.toLocaleString('en')} records`,
  )
  for (const [name, p50Ms] of most)
    console.log(`  ${name.padEnd(52)} ${(p50Ms / (least.get(name) ?? p50Ms)).toFixed(2).padStart(7)}`)
}

async function createDatabase(name: string): Promise<string> {
  await atServer(`create database ${name}`)
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

/** The disk is not asked to hold one size beside the other. */
function dropDatabase(name: string): Promise<void> {
  return atServer(`drop database ${name} with (force)`)
}

async function atServer(statement: string): Promise<void> {
  const db = openDatabase({ url: postgres.url, poolSize: 1, onError: () => {} })
  try {
    await sql.raw(statement).execute(db)
  } finally {
    await db.destroy()
  }
}
