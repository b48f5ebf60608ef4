import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSwitchConnector } from '@trunkline/server/adapters/switch-connection'
import { createBooks, describeBooks } from '@trunkline/server/features/calls/books/check-books'
import { holdsOfLiveCalls } from '@trunkline/server/features/calls/books/live-holds-store'
import { createCallControl } from '@trunkline/server/features/calls/callcontrol/service'
import { SESSION } from '@trunkline/server/features/calls/callcontrol/statements-store'
import { createAnnouncer } from '@trunkline/server/features/calls/live-calls/announcer'
import { createLedger } from '@trunkline/server/features/money/ledger/service'
import { systemClock } from '@trunkline/server/platform/clock'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { createMetrics } from '@trunkline/server/platform/metrics'
import { migrate } from '@trunkline/server/platform/migrate'
import { systemTimers } from '@trunkline/server/platform/timers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { fund } from './fund.ts'
import { measurePlainCalls, preparePlainCalls } from './plain-calls.ts'
import type { Order, Report } from './switch-peer.ts'

/** Authorizations and complete calls per second through call control, compared with plain transactions. See README.md. */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
const CALLERS = Number(process.env.BENCH_CALLS ?? 128)
const POOL = 8
const ACCOUNTS = 1_000

const folder = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
// Durable, as in production: a call is allowed after its hold is on disk.
const postgres = await startEmbeddedPostgres(folder)
const db = openDatabase({ url: postgres.url, poolSize: POOL, onError: () => {}, settings: SESSION })
const logger = pino({ level: process.env.BENCH_LOG ?? 'silent' })
await migrate(postgres.url)
await preparePlainCalls(postgres.url)
await fundCallers(db)
const peer = await startPeer()
const control = createCallControl({
  db,
  databaseUrl: postgres.url,
  clock: systemClock,
  timers: systemTimers,
  logger,
  metrics: createMetrics(),
  ledger: createLedger(db, systemClock),
  announcer: createAnnouncer(db, () => {}),
  alerts: { raise: async () => {}, raiseWithin: async () => {}, close: async () => {} },
  trunkTests: { reply: async () => {} },
  connect: createSwitchConnector({ logger }),
  settings: {
    switches: [`127.0.0.1:${peer.port}`],
    sliceSeconds: 60,
    leadSeconds: 20,
    realm: 'trunkline',
    callerIds: 'any',
    answerWithinMs: 800,
    deadAfterMs: 60_000,
  },
})
await control.start()
const stopTicking = systemTimers.every(1_000, () => control.tick())
try {
  const { rows } = await sql<{ version: string }>`select version()`.execute(db)
  console.log(
    `${rows[0]?.version.split(' on ')[0]}, fsync on, ${POOL} connections, ${CALLERS} calls at once\n`,
  )
  for (const [name, accounts] of [
    ['one hot account', 1],
    [`${ACCOUNTS} accounts`, ACCOUNTS],
  ] as const) {
    console.log(name)
    for (const kind of ['authorize', 'whole'] as const) {
      const plain = await measurePlainCalls(postgres.url, kind, accounts, POOL, SECONDS)
      const report = await peer.run({ kind, users: accounts, callers: CALLERS, ms: SECONDS * 1_000 })
      const perSecond = report.calls / report.seconds
      const what = kind === 'authorize' ? 'calls authorized' : 'whole calls'
      if (plain) print(`pgbench: ${what}, plain transactions`, plain.perSecond, plain.p50Ms, plain.p99Ms)
      else console.log('  pgbench is not installed')
      print(`call control: ${what}`, perSecond, at(report, 0.5), at(report, 0.99))
      if (report.refused > 0) console.log(`  ${report.refused} refused`)
      if (plain) console.log(`  ratio ${(perSecond / plain.perSecond).toFixed(2)}`)
    }
    console.log('')
  }
  console.log(describeBooks(await createBooks(db, systemClock, holdsOfLiveCalls).check()).join('\n'))
} finally {
  stopTicking()
  await control.close()
  peer.close()
  await db.destroy()
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

function at({ waitsMs }: Report, share: number): number {
  const sorted = [...waitsMs].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

function print(what: string, perSecond: number, p50Ms: number, p99Ms: number): void {
  const rate = `${Math.round(perSecond).toLocaleString('en')}/s`
  const wait = `p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`
  console.log(`  ${what.padEnd(46)} ${rate.padStart(9)}  ${wait}`)
}

async function startPeer() {
  const child = fork(new URL('./switch-peer.ts', import.meta.url).pathname, { stdio: 'inherit' })
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message: { port: number }) => resolve(message.port)),
  )
  let runs = 0
  return {
    port,
    run(given: Omit<Order, 'run'>): Promise<Report> {
      const reported = new Promise<Report>((resolve) =>
        child.once('message', (message: { report: Report }) => resolve(message.report)),
      )
      child.send({ ...given, run: `run${++runs}` })
      return reported
    },
    close: () => child.disconnect(),
  }
}

/** A thousand callers on one route, with high balances and limits. */
async function fundCallers(handle: Database): Promise<void> {
  const now = systemClock.now()
  await sql`
    with made as (insert into users (username, password_hash, created_at)
                  select 'bench' || n, '', ${now} from generate_series(1, ${ACCOUNTS}::integer) as n returning id),
    plan as (insert into plans (name, created_at) values ('Gold CLI', ${now}) returning id),
    route as (insert into routes (country, name, plan_id, price_micros, created_at, updated_at)
              select 'GB', 'UK Gold', id, 60000, ${now}, ${now} from plan returning id),
    trunk as (insert into trunks (name, host, capacity, buy_rate_micros, created_at, updated_at)
              values ('Carrier', '192.0.2.1', 100000, 10000, ${now}, ${now}) returning id),
    served as (insert into trunk_plans select trunk.id, plan.id from trunk, plan),
    named as (insert into caller_ids (user_id, callerid, updated_at) select id, '12025550100', ${now} from made),
    limits as (insert into guards (user_id, set_by, max_concurrent_calls, max_calls_per_second, daily_spend_micros, updated_at)
               select id, 'admin', 100000, 10000, 1000000000000000, ${now} from made)
    insert into selected_routes (user_id, country, route_id, selected_at)
    select made.id, 'GB', route.id, ${now} from made, route`.execute(handle)
  const users = await handle.selectFrom('users').select('id').execute()
  await fund(
    createLedger(handle, systemClock),
    users.map(({ id }) => id),
  )
}
