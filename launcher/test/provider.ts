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

/** Seeded random numbers. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A PostgreSQL with customers that runs until the test ends. */
export async function createProvider() {
  const data = await dataFolder()
  const { url, close } = await startEmbeddedPostgres(join(data, 'database'))
  onTestFinished(close)
  await migrate(url)
  const db = openDatabase({ url, poolSize: 2, onError: () => {} })
  onTestFinished(() => db.destroy())
  return { data, url, db, users: await createCustomers(db) }
}

/** All customers pay six cents per minute and start with the same balance. */
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
  // Short slices cause many extensions, so that calls soon need call control again.
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

/** Runs a part of the server and restarts it whenever it exits, as systemd does. */
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

/** Places calls until `upTo` are live; their durations vary from half a second to several slices. */
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

/** Whether calls have been admitted since the last kill. */
export const isTakingCalls = (phones: RunningDemoSwitch, since: number): boolean =>
  phones.live().filter(({ decision, decidedAt }) => decision === 'allowed' && (decidedAt ?? 0) > since)
    .length > 20

const TIMEOUT_MS = 60_000

export async function until(condition: () => unknown): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const answer = await Promise.race([
      Promise.resolve()
        .then(condition)
        .catch(() => false),
      pause(1_000, false),
    ])
    if (answer === undefined || answer === true) return
    if (Date.now() > deadline) throw new Error(`condition not met within ${TIMEOUT_MS} ms: ${condition}`)
    await pause(50)
  }
}

export async function liveRows(db: Database): Promise<number> {
  return (await db.selectFrom('live_calls').select('call_id').execute()).length
}

/** How long an event may stay unacknowledged. A switch that dies loses its unacknowledged events. */
const UNACKNOWLEDGED_MS = 3_000

/** Compares the call records with the switches' own logs. Calls of a dead switch end at its last message. */
export async function expectMatchingRecords(
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
  let lostCount = 0
  for (const { id: switchId, truth } of switches)
    for (const { call, seconds, coveredSeconds, by, answeredAt, startedAt, endedAt } of truth()) {
      if (answeredAt === null) continue
      answeredCount++
      const name = `${switchId}/${call}`
      const found = records.get(name) ?? []
      const heldSeconds = Number((held.get(name) ?? 0n) / PRICE_PER_SECOND)
      // A busy switch may end a call late: seconds beyond the hold are free. Seconds within the hold are charged, even if the
      // switch did not receive the extension.
      const chargedSeconds = Math.min(seconds, heldSeconds)
      const expected = `completed ${chargedSeconds} s for ${BigInt(chargedSeconds) * PRICE_PER_SECOND}`
      const actual = found.map((one) => `${one.status} ${one.seconds} s for ${one.cost_micros}`).join(' and ')
      const isCovered = heldSeconds >= (coveredSeconds ?? 0)
      const death = diedAt[switchId] ?? 0
      const wasLost = startedAt < death && (endedAt ?? death) > death - UNACKNOWLEDGED_MS
      if (wasLost) lostCount++
      const isRight = wasLost
        ? found.length === 1 && (found[0]?.seconds ?? 0) <= chargedSeconds
        : actual === expected && isCovered
      if (!isRight)
        wrong.push(
          `${name}: ${seconds} s by ${by}, ${coveredSeconds} allowed, ${heldSeconds} held: ${actual || 'no record'}`,
        )
    }
  console.log(`${answeredCount} calls answered, ${lostCount} lost with their switch, ${cdrs.length} records`)
  // Joined, because Vitest prints only the length of a long array.
  expect(wrong.join('; ')).toBe('')
  const completed = cdrs.filter(({ status }) => status === 'completed').length
  expect(completed).toBeLessThanOrEqual(answeredCount)
  expect(completed).toBeGreaterThanOrEqual(answeredCount - lostCount)
  const accounts = await db.selectFrom('accounts').selectAll().execute()
  expect(accounts.filter(({ held_micros }) => held_micros !== 0n)).toEqual([])
  const balance = accounts.reduce((sum, { balance_micros }) => sum + balance_micros, 0n)
  const charged = cdrs.reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
  expect(balance).toBe(dollars(1_000 * users.length) - micros(charged))
  const { checks, isSound } = await checkBooks(databaseUrl)
  expect(checks.flatMap(({ faults }) => faults)).toEqual([])
  expect(isSound).toBe(true)
}
