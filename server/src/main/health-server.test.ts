import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { system } from '@trunkline/domain/access'
import { expect, it, onTestFinished } from 'vitest'
import { asServerOwner } from '../../test/database.ts'
import { createTill } from '../../test/payments.ts'
import { signUp } from '../../test/portal.ts'
import { createSmallProvider, LONDON, type Telephony, usd } from '../../test/telephony.ts'
import { recordingHoldId } from '../features/calls/recordings/holds.ts'
import { freePort } from '../platform/free-port.ts'
import { type Role, startServer } from './start.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://portal.example',
  SUPPORT_EMAIL: 'help@portal.example',
  SUPPORT_PHONE: '1-800-555-0100',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'no-reply@portal.example',
  OXAPAY_BASE_URL: 'http://127.0.0.1:9',
  OXAPAY_MERCHANT_KEY: 'a-merchant-key',
  LOG_LEVEL: 'silent',
}

/** Starts a server with these roles in the test process. */
async function startWatched(settings: Record<string, string>, roles: Role[]) {
  const before = process.listeners('unhandledRejection')
  const port = await freePort()
  const server = await startServer({ ...production, ...settings, METRICS_PORT: String(port) }, roles)
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await server.close()
    for (const listener of process.listeners('unhandledRejection'))
      if (!before.includes(listener)) process.off('unhandledRejection', listener)
  }
  onTestFinished(close)
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  return {
    ask,
    close,
    ready: async () => JSON.parse((await ask('/ready')).text),
    figures: async () => read((await ask('/metrics')).text),
  }
}

/** Values by name and labels. */
const read = (text: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(/^(?!#)(\S+) (\S+)$/gm)].map(([, series = '', value]) => [series, Number(value)]),
  )

/** Output of promtool, empty for valid metrics. */
const checkMetrics = (text: string): string => {
  const { stdout, stderr, error } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  return `${error?.message ?? ''}${stdout}${stderr}`
}

it('has valid Prometheus alert rules, which use documented metrics only', async () => {
  const file = fileURLToPath(new URL('../../../ops/prometheus/trunkline.rules.yml', import.meta.url))
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/)
  const operations = await document('operations.md')
  const named = (await readFile(file, 'utf8')).match(/\btrunkline_\w+/g) ?? []
  expect(named.length).toBeGreaterThan(10)
  for (const name of named) expect(operations).toContain(`\`${name.replace(/_bucket$/, '')}`)
})

const namesIn = (text: string): string[] => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
const document = (path: string) => readFile(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')

/** Half a dollar, while the recording is in progress. */
async function holdForRecording({ db, ledger, clock }: Telephony, userId: number): Promise<void> {
  const { id } = await db
    .insertInto('recordings')
    .values({
      user_id: userId,
      call_id: 'sw1/recorded',
      started_at: clock.now(),
      seconds: 0,
      state: 'recording',
      media_id: 'm1',
      booked_at: null,
      price_micros: null,
      file: 'recorded',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const hold = { holdId: recordingHoldId(id), userId, amountMicros: usd(0.5) }
  expect(await ledger.within(db).placeHolds(system('test'), [hold])).toMatchObject([{ ok: true }])
}

it('exports metrics for calls, refusals, holds, payments and jobs without personal data', async () => {
  const till = await createTill({ PHONE_SWITCH: '127.0.0.1:9' })
  const phone = await createSmallProvider({ databaseUrl: till.database.url })
  phone.switchClock.advance(Date.now() - phone.switchClock.now())
  const customer = await phone.newCustomer(usd(5), phone.routeId)
  const poor = await phone.newCustomer(usd(0), phone.routeId)
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-health-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const log = join(folder, 'log')
  const server = await startWatched(
    {
      DATABASE_URL: till.database.url,
      SWITCHES: `127.0.0.1:${phone.switch.port}`,
      LOG_LEVEL: 'info',
      LOG_FILE: log,
      CALLER_IDS: 'any',
    },
    ['worker', 'callcontrol'],
  )
  await expect.poll(server.ready).toEqual({
    ready: true,
    state: 'running',
    database: true,
    catalogue: true,
    switches: true,
  })

  const short = await phone.place({ user: customer.username, talkMs: 3_000 })
  phone.switchClock.advance(3_000)
  await phone.settle()
  const long = await phone.place({ user: customer.username })
  await phone.settle()
  expect((await phone.place({ user: poor.username })).record).toMatchObject({ reason: 'no_balance' })
  await phone.settle()
  await holdForRecording(phone, customer.id)
  const payer = await signUp(till, 'payer-of-the-tests')
  const paid = await till.topUp(payer, 25)
  await till.lever(`pay/${paid.trackId}`)
  await expect.poll(() => till.balance(payer)).toBe(25)
  await till.topUp(payer, 30)

  const figures = await server.figures()
  expect(figures).toMatchObject({
    trunkline_calls_admitted_total: 2,
    trunkline_calls_answered_total: 2,
    'trunkline_calls_refused_total{reason="no_balance"}': 1,
    'trunkline_calls_ended_total{status="completed",reason="hung_up_by_caller"}': 1,
    trunkline_call_seconds_total: 3,
    trunkline_call_charges_dollars_total: 0.003,
    'trunkline_authorize_seconds_count{answer="allow"}': 2,
    'trunkline_authorize_seconds_count{answer="refuse"}': 1,
    'trunkline_authorize_seconds_bucket{answer="allow",le="+Inf"}': 2,
    'trunkline_live_calls{state="answered"}': 1,
    'trunkline_live_calls{state="ringing"}': 0,
    // One of a call and one of a recording.
    trunkline_holds: 2,
    trunkline_held_dollars: 0.56,
    trunkline_control_calls: 1,
    trunkline_control_trusted: 1,
    'trunkline_switches{state="configured"}': 1,
    'trunkline_switches{state="ready"}': 1,
    'trunkline_control_waiting{what="events"}': 0,
    'trunkline_payments_open{state="pending"}': 1,
    'trunkline_payments_last_day{state="completed"}': 1,
    'trunkline_payments_last_day{state="pending"}': 1,
    'trunkline_database_up{pool="portal"}': 1,
    'trunkline_database_up{pool="callcontrol"}': 1,
    'trunkline_database_pool_size{pool="callcontrol"}': 10,
    'trunkline_database_pool_waiting{pool="portal"}': 0,
  })
  expect(figures['trunkline_job_lag_seconds{job="reconcile-payments"}']).toBeGreaterThanOrEqual(0)
  expect(figures['trunkline_jobs_waiting{job="check-books"}']).toBe(0)
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total'])
    expect(figures[name]).toBeGreaterThan(0)
  expect(figures.nodejs_eventloop_lag_max_seconds).toBeGreaterThanOrEqual(0)

  // The API counts by route, so labels contain no ids.
  const { token } = payer
  await till.call('GET /api/payments/:id', { token, params: { id: paid.id } })
  await till.api.inject({ url: '/api/payer-of-the-tests' })
  const ofApi = await till.services.metrics.text()
  expect(read(ofApi)).toMatchObject({
    'trunkline_http_requests_total{method="POST",route="/api/topup",status="200"}': 2,
    'trunkline_http_requests_total{method="GET",route="/api/payments/:id",status="200"}': 1,
    'trunkline_http_requests_total{method="GET",route="unknown",status="404"}': 1,
    'trunkline_http_request_seconds_count{method="POST",route="/api/topup"}': 2,
    trunkline_event_streams: 0,
    trunkline_phone_sockets: 0,
  })
  for (const path of ['/metrics', '/ready', '/health', '/api/metrics'])
    expect(await till.api.inject({ url: path })).toMatchObject({ statusCode: 404 })
  const all = ofApi + (await server.ask('/metrics')).text
  for (const text of [ofApi, (await server.ask('/metrics')).text]) expect(checkMetrics(text)).toBe('')
  const secrets = [
    customer.username,
    poor.username,
    payer.username,
    LONDON,
    LONDON.slice(1),
    '"sw1"',
    long.call,
  ]
  for (const secret of secrets) expect(all).not.toContain(secret)

  // One id links all log lines of a call.
  await server.close()
  const lines = (await readFile(log, 'utf8')).trim().split('\n')
  const ofShort = lines.map((line) => JSON.parse(line)).filter(({ call }) => call === `sw1/${short.call}`)
  expect(ofShort.map(({ msg }) => msg)).toEqual(['call admitted', 'call answered', 'call ended'])

  // Dashboard and documentation use existing metrics only.
  const names = namesIn(all)
  const drawn = (await document('grafana-dashboard.json')).match(/\b(trunkline|process|nodejs)_\w+/g) ?? []
  expect(drawn.length).toBeGreaterThan(20)
  const plain = (name: string) => (names.includes(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))
  expect([...new Set(drawn.map(plain))].filter((name) => !names.includes(name))).toEqual([])
  const operations = await document('operations.md')
  expect(names.filter((name) => !operations.includes(`\`${name}`))).toEqual([])
})

it('is ready only while the database and the switch are available', async () => {
  const phone = await createSmallProvider()
  const name = new URL(phone.databaseUrl).pathname.slice(1)
  const settings = { DATABASE_URL: phone.databaseUrl, SWITCHES: `127.0.0.1:${phone.switch.port}` }
  const server = await startWatched(settings, ['worker', 'callcontrol'])
  await expect.poll(async () => (await server.ask('/ready')).status).toBe(200)

  await asServerOwner(`alter database ${name} allow_connections false`)
  await asServerOwner(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  expect(await server.ask('/ready')).toMatchObject({ status: 503 })
  expect(await server.ready()).toMatchObject({ ready: false, database: false, switches: true })
  expect(await server.ask('/health')).toMatchObject({ status: 200 })
  const figures = await server.figures()
  expect(figures).toMatchObject({ 'trunkline_database_up{pool="portal"}': 0, trunkline_control_calls: 0 })
  expect(figures).not.toHaveProperty('trunkline_holds')
  await asServerOwner(`alter database ${name} allow_connections true`)
  await expect.poll(server.ready).toMatchObject({ ready: true, database: true, catalogue: true })

  await phone.switch.close()
  await expect.poll(server.ready).toMatchObject({ ready: false, database: true, switches: false })
  expect(await server.ask('/')).toMatchObject({ status: 404 })
})
