import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { micros, ZERO } from '@trunkline/domain/money'
import { createAnnouncer } from '@trunkline/server/features/calls/live-calls/announcer'
import type { LiveCall } from '@trunkline/server/features/calls/live-calls/call'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { freePort } from '@trunkline/server/platform/free-port'
import { migrate } from '@trunkline/server/platform/migrate'
import { hashToken, newToken } from '@trunkline/server/platform/tokens'
import { sql } from 'kysely'
import { nowMicros, type ViewerCommand, type ViewerReport } from './live-viewers.ts'

/** Latency from a change of a call to its arrival at many viewers, compared with a minimal event-stream server. See README.md. */

const VIEWERS = Number(process.env.BENCH_VIEWERS ?? 1_000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
/** Changes per second; administrators get every change. */
const CHANGES = Number(process.env.BENCH_CHANGES ?? 50)
const OWN_CHANGES = 10 * CHANGES

/** Concurrent live calls. */
const AT_ONCE = 200

const OWN = '/api/live-calls/stream'
const EVERYBODYS = '/api/admin/live-calls/stream'

type User = { id: number; token: string }
type Measured = { deliveries: number; p50Ms: number; p99Ms: number; worstMs: number; cpuSeconds: number }
type Server = { port: number; process: ChildProcess }

const folder = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
const postgres = await startEmbeddedPostgres(folder)
const db = openDatabase({ url: postgres.url, poolSize: 8, onError: () => {} })
const announcer = createAnnouncer(db, (error) => {
  throw error
})
const viewers = new Worker(new URL('./live-viewers.ts', import.meta.url))
const running = new Set<ChildProcess>()
try {
  await migrate(postgres.url)
  const users = await createUsers(db)
  console.log(
    `${VIEWERS.toLocaleString('en')} viewers, ${SECONDS} s each; p50, p99 and worst in milliseconds\n`,
  )

  const bare = await start('bare-events.ts', {})
  await openViewers([bare], '/', users)
  const baseline = await measure([bare], CHANGES, sayTo(bare))
  print(`bare server, ${CHANGES} events/s to all viewers`, baseline, await memoryOf(bare))
  await stop([bare])

  for (const [name, path, rate, count] of [
    [`own calls, ${OWN_CHANGES} changes/s, each to its owner`, OWN, OWN_CHANGES, 1],
    [`everybody’s calls, ${CHANGES} changes/s, each to everybody`, EVERYBODYS, CHANGES, 1],
    ['the same from two API processes', EVERYBODYS, CHANGES, 2],
  ] as const) {
    const servers = await Promise.all(Array.from({ length: count }, () => startApi()))
    const empty = await memoryOf(...servers)
    await openViewers(servers, path, users)
    const measured = await measure(servers, rate, changesOf(db, users))
    print(name, measured, `${empty} before, ${await memoryOf(...servers)} after`)
    if (path === EVERYBODYS)
      console.log(`  ratio of p99 to the bare server's: ${(measured.p99Ms / baseline.p99Ms).toFixed(2)}`)
    await stop(servers)
  }
} finally {
  await viewers.terminate()
  for (const child of running) child.kill('SIGKILL')
  await db.destroy()
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

/** All viewers are administrators, who see all calls; each also has their own calls. */
async function createUsers(handle: Database): Promise<User[]> {
  const { rows } = await sql<{ id: number }>`
    insert into users (username, password_hash, is_admin, created_at)
    select 'bench' || n, '', true, now() from generate_series(1, ${VIEWERS}::integer) as n returning id`.execute(
    handle,
  )
  const users = rows.map(({ id }) => ({ id, token: newToken() }))
  await sql`
    insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at, address, user_agent)
    select token_hash, user_id, now(), now(), now() + interval '1 day', '', ''
    from unnest(${users.map(({ token }) => hashToken(token))}::bytea[], ${users.map(({ id }) => id)}::integer[])
      as given (token_hash, user_id)`.execute(handle)
  return users
}

function answersAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function start(file: string, environment: Record<string, string>): Promise<Server> {
  const port = await freePort()
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  running.add(child)
  for (let attempt = 0; attempt < 1_200; attempt++) {
    if (await answersAt(port)) return { port, process: child }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${file} did not start`)
}

function startApi(): Promise<Server> {
  const settings = { DATABASE_URL: postgres.url, HOST: '127.0.0.1', LOG_LEVEL: 'silent' }
  return start('../server/src/main/api.ts', settings)
}

async function stop(servers: readonly Server[]): Promise<void> {
  tell({ type: 'close' })
  for (const { process: child } of servers) {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    running.delete(child)
  }
}

async function memoryOf(...servers: Server[]): Promise<string> {
  const sizes = await Promise.all(
    servers.map(async ({ process: { pid } }) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024)} MB`
    }),
  )
  return sizes.join(' and ')
}

/** CPU time of the servers. On a busy machine it is lower, because delayed servers write larger batches. */
async function cpuSecondsOf(servers: readonly Server[]): Promise<number> {
  const TICKS_PER_SECOND = 100
  let ticks = 0
  for (const { process: child } of servers) {
    const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / TICKS_PER_SECOND
}

function tell(command: ViewerCommand): void {
  viewers.postMessage(command)
}

async function answer<Type extends ViewerReport['type']>(type: Type) {
  for (;;) {
    const [report] = (await once(viewers, 'message')) as [ViewerReport]
    if (report.type === type) return report as Extract<ViewerReport, { type: Type }>
  }
}

/** Distributed evenly over the servers. */
async function openViewers(servers: readonly Server[], path: string, users: readonly User[]): Promise<void> {
  for (const [index, { port }] of servers.entries()) {
    const tokens = users.filter((_, at) => at % servers.length === index).map(({ token }) => token)
    tell({ type: 'open', port, path, tokens })
    await answer('opened')
  }
}

/** Makes changes at a constant rate without waiting for the previous one. */
async function measure(
  servers: readonly Server[],
  perSecond: number,
  cause: (index: number) => Promise<void>,
): Promise<Measured> {
  tell({ type: 'begin' })
  const cpuBefore = await cpuSecondsOf(servers)
  const causes: Promise<void>[] = []
  const began = performance.now()
  for (let index = 0; index < perSecond * SECONDS; index++) {
    const due = began + (index * 1_000) / perSecond
    while (performance.now() < due)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    causes.push(cause(index))
  }
  await Promise.all(causes)
  await announcer.settled()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const cpuSeconds = (await cpuSecondsOf(servers)) - cpuBefore
  tell({ type: 'report' })
  const { tookMs } = await answer('report')
  tookMs.sort()
  const at = (share: number) => tookMs[Math.min(tookMs.length - 1, Math.floor(tookMs.length * share))] ?? 0
  return { deliveries: tookMs.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), cpuSeconds }
}

/**
 * Changes of calls as call control makes them: the row is written, then the change is announced from memory. A field of the call
 * carries the time before the write.
 */
function changesOf(handle: Database, users: readonly User[]): (index: number) => Promise<void> {
  const run = newToken().slice(0, 8)
  const calls = new Map<number, LiveCall>()
  return async (index) => {
    const within = index % (4 * AT_ONCE)
    const number = Math.floor(index / (4 * AT_ONCE)) * AT_ONCE + (within % AT_ONCE)
    const user = users[number % users.length] ?? { id: 0, token: '' }
    const known = calls.get(number) ?? aCall(`bench/${run}/${number}`, user.id)
    const step = Math.floor(within / AT_ONCE)
    if (step === 3) {
      const { callId, userId } = known
      calls.delete(number)
      await sql`/* bench_end */ delete from live_calls where call_id = ${callId}`.execute(handle)
      const figures = {
        status: 'completed',
        reason: 'hung_up_by_caller',
        seconds: 1,
        costMicros: ZERO,
      } as const
      return announcer.announce([{ change: 'ended', call: { callId, userId, ...figures } }])
    }
    const state = (['authorized', 'ringing', 'answered'] as const)[step] ?? 'authorized'
    const answeredAt = state === 'answered' ? new Date() : null
    const call: LiveCall = { ...known, state, answeredAt, sipAccount: `t${nowMicros()}` }
    calls.set(number, call)
    if (step === 0) await insertCall(handle, call)
    else await changeCall(handle, call)
    announcer.announce([{ change: 'live', call }])
  }
}

function aCall(callId: string, userId: number): LiveCall {
  return {
    callId,
    userId,
    switchId: 'bench',
    direction: 'out',
    callerName: '',
    username: `bench${userId}`,
    state: 'authorized',
    sipAccount: '',
    callerId: '12025550100',
    dialed: '00442079460000',
    destination: '442079460000',
    country: 'GB',
    routeName: 'UK Gold',
    rate: {
      priceMicros: micros(60_000n),
      connectFeeMicros: micros(5_000n),
      firstIncrement: 6,
      nextIncrement: 6,
    },
    trunk: { id: 7, name: 'Carrier One' },
    heldMicros: micros(125_000n),
    coveredSeconds: 120,
    isDemo: false,
    startedAt: new Date(),
    answeredAt: null,
    hangupAt: null,
  }
}

async function insertCall(handle: Database, call: LiveCall): Promise<void> {
  await sql`/* bench_begin */
    insert into live_calls (call_id, switch_id, user_id, state, sip_account, source_address, caller_id, dialed, destination,
      country, line_type, route_id, route_name, plan_name, price_micros, connect_fee_micros, first_increment, next_increment,
      trunks, trunk_id, held_micros, covered_seconds, started_at)
    values (${call.callId}, 'bench', ${call.userId}, 'authorized', ${call.sipAccount}, '192.0.2.1', ${call.callerId},
      ${call.dialed}, ${call.destination}, 'GB', 'landline', 1, 'UK Gold', 'Gold CLI', 60000, 5000, 6, 6,
      '[{"id": 7, "name": "Carrier One"}]', 7, 125000, 120, ${call.startedAt})`.execute(handle)
}

async function changeCall(handle: Database, call: LiveCall): Promise<void> {
  await sql`/* bench_change */
    update live_calls set state = ${call.state}, answered_at = ${call.answeredAt}::timestamptz, sip_account = ${call.sipAccount}
    where call_id = ${call.callId}`.execute(handle)
}

/** The size of a call event. */
function sayTo({ process: child }: Server): () => Promise<void> {
  return async () => {
    child.send(
      `id: bench.1\nevent: ringing\ndata: {"sip_account":"t${nowMicros()}","rest":"${'x'.repeat(600)}"}\n\n`,
    )
  }
}

function print(what: string, measured: Measured, memory: string): void {
  const { deliveries, p50Ms, p99Ms, worstMs, cpuSeconds } = measured
  const figures = [p50Ms, p99Ms, worstMs].map((ms) => ms.toFixed(1).padStart(7)).join(' ')
  const rate = `${Math.round(deliveries / SECONDS).toLocaleString('en')}/s`
  const work = `${Math.round((100 * cpuSeconds) / SECONDS)} %`
  console.log(
    `${what.padEnd(58)} ${rate.padStart(9)} delivered ${figures}  ${work.padStart(5)} of a core  ${memory}`,
  )
}
