import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { AddressState } from '@trunkline/contract/trusted-addresses'
import { system } from '@trunkline/domain/access'
import { dollars, type Micros } from '@trunkline/domain/money'
import { defaultPlan, type RingPlan } from '@trunkline/domain/ringing'
import { createStoredSounds } from '@trunkline/server/adapters/stored-sounds'
import { TEST_CHANNEL } from '@trunkline/server/features/catalogue/trunks/tests'
import { notifyOfTest } from '@trunkline/server/features/catalogue/trunks/tests-store'
import { saveSipCredentials } from '@trunkline/server/features/identity/sip-credentials/store'
import { insertUser } from '@trunkline/server/features/identity/users/store'
import { createLedger } from '@trunkline/server/features/money/ledger/service'
import { checkBooks } from '@trunkline/server/main/check-books'
import { systemClock } from '@trunkline/server/platform/clock'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { listen } from '@trunkline/server/platform/listen'
import { soundKeyFromFile } from '@trunkline/server/platform/sound-key'
import type { Tables } from '@trunkline/server/platform/tables'
import type { Insertable } from 'kysely'
import { root } from '../../../launcher/paths.ts'
import type { SwitchOptions } from '../../../launcher/switch.ts'
import { putDatabase } from '../../../launcher/test/prepared-database.ts'
import { startCarrier } from '../../../sandbox/carriers/carrier.ts'
import { startHarness } from '../harness.ts'

const systemOwner = system('test')
/** Six cents per minute: 1,000 micro-dollars per second. */
export const PER_SECOND = 1_000n
export const LONDON = '442079460123'

export type Customer = { id: number; username: string; account: { user: string; password: string } }
export type Provider = Awaited<ReturnType<typeof startProvider>>
type Columns<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>

/**
 * A provider without the portal: a database, call control in its own process, Kamailio and rtpengine. All of them restart after a
 * kill.
 */
export async function startProvider(
  settings: Record<string, string> = {},
  switchOptions: Partial<SwitchOptions> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'provider-'))
  await putDatabase(join(folder, 'database'))
  const postgres = await startEmbeddedPostgres(join(folder, 'database'))
  const db = openDatabase({ url: postgres.url, poolSize: 3, onError: () => {} })
  const patience = { controlAnswersWithinMs: 20_000, trunkAnswersWithinMs: 20_000 }
  const harness = await startHarness({ ...switchOptions, limits: { ...patience, ...switchOptions.limits } })
  const ledger = createLedger(db, systemClock)
  let control: ChildProcess | null = null
  const medias: ChildProcess[] = []
  let counter = 0

  const environment = {
    NODE_ENV: 'production',
    DATABASE_URL: postgres.url,
    SWITCHES: `127.0.0.1:${harness.running.controlPort}`,
    MEDIA_RTPENGINES: `127.0.0.1:${harness.running.rtpenginePort}`,
    PUBLIC_URL: 'http://localhost',
    SUPPORT_EMAIL: 'support@trunkline.example',
    SUPPORT_PHONE: '1-800-555-0199',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no@one.example',
    OXAPAY_BASE_URL: 'http://127.0.0.1:9',
    OXAPAY_MERCHANT_KEY: 'not-used-here',
    LOG_LEVEL: 'warn',
    CALL_DECISION_MS: '15000',
    ...settings,
  }

  function spawnPart(part: 'callcontrol' | 'media', more: Record<string, string> = {}): ChildProcess {
    // The same flags as `./trunkline run callcontrol`.
    const memory = ['--min-semi-space-size=16', '--max-semi-space-size=16']
    return spawn(process.execPath, [...memory, join(root, `server/src/main/${part}.ts`)], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        LOG_FILE: process.env.CONTROL_LOG ?? join(folder, `${part}.log`),
        ...environment,
        ...more,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }

  async function startControl(): Promise<void> {
    control = spawnPart('callcontrol')
    const since = new Date()
    await until(() => hasSeenSwitch(since), 'call control at the switch')
  }

  /** Whether call control has compared its calls with the switch since then. */
  async function hasSeenSwitch(since: Date): Promise<boolean> {
    const seen = await db.selectFrom('switches').select('last_seen_at').executeTakeFirst()
    return seen !== undefined && seen.last_seen_at >= since
  }

  async function killControl(): Promise<void> {
    const child = control
    control = null
    await kill(child)
  }

  /** A media process of this name. Returns when call control knows it. */
  async function startMedia(name: string): Promise<{ kill(): Promise<void> }> {
    const startOf = async () => {
      const rows = db.selectFrom('media_servers').select('started_at').where('id', '=', name)
      return (await rows.executeTakeFirst())?.started_at.getTime()
    }
    // A killed process leaves its row.
    const before = await startOf()
    const child = spawnPart('media', { MEDIA_NAME: name, TRUNKLINE_DATA: folder })
    medias.push(child)
    await until(async () => (await startOf()) !== before, 'media process')
    await settle()
    return { kill: () => kill(child) }
  }

  await startControl()
  const now = () => systemClock.now()
  const stamps = () => ({ created_at: now(), updated_at: now() })

  async function insertPlan(name: string): Promise<number> {
    const row = { name, created_at: now() }
    return (await db.insertInto('plans').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const planId = await insertPlan('Gold CLI')

  async function newRoute(columns: Columns<'routes'> = {}): Promise<number> {
    const row = { country: 'GB', name: 'UK Gold', plan_id: planId, price_micros: PER_SECOND * 60n }
    const values = { ...row, ...stamps(), ...columns }
    return (await db.insertInto('routes').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const routeId = await newRoute()

  const tested = new Set<string>()
  const answerer = await startCarrier()
  const hearing = listen({
    url: postgres.url,
    channels: {
      trunk_tested: (payload) => {
        const { request, code } = JSON.parse(payload) as { request: string; code?: number }
        if (code === 200) tested.add(request)
      },
    },
    onListening: () => {},
    onError: () => {},
  })

  /**
   * Waits until call control and the switch know all changes so far. Changes arrive in order, so a successful test of the newest
   * trunk proves that the earlier changes have arrived.
   */
  async function settle(): Promise<void> {
    const { host, port } = answerer
    const row = { name: 'The last change', host, port, status: 'inactive' as const, ...stamps() }
    const { id } = await db.insertInto('trunks').values(row).returning('id').executeTakeFirstOrThrow()
    const request = `settled-${id}`
    const question = JSON.stringify({ request, trunk: id })
    await until(async () => {
      await notifyOfTest(db, TEST_CHANNEL, question)
      return tested.has(request)
    }, 'answer of the last trunk')
    await db.deleteFrom('trunks').where('id', '=', id).execute()
  }

  return {
    db,
    harness,
    ledger,
    planId,
    routeId,
    newRoute,
    insertPlan,
    startControl,
    killControl,
    startMedia,
    environment: { ...environment, TRUNKLINE_DATA: folder },
    /** The sounds that media processes have stored. */
    sounds: () =>
      createStoredSounds({
        folder: join(folder, 'sounds'),
        keys: [soundKeyFromFile(join(folder, 'sound.key'))],
        objects: null,
      }),
    settle,
    sipPort: harness.sipPort,

    async newTrunk(to: { host: string; port: number }, columns: Columns<'trunks'> = {}): Promise<number> {
      const row = { name: `Carrier ${++counter}`, host: to.host, port: to.port, capacity: 1_000 }
      const values = { ...row, buy_rate_micros: 6_000n, ...stamps(), ...columns }
      const { id } = await db.insertInto('trunks').values(values).returning('id').executeTakeFirstOrThrow()
      await db.insertInto('trunk_plans').values({ trunk_id: id, plan_id: planId }).execute()
      return id
    },
    dropTrunks: () => db.deleteFrom('trunks').execute(),

    /** A customer who may call: with a balance, a caller ID, a route and a SIP password. */
    async newCustomer({
      balance = dollars(10) as Micros,
      callerId = '12025550123' as string | null,
      isCallerIdApproved = true,
      route = routeId as number | null,
    } = {}): Promise<Customer> {
      const username = `caller-${++counter}`
      const { id } = await insertUser(db, { username, passwordHash: '', email: null }, now())
      if (callerId !== null)
        await db
          .insertInto('caller_ids')
          .values({ user_id: id, callerid: callerId, updated_at: now() })
          .execute()
      if (callerId !== null && isCallerIdApproved)
        await db
          .insertInto('caller_id_requests')
          .values({
            user_id: id,
            callerid: callerId,
            state: 'approved' as const,
            requested_at: now(),
            decided_at: now(),
          })
          .execute()
      if (route !== null)
        await db
          .insertInto('selected_routes')
          .values({ user_id: id, country: 'GB', route_id: route, selected_at: now() })
          .execute()
      if (balance > 0n)
        await ledger.post(systemOwner, {
          kind: 'top_up',
          key: `fund ${id}`,
          userId: id,
          reference: 'test',
          amountMicros: balance,
        })
      const password = await this.newPassword({ id, username })
      return { id, username, account: { user: username, password } }
    },
    async newPassword({ id, username }: { id: number; username: string }): Promise<string> {
      const password = `secret ${++counter}`
      const digest = (algorithm: string, name: string) =>
        createHash(algorithm).update(`${name}:trunkline:${password}`).digest('hex')
      await saveSipCredentials(db, systemOwner, {
        user_id: id,
        realm: 'trunkline',
        made_at: now(),
        ha1_md5: digest('md5', username),
        ha1_sha256: digest('sha256', `sha256~${username}`),
      })
      return password
    },
    /** A number of the inventory that a customer rents; rings all devices unless a plan is given. */
    async newNumber(
      { id: userId }: Pick<Customer, 'id'>,
      e164: string,
      { plan = defaultPlan('UTC') as RingPlan, ...columns }: Columns<'numbers'> & { plan?: RingPlan } = {},
    ): Promise<number> {
      const prices = { monthly_micros: 2_000_000n, setup_micros: 0n, price_micros: PER_SECOND * 60n }
      const place = { e164, country: 'GB', type: 'local' as const, status: 'rented' as const }
      const number = { ...place, user_id: userId, ...prices, created_at: now(), ...columns }
      const { id } = await db.insertInto('numbers').values(number).returning('id').executeTakeFirstOrThrow()
      const { monthly_micros, setup_micros, price_micros } = number
      await db
        .insertInto('number_rentals')
        .values({
          number_id: id,
          e164,
          user_id: userId,
          monthly_micros,
          setup_micros,
          price_micros,
          state: 'active',
          started_at: now(),
          periods: 1,
          paid_until: new Date(now().getTime() + 30 * 86_400_000),
          ring_plan: JSON.stringify(plan),
          request_key: `test-${id}`,
        })
        .execute()
      return id
    },
    async guard(userId: number, columns: Columns<'guards'>): Promise<void> {
      const row = { user_id: userId, set_by: 'admin' as const, updated_at: now(), ...columns }
      await db
        .insertInto('guards')
        .values(row)
        .onConflict((conflict) => conflict.columns(['user_id', 'set_by']).doUpdateSet(row))
        .execute()
    },

    /** Sets the state of a customer's address; null removes it. The API does not let customers claim loopback addresses. */
    async setAddress(
      { id }: Pick<Customer, 'id'>,
      address: string,
      state: AddressState | null,
    ): Promise<void> {
      const trust = { state: state ?? 'pending', trusted_at: state === 'pending' ? null : now() }
      if (state === null)
        await db
          .deleteFrom('trusted_addresses')
          .where('user_id', '=', id)
          .where('address', '=', address)
          .execute()
      else
        await db
          .insertInto('trusted_addresses')
          .values({ user_id: id, address, added_at: now(), ...trust })
          .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet(trust))
          .execute()
    },
    async addressStates(address: string): Promise<AddressState[]> {
      const rows = await db
        .selectFrom('trusted_addresses')
        .select('state')
        .where('address', '=', address)
        .execute()
      return rows.map(({ state }) => state)
    },

    cdrs: (userId: number | null) =>
      db
        .selectFrom('cdrs')
        .selectAll()
        .where('user_id', userId === null ? 'is' : '=', userId)
        .orderBy('started_at')
        .execute(),
    /** Waits for the customer's only call record. */
    async cdrOf(userId: number) {
      const [record] = await until(async () => {
        const records = await this.cdrs(userId)
        return records.length > 0 && records
      }, 'a record')
      return record as NonNullable<typeof record>
    },
    balanceOf: (userId: number) => ledger.balanceOf(systemOwner, userId),
    liveCalls: () => db.selectFrom('live_calls').selectAll().execute(),
    alerts: () => db.selectFrom('alerts').selectAll().orderBy('id').execute(),
    async faults(): Promise<string[]> {
      const { checks } = await checkBooks(postgres.url)
      return checks.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${JSON.stringify(fault)}`))
    },

    /** Kills the postmaster without a shutdown; its backends exit when they notice. Its supervisor restarts it. */
    async killDatabase(): Promise<void> {
      const cluster = join(folder, 'database', 'postgres')
      const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
      const pid = Number(text.split('\n')[0])
      // A killed postmaster leaves its pid file, and another process may have the same pid by now.
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (!commandLine.split('\0').includes(cluster)) return
      try {
        process.kill(pid, 'SIGKILL')
      } catch (error) {
        // The process has already exited.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    },
    async close(): Promise<void> {
      await killControl()
      for (const media of medias) await kill(media)
      await hearing.close()
      await answerer.close()
      await harness.close()
      await db.destroy()
      await postgres.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function kill(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Polls a condition and ignores errors, because processes are being killed. */
export async function until<Value>(
  look: () => Promise<Value | false | undefined>,
  what: string,
  withinMs = 90_000,
): Promise<Value> {
  for (const deadline = Date.now() + withinMs; ; await pause(50)) {
    const found = await look().catch(() => false as const)
    if (found) return found
    if (Date.now() > deadline) throw new Error(`timed out after ${withinMs} ms waiting for ${what}`)
  }
}

export type { Database }
