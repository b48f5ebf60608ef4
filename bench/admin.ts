import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '@trunkline/server/app/config'
import { createLogger } from '@trunkline/server/app/logger'
import { createServices, type Services } from '@trunkline/server/app/services'
import { systemClock } from '@trunkline/server/platform/clock'
import { openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate } from '@trunkline/server/platform/migrate'
import { sql } from 'kysely'
import { type Figures, measureAdministration } from './admin-reading.ts'
import { fillUsers, PAYMENTS_PER_USER } from './admin-rows.ts'

/** Lists, searches and cards of the admin panel at growing numbers of users and payments. See README.md. */

const asked = process.argv.slice(2).map(Number)
const sizes = asked.length > 0 ? asked : [2_000, 200_000]

const folder = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
const postgres = await startEmbeddedPostgres(folder)
const sized: { services: Services; size: number }[] = []
try {
  for (const size of sizes) sized.push({ size, services: await fill(size) })
  const results = await measureAdministration(sized)
  if (results.length > 1) printGrowth(results[0] as Figures, results.at(-1) as Figures)
} finally {
  for (const { services } of sized) await services.close()
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

async function fill(users: number): Promise<Services> {
  const url = await createDatabase(`users_${users}`)
  await migrate(url)
  const db = openDatabase({ url, poolSize: 1, onError: () => {} })
  const began = performance.now()
  await fillUsers(db, users, new Date())
  await db.destroy()
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(
    `${written(users)} users, ${written(users * PAYMENTS_PER_USER)} payments: filled in ${seconds} s`,
  )
  const logger = createLogger({ level: 'silent', file: null })
  return createServices(loadConfig({ DATABASE_URL: url }), systemClock, logger)
}

function printGrowth(least: Figures, most: Figures): void {
  console.log(`growth of the median from ${written(sizes[0] ?? 0)} to ${written(sizes.at(-1) ?? 0)} users`)
  for (const [name, p50Ms] of most)
    console.log(`  ${name.padEnd(44)} ${(p50Ms / (least.get(name) ?? p50Ms)).toFixed(2).padStart(7)}`)
}

async function createDatabase(name: string): Promise<string> {
  const db = openDatabase({ url: postgres.url, poolSize: 1, onError: () => {} })
  try {
    await sql.raw(`create database ${name}`).execute(db)
  } finally {
    await db.destroy()
  }
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

function written(count: number): string {
  return count.toLocaleString('en')
}
