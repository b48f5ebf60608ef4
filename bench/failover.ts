import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startDemoSwitch } from '@trunkline/sandbox/switch/start'
import { checkBooks } from '@trunkline/server/main/check-books'
import { createAdministrator } from '@trunkline/server/main/create-administrator'
import { openDatabase } from '@trunkline/server/platform/database'
import { freePort } from '@trunkline/server/platform/free-port'
import { migrate } from '@trunkline/server/platform/migrate'
import { root } from '../launcher/paths.ts'
import { startSandbox } from '../launcher/sandbox.ts'
import { compareRecords } from '../launcher/test/call-records.ts'
import { createCustomers } from '../launcher/test/customers.ts'
import { startCalls } from './failover/calls.ts'
import { type Cluster, startCluster } from './failover/cluster.ts'
import { startPayments } from './failover/payments.ts'
import type { Verdict } from './life/records.ts'
import { printVerdicts } from './life/report.ts'
import { stopProcess } from './stop-process.ts'

/** Kills the primary database for good during calls and payments, and checks that nothing was lost. See README.md. */

const SECONDS_BEFORE = Number(process.env.BENCH_BEFORE ?? 30)
const SECONDS_AFTER = Number(process.env.BENCH_AFTER ?? 30)
const CALLS_PER_SECOND = Number(process.env.BENCH_CALLS ?? 10)
const MAX_GAP_SECONDS = 15
const SETTLE_MS = 180_000
const LOOPBACK = '127.0.0.1'
const PARTS = ['api-1', 'worker-1', 'callcontrol-1', 'callcontrol-2'] as const
const ADMINISTRATOR = { username: 'boss', password: 'the boss of the benchmark' }

const say = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

const folder = await mkdtemp(join(tmpdir(), 'trunkline-failover-'))
const ends: (() => Promise<unknown>)[] = []
// Logs of all processes, to find out why something was lost.
if (!process.env.BENCH_KEEP) ends.push(() => rm(folder, { recursive: true, force: true }))
let isSound = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await endAll()
    process.exit(1)
  })
try {
  isSound = await failOver()
} finally {
  await endAll()
}
process.exit(isSound ? 0 : 1)

async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end().catch(() => {})
}

async function failOver(): Promise<boolean> {
  // The user of PostgreSQL has to reach its folder below.
  await chmod(folder, 0o711)
  say('etcd, Patroni and two PostgreSQL servers start')
  const cluster = await startCluster(join(folder, 'cluster'))
  ends.push(cluster.close)
  await migrate(cluster.url)
  await createAdministrator(cluster.url, ADMINISTRATOR, 'production')
  const db = openDatabase({ url: cluster.url, poolSize: 2, onError: () => {} })
  ends.push(() => db.destroy())
  const callers = await createCustomers(db)
  if (process.env.BENCH_KEEP) say(`the logs are in ${folder}`)

  say('the parts of Trunkline start')
  const phones = await startDemoSwitch({ port: 0, id: 'sw1' })
  ends.push(() => phones.close())
  const { apiUrl, paymentUrl, parts } = await startParts(cluster, phones.port)
  await phones.connected(2)
  const payments = await startPayments({ apiUrl, paymentUrl, administrator: ADMINISTRATOR })
  const calls = startCalls(phones, callers, CALLS_PER_SECOND)
  console.log(
    `${CALLS_PER_SECOND} calls/s, ${SECONDS_BEFORE} s before and ${SECONDS_AFTER} s after the failover, ${cpus().length} cores (${cpus()[0]?.model}), load ${loadavg()[0]?.toFixed(1)}`,
  )
  await pause(SECONDS_BEFORE * 1_000)

  const killedAt = Date.now()
  const killed = await cluster.killPrimary()
  say(`${killed} is killed`)
  await cluster.takeover()
  const tookOverMs = Date.now() - killedAt
  say('the replica has taken over')
  await calls.admittedAfter(killedAt + tookOverMs)
  await pause(SECONDS_AFTER * 1_000)

  say('the last calls end')
  calls.stop()
  const paid = await payments.ended()
  await settled(async () => {
    const live = await db.selectFrom('live_calls').select('call_id').limit(1).execute()
    return phones.live().length === 0 && phones.kept().length === 0 && live.length === 0
  })
  await settled(async () => (await payments.judge(db)).length === 0)

  const records = await compareRecords(db, [phones])
  const { gapMs, inProgress, cutShort, outcomes } = calls.report(killedAt)
  const held = await db.selectFrom('accounts').select('user_id').where('held_micros', '!=', 0n).execute()
  const { checks } = await checkBooks(cluster.url)
  const verdicts: Verdict[] = [
    { what: 'acknowledged payments credited once', of: paid, faults: await payments.judge(db) },
    { what: 'answered calls recorded once', of: `${records.answeredCount} calls`, faults: records.wrong },
    { what: 'calls in progress at the failure', of: `${inProgress} calls`, faults: cutShort },
    { what: 'holds released', of: 'all accounts', faults: held.map(({ user_id }) => `user ${user_id}`) },
    {
      what: 'check-books',
      of: `${checks.length} checks`,
      faults: checks.flatMap(({ name, faults }) =>
        faults.map((fault) => `${name}: ${JSON.stringify(fault)}`),
      ),
    },
    {
      what: 'processes that kept running',
      of: PARTS.join(', '),
      faults: parts.filter(({ child }) => child.exitCode !== null).map(({ name }) => `${name} has ended`),
    },
    {
      what: 'gap in admissions',
      of: `${(gapMs / 1_000).toFixed(1)} s, at most ${MAX_GAP_SECONDS} s`,
      faults: gapMs > MAX_GAP_SECONDS * 1_000 ? ['too long'] : [],
    },
  ]
  const isRight = printVerdicts(verdicts)
  console.log(`\nThe replica accepted writes ${(tookOverMs / 1_000).toFixed(1)} s after the kill.`)
  console.log(`Calls: ${outcomes}`)
  console.log(isRight ? 'Nothing was lost.' : 'FAILED: see the errors above.')
  return isRight
}

/** Waits for a condition, or until the checks report what is missing. */
async function settled(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await pause(500))
    if (await condition().catch(() => false)) return
}

async function startParts(cluster: Cluster, switchPort: number) {
  const apiPort = await freePort()
  const sandbox = await startSandbox(join(folder, 'sandbox'), await freePort())
  ends.push(sandbox.close)
  await mkdir(join(folder, 'log'))
  const settings = {
    NODE_ENV: 'production',
    ...sandbox.settings,
    DATABASE_URL: cluster.url,
    HOST: LOOPBACK,
    CALLER_IDS: 'any',
    SWITCHES: `${LOOPBACK}:${switchPort}`,
    PUBLIC_URL: `http://${LOOPBACK}:${apiPort}`,
    MAIL_FROM: 'no-reply@trunkline.example',
    SUPPORT_EMAIL: 'support@trunkline.example',
    SUPPORT_PHONE: '1-800-555-0199',
  }
  const parts: { name: string; child: ChildProcess }[] = []
  for (const name of PARTS) {
    const log = join(folder, 'log', name)
    const output = openSync(log, 'a')
    const child = spawn(join(root, 'trunkline'), ['run', name, '--port', String(apiPort)], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings },
      stdio: ['ignore', output, output],
      detached: true,
    })
    closeSync(output)
    parts.push({ name, child })
    ends.push(() => stopProcess(child))
    await settled(
      async () => child.exitCode !== null || (await readFile(log, 'utf8')).includes(`${name} is ready`),
    )
    if (child.exitCode !== null) throw new Error(`${name} did not start:\n${await readFile(log, 'utf8')}`)
  }
  return {
    apiUrl: `http://${LOOPBACK}:${apiPort}`,
    paymentUrl: sandbox.settings.OXAPAY_BASE_URL ?? '',
    parts,
  }
}
