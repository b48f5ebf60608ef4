import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { system } from '@trunkline/domain/access'
import { dollars, micros } from '@trunkline/domain/money'
import type { RunningDemoSwitch } from '@trunkline/sandbox/switch/start'
import { createLedger } from '@trunkline/server/features/money/ledger/service'
import { checkBooks } from '@trunkline/server/main/check-books'
import { systemClock } from '@trunkline/server/platform/clock'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate } from '@trunkline/server/platform/migrate'
import { expect, onTestFinished } from 'vitest'
import { root } from '../paths.ts'
import { dataFolder } from './portal-process.ts'

const CUSTOMERS = 25
const PRICE_PER_SECOND = 1_000n

/** The same numbers again for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A PostgreSQL of its own with customers in it, there until the test is over. */
export async function createProvider() {
  const data = await dataFolder()
  const { url, close } = await startEmbeddedPostgres(join(data, 'database'))
  onTestFinished(close)
  await migrate(url)
  const db = openDatabase({ url, poolSize: 2, onError: () => {} })
  onTestFinished(() => db.destroy())
  return { data, url, db, users: await createCustomers(db) }
}

/** Everybody pays six cents a minute, from a balance that is known. */
async function createCustomers(db: Database): Promise<string[]> {
  const now = systemClock.now()
  const stamps = { created_at: now, updated_at: now }
  const plan = await db
    .insertInto('plans')
    .values({ name: 'Gold CLI', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const trunk = await db
    .insertInto('trunks')
    .values({ name: 'Carrier', host: '192.0.2.1', capacity: 10_000, buy_rate_micros: 1_000n, ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('trunk_plans').values({ trunk_id: trunk.id, plan_id: plan.id }).execute()
  const route = await db
    .insertInto('routes')
    .values({
      country: 'GB',
      name: 'UK Gold',
      plan_id: plan.id,
      price_micros: PRICE_PER_SECOND * 60n,
      ...stamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const names = Array.from({ length: CUSTOMERS }, (_, index) => `caller-${index}`)
  const ledger = createLedger(db, systemClock)
  for (const username of names) {
    const { id } = await db
      .insertInto('users')
      .values({ username, password_hash: '', created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('caller_ids')
      .values({ user_id: id, callerid: '12025550100', updated_at: now })
      .execute()
    await db
      .insertInto('caller_id_requests')
      .values({
        user_id: id,
        callerid: '12025550100',
        state: 'approved',
        requested_at: now,
        decided_at: now,
      })
      .execute()
    await db
      .insertInto('selected_routes')
      .values({ user_id: id, country: 'GB', route_id: route.id, selected_at: now })
      .execute()
    await db
      .insertInto('guards')
      .values({
        user_id: id,
        set_by: 'admin',
        updated_at: now,
        daily_spend_micros: dollars(1_000_000),
        max_concurrent_calls: 10_000,
        max_calls_per_second: 10_000,
      })
      .execute()
    await ledger.post(system('test'), {
      kind: 'top_up',
      key: `fund ${id}`,
      userId: id,
      reference: 'test',
      amountMicros: dollars(1_000),
    })
  }
  return names
}

export const productionSettings = (databaseUrl: string, switches: readonly RunningDemoSwitch[]) => ({
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  SWITCHES: switches.map(({ port }) => `127.0.0.1:${port}`).join(','),
  // Short slices: many extensions, and calls that soon need a call control again.
  CALL_SLICE_SECONDS: '12',
  CALL_LEAD_SECONDS: '8',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'http://localhost',
  SUPPORT_EMAIL: 'support@trunkline.example',
  SUPPORT_PHONE: '1-800-555-0199',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'no-reply@trunkline.example',
  OXAPAY_BASE_URL: 'http://127.0.0.1:9',
  OXAPAY_MERCHANT_KEY: 'not-used-here',
  REGISTRATIONS_PER_HOUR: '100000',
  LOG_LEVEL: 'error',
})

/** A part of the server, started again whenever it ends, as a service manager would. */
export function keepRunning(name: string, env: Record<string, string>) {
  let child: ChildProcess
  let isOver = false
  let ended = Promise.resolve()
  const start = () => {
    child = spawn(join(root, 'trunkline'), ['run', name], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    ended = new Promise((resolve) =>
      child.once('exit', async () => {
        resolve()
        await pause(200)
        if (!isOver) start()
      }),
    )
  }
  start()
  onTestFinished(async () => {
    isOver = true
    child.kill('SIGKILL')
    await ended
  })
  return {
    async kill() {
      child.kill('SIGKILL')
    },
  }
}

/** Holds the number of live calls, with lengths from a moment to several slices. */
export function keepCalling(
  phones: RunningDemoSwitch,
  users: readonly string[],
  random: (below: number) => number,
  { upTo, atOnce = 40, longestMs = 16_000 }: { upTo: number; atOnce?: number; longestMs?: number },
) {
  const timer = setInterval(() => {
    const missing = Math.min(upTo - phones.live().length, atOnce)
    for (let index = 0; index < missing; index++)
      phones.place({
        user: users[random(users.length)] ?? '',
        to: '+442079460123',
        carriers: [{ code: random(10) === 0 ? 486 : 200, afterMs: random(1_500), ringAfterMs: random(500) }],
        talkMs: 500 + random(longestMs),
        hangsUp: random(2) === 0 ? 'caller' : 'callee',
      })
  }, 100)
  onTestFinished(() => clearInterval(timer))
  return { stop: () => clearInterval(timer) }
}

/** What was killed last is back at work. */
export const isTakingCalls = (phones: RunningDemoSwitch, since: number): boolean =>
  phones.live().filter(({ decision, decidedAt }) => decision === 'allowed' && (decidedAt ?? 0) > since)
    .length > 20

/** What a busy machine may take. */
const PATIENCE_MS = 60_000

export async function until(isSo: () => unknown): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await Promise.race([
      Promise.resolve()
        .then(isSo)
        .catch(() => false),
      pause(1_000, false),
    ])
    if (answer === undefined || answer === true) return
    if (Date.now() > giveUpAt) throw new Error(`it was not so within ${PATIENCE_MS} ms: ${isSo}`)
    await pause(50)
  }
}

export async function liveRows(db: Database): Promise<number> {
  return (await db.selectFrom('live_calls').select('call_id').execute()).length
}

/** So long an event may be on its way before it is acknowledged; those of a switch that dies meanwhile are lost with it. */
const ON_ITS_WAY_MS = 3_000

/** The switch’s own log is the truth. Of one that died, calls that it took along are over as of when it was last heard. */
export async function expectTruth(
  db: Database,
  switches: readonly RunningDemoSwitch[],
  users: readonly string[],
  databaseUrl: string,
  diedAt: Readonly<Record<string, number>> = {},
): Promise<void> {
  const cdrs = await db.selectFrom('cdrs').select(['call_id', 'status', 'seconds', 'cost_micros']).execute()
  const holds = await db.selectFrom('holds').select(['hold_id', 'amount_micros']).execute()
  const records = Map.groupBy(cdrs, ({ call_id }) => call_id)
  const held = new Map(holds.map(({ hold_id, amount_micros }) => [hold_id, amount_micros]))
  const wrong: string[] = []
  let answeredCount = 0
  let takenAlong = 0
  for (const { id: switchId, truth } of switches)
    for (const { call, seconds, coveredSeconds, by, answeredAt, startedAt, endedAt } of truth()) {
      if (answeredAt === null) continue
      answeredCount++
      const name = `${switchId}/${call}`
      const found = records.get(name) ?? []
      const heldSeconds = Number((held.get(name) ?? 0n) / PRICE_PER_SECOND)
      // A busy switch ends a call a little late, whoever ends it. A second begun beyond what was held for it costs nothing; one
      // that was held, though the switch never heard of it, was talked and is charged.
      const right = Math.min(seconds, heldSeconds)
      const told = `completed ${right} s for ${BigInt(right) * PRICE_PER_SECOND}`
      const written = found
        .map((one) => `${one.status} ${one.seconds} s for ${one.cost_micros}`)
        .join(' and ')
      const isPromiseHeld = heldSeconds >= (coveredSeconds ?? 0)
      const death = diedAt[switchId] ?? 0
      const wasTakenAlong = startedAt < death && (endedAt ?? death) > death - ON_ITS_WAY_MS
      if (wasTakenAlong) takenAlong++
      const isRight = wasTakenAlong
        ? found.length === 1 && (found[0]?.seconds ?? 0) <= right
        : written === told && isPromiseHeld
      if (!isRight)
        wrong.push(
          `${name}: ${seconds} s by ${by}, ${coveredSeconds} allowed, ${heldSeconds} held: ${written || 'no record'}`,
        )
    }
  console.log(`${answeredCount} calls answered, ${takenAlong} taken along, ${cdrs.length} records`)
  // As text: a list is shown as its length.
  expect(wrong.join('; ')).toBe('')
  const completed = cdrs.filter(({ status }) => status === 'completed').length
  expect(completed).toBeLessThanOrEqual(answeredCount)
  expect(completed).toBeGreaterThanOrEqual(answeredCount - takenAlong)
  const accounts = await db.selectFrom('accounts').selectAll().execute()
  expect(accounts.filter(({ held_micros }) => held_micros !== 0n)).toEqual([])
  const balance = accounts.reduce((sum, { balance_micros }) => sum + balance_micros, 0n)
  const charged = cdrs.reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
  expect(balance).toBe(dollars(1_000 * users.length) - micros(charged))
  const { checks, isSound } = await checkBooks(databaseUrl)
  expect(checks.flatMap(({ faults }) => faults)).toEqual([])
  expect(isSound).toBe(true)
}
