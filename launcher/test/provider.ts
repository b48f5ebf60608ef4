import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { micros } from '@trunkline/domain/money'
import type { RunningDemoSwitch } from '@trunkline/sandbox/switch/start'
import { checkBooks } from '@trunkline/server/main/check-books'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { expect, onTestFinished } from 'vitest'
import { root } from '../paths.ts'
import { compareRecords } from './call-records.ts'
import { createCustomers, FIRST_BALANCE } from './customers.ts'
import { preparedFolder } from './portal-process.ts'

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
  const data = await preparedFolder()
  const { url, close } = await startEmbeddedPostgres(join(data, 'database'))
  onTestFinished(close)
  const db = openDatabase({ url, poolSize: 2, onError: () => {} })
  onTestFinished(() => db.destroy())
  return { data, url, db, users: await createCustomers(db) }
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

const TIMEOUT_MS = 180_000

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

/** Compares the call records with the switches' own logs. Calls of a dead switch end at its last message. */
export async function expectMatchingRecords(
  db: Database,
  switches: readonly RunningDemoSwitch[],
  users: readonly string[],
  databaseUrl: string,
  diedAt: Readonly<Record<string, number>> = {},
): Promise<void> {
  const { wrong, cdrs, answeredCount, lostCount } = await compareRecords(db, switches, diedAt)
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
  expect(balance).toBe(micros(FIRST_BALANCE * BigInt(users.length) - charged))
  const { checks, isSound } = await checkBooks(databaseUrl)
  expect(checks.flatMap(({ faults }) => faults)).toEqual([])
  expect(isSound).toBe(true)
}
