import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { theHouse } from '@trunkline/domain/access'
import { dollars, micros } from '@trunkline/domain/money'
import { type RunningDemoSwitch, startDemoSwitch } from '@trunkline/sandbox/switch/start'
import { createLedger } from '@trunkline/server/features/ledger/service'
import { checkBooks } from '@trunkline/server/main/check-books'
import { systemClock } from '@trunkline/server/platform/clock'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate } from '@trunkline/server/platform/migrate'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../paths.ts'
import { dataFolder, freePort } from './portal-process.ts'

/** At least so many live at every kill; some more are placed, for others end all the time. */
const LIVE_CALLS = 500
const PLACED_UP_TO = 600
const CUSTOMERS = 25
const KILLS = 8
const KILLING_MS = 20_000
const PRICE_PER_SECOND = 1_000n

const SEED = Number(process.env.CALL_KILLS_SEED ?? Date.now() % 1_000_000)

/** The same numbers again for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

it(`loses no call, no second and no cent when everything is killed again and again (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const data = await dataFolder()
  const postgres = await startEmbeddedPostgres(join(data, 'database'))
  onTestFinished(postgres.close)
  await migrate(postgres.url)
  const db = openDatabase({ url: postgres.url, poolSize: 2, onError: () => {} })
  onTestFinished(() => db.destroy())
  const users = await createProvider(db)
  const phones = await startDemoSwitch({ port: 0, id: 'sw1' })
  onTestFinished(() => phones.close())
  const env = await productionSettings(postgres.url, phones)
  const processes = {
    control: keepRunning('callcontrol', env),
    api: keepRunning('api', env),
    database: { kill: () => killDatabase(join(data, 'database')) },
  }
  await until(() => phones.connected())
  const traffic = keepCalling(phones, users, random)
  await until(() => phones.live().length >= LIVE_CALLS)

  const targets = ['control', 'api', 'database'] as const
  const enoughAt = Date.now() + KILLING_MS
  let killedAt = 0
  // Each once at least, then as often as the time allows: a busy machine takes longer to come back.
  for (let kill = 0; kill < KILLS && (kill < targets.length || Date.now() < enoughAt); kill++) {
    await until(() => phones.live().length >= LIVE_CALLS && isTakingCalls(phones, killedAt))
    await pause(random(1_500))
    killedAt = Date.now()
    const target = targets[kill < targets.length ? kill : random(targets.length)] as (typeof targets)[number]
    console.log(`kill -9 of ${target} with ${phones.live().length} live calls`)
    await processes[target].kill()
  }

  await pause(2_000)
  traffic.stop()
  await until(() => phones.live().length === 0)
  await until(() => phones.connections() === 1 && phones.kept().length === 0)
  // What was admitted in the very moment of a kill and never told to the switch is given up after a while.
  await until(async () => (await liveRows(db)) === 0)
  await expectTruth(db, phones, users, postgres.url)
}, 240_000)

/** Everybody pays six cents a minute, from a balance that is known. */
async function createProvider(db: Database): Promise<string[]> {
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
      .insertInto('selected_routes')
      .values({ user_id: id, country: 'GB', route_id: route.id, selected_at: now })
      .execute()
    await db
      .insertInto('guards')
      .values({
        ...{ user_id: id, set_by: 'admin', updated_at: now, daily_spend_micros: dollars(1_000_000) },
        ...{ max_concurrent_calls: 10_000, max_calls_per_second: 10_000 },
      })
      .execute()
    await ledger.post(theHouse('test'), {
      ...{ kind: 'top_up', key: `fund ${id}`, userId: id, reference: 'test' },
      amountMicros: dollars(1_000),
    })
  }
  return names
}

const productionSettings = async (databaseUrl: string, phones: RunningDemoSwitch) => ({
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  SWITCHES: `127.0.0.1:${phones.port}`,
  // Short slices: many extensions, and calls that soon need a call control again.
  CALL_SLICE_SECONDS: '12',
  CALL_LEAD_SECONDS: '8',
  PORT: String(await freePort()),
  HOST: '127.0.0.1',
  PUBLIC_URL: 'http://localhost',
  SUPPORT_EMAIL: 'support@trunkline.example',
  SUPPORT_PHONE: '1-800-555-0199',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'no-reply@trunkline.example',
  OXAPAY_BASE_URL: 'http://127.0.0.1:9',
  OXAPAY_MERCHANT_KEY: 'not-used-here',
  LOG_LEVEL: 'error',
})

/** Started again whenever it ends, as a service manager would. */
function keepRunning(name: string, env: Record<string, string>) {
  let child: ChildProcess
  let isOver = false
  let ended = Promise.resolve()
  const start = () => {
    child = spawn(join(root, 'node_modules/.bin/node'), [join(root, `server/src/main/${name}.ts`)], {
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

/** Its own keeper brings it back. */
async function killDatabase(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (pid > 1) process.kill(pid, 'SIGKILL')
}

/** Holds the number of live calls, with lengths from a moment to several slices. */
function keepCalling(phones: RunningDemoSwitch, users: readonly string[], random: (below: number) => number) {
  const timer = setInterval(() => {
    const missing = Math.min(PLACED_UP_TO - phones.live().length, 40)
    for (let index = 0; index < missing; index++)
      phones.place({
        user: users[random(users.length)] ?? '',
        to: '+442079460123',
        carriers: [{ code: random(10) === 0 ? 486 : 200, afterMs: random(1_500), ringAfterMs: random(500) }],
        talkMs: 500 + random(16_000),
        hangsUp: random(2) === 0 ? 'caller' : 'callee',
      })
  }, 100)
  onTestFinished(() => clearInterval(timer))
  return { stop: () => clearInterval(timer) }
}

/** What was killed last is back at work. */
const isTakingCalls = (phones: RunningDemoSwitch, since: number): boolean =>
  phones.live().filter(({ decision, decidedAt }) => decision === 'allowed' && (decidedAt ?? 0) > since)
    .length > 20

/** What a busy machine may take. */
const PATIENCE_MS = 60_000

async function until(isSo: () => unknown): Promise<void> {
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

async function liveRows(db: Database): Promise<number> {
  return (await db.selectFrom('live_calls').select('call_id').execute()).length
}

/** The switch’s own log is the truth. */
async function expectTruth(
  db: Database,
  phones: RunningDemoSwitch,
  users: readonly string[],
  databaseUrl: string,
): Promise<void> {
  const truth = phones.truth()
  const answered = truth.filter(({ answeredAt }) => answeredAt !== null)
  const cdrs = await db.selectFrom('cdrs').select(['call_id', 'status', 'seconds', 'cost_micros']).execute()
  const holds = await db.selectFrom('holds').select(['hold_id', 'amount_micros']).execute()
  console.log(`${truth.length} calls, ${answered.length} answered, ${cdrs.length} records`)
  const records = Map.groupBy(cdrs, ({ call_id }) => call_id)
  const held = new Map(holds.map(({ hold_id, amount_micros }) => [hold_id, amount_micros]))
  const wrong: string[] = []
  let charged = 0n
  for (const { call, seconds, coveredSeconds, by } of answered) {
    const found = records.get(`sw1/${call}`) ?? []
    const heldSeconds = Number((held.get(`sw1/${call}`) ?? 0n) / PRICE_PER_SECOND)
    // A busy switch ends a call a little late, whoever ends it. A second begun beyond what was held for it costs nothing; one
    // that was held, though the switch never heard of it, was talked and is charged.
    const right = Math.min(seconds, heldSeconds)
    const told = `completed ${right} s for ${BigInt(right) * PRICE_PER_SECOND}`
    const written = found.map((one) => `${one.status} ${one.seconds} s for ${one.cost_micros}`).join(' and ')
    const isPromiseHeld = heldSeconds >= (coveredSeconds ?? 0)
    if (written !== told || !isPromiseHeld)
      wrong.push(
        `${call}: ${seconds} s by ${by}, ${coveredSeconds} allowed, ${heldSeconds} held: ${written || 'no record'}`,
      )
    charged += found[0]?.cost_micros ?? 0n
  }
  // As text: a list is shown as its length.
  expect(wrong.join('; ')).toBe('')
  expect(cdrs.filter(({ status }) => status === 'completed')).toHaveLength(answered.length)
  const accounts = await db.selectFrom('accounts').selectAll().execute()
  expect(accounts.map(({ held_micros }) => held_micros)).toEqual(users.map(() => 0n))
  const balance = accounts.reduce((sum, { balance_micros }) => sum + balance_micros, 0n)
  expect(balance).toBe(dollars(1_000 * users.length) - micros(charged))
  const { checks, isSound } = await checkBooks(databaseUrl)
  expect(checks.flatMap(({ faults }) => faults)).toEqual([])
  expect(isSound).toBe(true)
}
