import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { system } from '@trunkline/domain/access'
import { micros } from '@trunkline/domain/money'
import { createBooks, describeBooks } from '@trunkline/server/features/calls/books/check-books'
import {
  type Closing,
  createLedger,
  type HoldOutcome,
  type Ledger,
  type MoneyMoves,
  type Placing,
} from '@trunkline/server/features/money/ledger/service'
import { createBatcher } from '@trunkline/server/platform/batcher'
import { systemClock } from '@trunkline/server/platform/clock'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate } from '@trunkline/server/platform/migrate'
import { sql } from 'kysely'
import { fund } from './fund.ts'
import { type Measured, measure } from './measure.ts'
import { measureYardstick, prepareYardstick } from './two-row-transaction.ts'

/** Holds placed and settled per second, compared with a minimal two-row transaction. See README.md. */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
const MAX_CALLS = 100_000
const WORKERS = Number(process.env.BENCH_CALLS ?? 64)
const POOL = 8
const ACCOUNTS = 1_000

const owner = system('benchmark')
const bounds = { workers: WORKERS, mostSteps: MAX_CALLS, mostMs: SECONDS * 1_000 }
const PLACED = micros(50_000n)
const COST = micros(31_000n)

const folder = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
// Durable, as in production: every acknowledged command is on disk.
const postgres = await startEmbeddedPostgres(folder)
const db = openDatabase({ url: postgres.url, poolSize: POOL, onError: () => {} })
try {
  await migrate(postgres.url)
  await prepareYardstick(postgres.url)
  const ledger = createLedger(db, systemClock)
  const users = await fundAccounts(db, ledger)
  const { rows } = await sql<{ version: string }>`select version()`.execute(db)
  console.log(
    `${rows[0]?.version.split(' on ')[0]}, fsync on, ${POOL} connections, ${WORKERS} calls at once\n`,
  )
  for (const [name, some] of [
    ['one hot account', users.slice(0, 1)],
    [`${ACCOUNTS} accounts`, users],
  ] as const) {
    const baselines = await measureYardstick(postgres.url, some.length, POOL, SECONDS)
    const best = Math.max(...baselines.map(({ measured }) => measured.perSecond))
    console.log(name)
    for (const { tool, form, measured } of baselines) print(`${tool}: ${form}`, measured)
    const batched = await holdsPerSecond(`${some.length} batched`, some, inBatches(ledger.within(db)))
    print('ledger: place and settle a hold', batched, 2 * batched.perSecond)
    const alone = await holdsPerSecond(`${some.length} alone`, some, oneByOne(ledger.within(db)))
    print('ledger: the same, each command in its own statement', alone, 2 * alone.perSecond)
    const ratio = (measured: Measured) => ((2 * measured.perSecond) / best).toFixed(2)
    console.log(
      `  ratio of ledger commands to two-row transactions: ${ratio(batched)} (alone ${ratio(alone)})\n`,
    )
  }
  console.log(describeBooks(await createBooks(db, systemClock).check()).join('\n'))
} finally {
  await db.destroy()
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

async function fundAccounts(handle: Database, money: Ledger): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into users (username, password_hash, created_at)
    select 'bench' || n, '', now() from generate_series(1, ${ACCOUNTS}::integer) as n returning id`.execute(
    handle,
  )
  const ids = rows.map(({ id }) => id)
  await fund(money, ids)
  return ids
}

type Holds = {
  place: (placing: Placing) => Promise<HoldOutcome | undefined>
  settle: (closing: Closing) => Promise<HoldOutcome | undefined>
}

/** As call control does: commands that arrive while others run share a statement. */
function inBatches(moves: MoneyMoves): Holds {
  const batching = { lanes: 2, maxSize: 100, keyOf: ({ holdId }: { holdId: string }) => holdId }
  return {
    place: createBatcher({ ...batching, run: (placings: Placing[]) => moves.placeHolds(owner, placings) }),
    settle: createBatcher({ ...batching, run: (closings: Closing[]) => moves.closeHolds(owner, closings) }),
  }
}

function oneByOne(moves: MoneyMoves): Holds {
  return {
    place: async (placing) => (await moves.placeHolds(owner, [placing]))[0],
    settle: async (closing) => (await moves.closeHolds(owner, [closing]))[0],
  }
}

/** One step places and settles a hold. */
function holdsPerSecond(run: string, users: readonly number[], { place, settle }: Holds): Promise<Measured> {
  return measure(bounds, async (index) => {
    const holdId = `${run} ${index}`
    const userId = users[index % users.length] ?? 0
    const placed = await place({ holdId, userId, amountMicros: PLACED })
    const settled = await settle({ holdId, costMicros: COST })
    if (!placed?.ok || !settled?.ok) throw new Error('a hold was refused')
  })
}

function print(what: string, { perSecond, p50Ms, p99Ms }: Measured, commands?: number): void {
  const rate = `${Math.round(perSecond).toLocaleString('en')}/s`
  const each = commands ? ` (${Math.round(commands).toLocaleString('en')} commands/s)` : ''
  console.log(
    `  ${what.padEnd(56)} ${rate.padStart(9)}  p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms${each}`,
  )
}
