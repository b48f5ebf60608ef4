import { system } from '@trunkline/domain/access'
import type { CallerIdPolicy } from '@trunkline/domain/callcontrol'
import { type Micros, micros, ZERO } from '@trunkline/domain/money'
import {
  type CallWish,
  createManualSwitchClock,
  type ManualSwitchClock,
  type RunningDemoSwitch,
  startDemoSwitch,
} from '@trunkline/sandbox/switch/start'
import { type Insertable, sql } from 'kysely'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createSwitchConnector } from '../src/adapters/switch-connection.ts'
import { createBooks, describeBooks } from '../src/features/calls/books/check-books.ts'
import { holdsOfLiveCalls } from '../src/features/calls/books/live-holds-store.ts'
import { type CallControl, createCallControl } from '../src/features/calls/callcontrol/service.ts'
import { SESSION } from '../src/features/calls/callcontrol/statements-store.ts'
import { createAnnouncer } from '../src/features/calls/live-calls/announcer.ts'
import { createTrunkTests } from '../src/features/catalogue/trunks/tests.ts'
import { createAlerts } from '../src/features/identity/alerts/service.ts'
import { insertUser } from '../src/features/identity/users/store.ts'
import { createBalanceWatch } from '../src/features/money/balances/balance-watch.ts'
import { createLedger } from '../src/features/money/ledger/service.ts'
import type { Clock } from '../src/platform/clock.ts'
import { type Database, openDatabase } from '../src/platform/database.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { insertedId } from '../src/platform/rows.ts'
import type { Tables } from '../src/platform/tables.ts'
import { systemTimers } from '../src/platform/timers.ts'
import { createTestDatabase } from './database.ts'

export const systemOwner = system('test')

/** One number per country. */
export const LONDON = '+442079460123'
export const BERLIN = '+4930901820'

/** A row of the cdrs table. */
type Cdr = {
  call_id: string
  user_id: number | null
  status: string
  reason: string
  sip_code: number | null
  dialed: string
  destination: string
  country: string | null
  route_name: string | null
  price_micros: bigint | null
  trunk_id: number | null
  attempts: { trunk: number; name: string; code: number; reason: string }[]
  started_at: Date
  answered_at: Date | null
  ended_at: Date
  seconds: number
  billed_seconds: number
  cost_micros: bigint
  buy_micros: bigint
  hung_up_by: string | null
}
export type Customer = { id: number; username: string }
type Columns<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>

/** The switch's address for call control. */
type Reached = Pick<RunningDemoSwitch, 'port' | 'connections' | 'connected'>

type Options = {
  /** An external database instead of one on the test server. */
  databaseUrl?: string
  sliceSeconds?: number
  leadSeconds?: number
  answerWithinMs?: number
  callerIds?: CallerIdPolicy
  logLevel?: string
}

/** Switches, call controls and a database that share one manual clock. */
export async function createTelephony(options: Options = {}) {
  const database = options.databaseUrl ? null : await createTestDatabase()
  const databaseUrl = options.databaseUrl ?? database?.url ?? ''
  const switchClock: ManualSwitchClock = createManualSwitchClock()
  const clock: Clock = { now: () => new Date(switchClock.now()) }
  const logger = pino({ level: options.logLevel ?? 'silent' })
  const open = (): Database =>
    openDatabase({
      url: databaseUrl,
      poolSize: 6,
      onError: () => {},
      settings: SESSION,
      connectTimeoutMs: 60_000,
    })
  const db = open()
  const ledger = createLedger(db, clock)
  const books = createBooks(db, clock, holdsOfLiveCalls)
  const switches: RunningDemoSwitch[] = []
  const controls = new Set<CallControl>()
  let keys = 0
  let users = 0

  onTestFinished(async () => {
    for (const control of controls) await control.close()
    for (const one of switches) await one.close()
    await db.destroy()
    await database?.drop()
  })

  async function startSwitch(id = `sw${switches.length + 1}`): Promise<RunningDemoSwitch> {
    const started = await startDemoSwitch({ port: 0, id, clock: switchClock })
    switches.push(started)
    return started
  }

  /** A call control with its own connections and memory, like a separate process. */
  async function startControl(
    to: readonly Reached[] = switches,
    metrics = createMetrics(),
  ): Promise<CallControl> {
    const own = open()
    const before = to.map((one) => one.connections())
    const alerts = createAlerts(own, clock)
    const control = createCallControl({
      db: own,
      databaseUrl,
      clock,
      timers: systemTimers,
      logger,
      alerts,
      metrics,
      ledger: createLedger(own, clock, createBalanceWatch(alerts)),
      announcer: createAnnouncer(own, () => {}),
      trunkTests: createTrunkTests({ db: own, databaseUrl, clock, timers: systemTimers }),
      connect: createSwitchConnector({ logger, firstPauseMs: 5, longestPauseMs: 50 }),
      settings: {
        switches: to.map(({ port }) => `127.0.0.1:${port}`),
        realm: 'trunkline',
        callerIds: options.callerIds ?? 'any',
        sliceSeconds: options.sliceSeconds ?? 60,
        leadSeconds: options.leadSeconds ?? 20,
        answerWithinMs: options.answerWithinMs ?? 5_000,
        deadAfterMs: 60_000,
      },
    })
    const close = control.close.bind(control)
    control.close = async () => {
      if (!controls.delete(control)) return
      await close()
      await own.destroy()
    }
    controls.add(control)
    await control.start()
    for (const [index, one] of to.entries()) await one.connected((before[index] ?? 0) + 1)
    await settle()
    return control
  }

  /**
   * Resolves when all messages so far are processed and committed on both sides. The acknowledgment of a switch's last event arrives
   * after all earlier messages.
   */
  async function settle(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      for (const control of controls) await control.idle()
      for (const one of switches) {
        if (one.connections() === 0) continue
        one.emit({ type: 'unregistered', at: switchClock.now(), user: 'nobody', contact: 'sip:nobody' })
        await one.acknowledged()
      }
    }
    for (const control of controls) await control.idle()
  }

  async function tick(): Promise<void> {
    for (const control of controls) await control.tick()
    await settle()
  }

  return {
    db,
    databaseUrl,
    clock,
    switchClock,
    ledger,
    switches,
    controls,
    startSwitch,
    startControl,
    settle,
    tick,

    /** Advances the clock second by second. */
    async advance(seconds: number, step = 1): Promise<void> {
      for (let left = seconds; left > 0; left -= step) {
        switchClock.advance(Math.min(step, left) * 1000)
        await settle()
        await tick()
      }
    },

    /** Places a call that is answered immediately by default. */
    async place(wish: Omit<CallWish, 'to'> & { to?: string }, at = switches[0] as RunningDemoSwitch) {
      const placed = at.place({
        to: LONDON,
        talkMs: null,
        carriers: [{ code: 200, afterMs: 0, ringAfterMs: null }],
        ...wish,
      })
      await placed.decided
      switchClock.advance(0)
      return placed
    },

    async topUp(userId: number, amountMicros: Micros): Promise<void> {
      const key = `test ${++keys}`
      await ledger.post(systemOwner, { kind: 'top_up', key, userId, amountMicros, reference: 'order' })
    },
    async takeAway(userId: number, amountMicros: Micros): Promise<void> {
      const key = `test ${++keys}`
      const command = { kind: 'adjustment', direction: 'debit', key, userId, amountMicros } as const
      const outcome = await ledger.post(systemOwner, { ...command, reference: 'test', reason: 'test' })
      if (!outcome.ok) throw new Error(outcome.reason)
    },

    newPlan(name = `Plan ${++keys}`): Promise<number> {
      const row = { name, created_at: clock.now() }
      return insertedId(db.insertInto('plans').values(row).returning('id'))
    },
    newRoute(planId: number, columns: Columns<'routes'> = {}): Promise<number> {
      const now = clock.now()
      const row = {
        country: 'GB',
        name: `Route ${++keys}`,
        plan_id: planId,
        price_micros: 60_000n,
        created_at: now,
        updated_at: now,
        ...columns,
      }
      return insertedId(db.insertInto('routes').values(row).returning('id'))
    },
    async newTrunk(planId: number, columns: Columns<'trunks'> = {}): Promise<number> {
      const now = clock.now()
      const row = {
        name: `Trunk ${++keys}`,
        host: '192.0.2.1',
        buy_rate_micros: 10_000n,
        capacity: 1000,
        created_at: now,
        updated_at: now,
        ...columns,
      }
      const id = await insertedId(db.insertInto('trunks').values(row).returning('id'))
      await db.insertInto('trunk_plans').values({ trunk_id: id, plan_id: planId }).execute()
      return id
    },
    /** A customer who may call: with a balance, a caller ID and a selected route. Options restrict this. */
    async newCustomer(
      balanceMicros: Micros,
      routeId: number,
      {
        country = 'GB',
        callerId = '12025550100' as string | null,
        address,
        ...columns
      }: {
        /** A trusted address, whose calls need no password. */
        address?: string
        country?: string
        callerId?: string | null
        is_premium?: boolean
        disabled_at?: Date
      } = {},
    ): Promise<Customer> {
      const username = `caller-${++users}`
      const now = clock.now()
      const { id } = await insertUser(db, { username, passwordHash: '', email: null }, now)
      if (Object.keys(columns).length > 0)
        await db.updateTable('users').set(columns).where('id', '=', id).execute()
      if (address !== undefined)
        await db
          .insertInto('trusted_addresses')
          .values({ user_id: id, address, state: 'proven', added_at: now, trusted_at: now })
          .execute()
      if (callerId !== null)
        await db
          .insertInto('caller_ids')
          .values({ user_id: id, callerid: callerId, updated_at: now })
          .execute()
      await db
        .insertInto('selected_routes')
        .values({ user_id: id, country, route_id: routeId, selected_at: now })
        .execute()
      if (balanceMicros > ZERO) await this.topUp(id, balanceMicros)
      return { id, username }
    },
    async guard(userId: number, columns: Columns<'guards'>): Promise<void> {
      const row = { user_id: userId, set_by: 'admin' as const, updated_at: clock.now(), ...columns }
      await db
        .insertInto('guards')
        .values(row)
        .onConflict((conflict) => conflict.columns(['user_id', 'set_by']).doUpdateSet(row))
        .execute()
    },

    /** Resolves when call control has processed all notifications. */
    async waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
      for (let waited = 0; !(await condition()); waited += 5) {
        if (waited > 20_000) throw new Error('it never became so')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },

    async cdrs(): Promise<Cdr[]> {
      return (await sql<Cdr>`select * from cdrs order by call_id`.execute(db)).rows
    },
    async cdrOf(call: string): Promise<Cdr> {
      const { rows } = await sql<Cdr>`select * from cdrs where call_id like ${`%/${call}`}`.execute(db)
      if (rows.length !== 1) throw new Error(`${rows.length} records of ${call}`)
      return rows[0] as Cdr
    },
    liveRows: () => db.selectFrom('live_calls').selectAll().orderBy('call_id').execute(),
    async openHolds(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from holds where status = 'open'`.execute(db)
      return rows[0]?.count ?? 0
    },
    balanceOf: (userId: number) => ledger.balanceOf(systemOwner, userId),
    /** Faults of the ledger check as text. */
    async faults(): Promise<string[]> {
      const report = await books.check()
      return report.isSound ? [] : describeBooks(report)
    },
  }
}

export type Telephony = Awaited<ReturnType<typeof createTelephony>>

/** A plan with a trunk and a route at six cents per minute, or 1,000 micro-dollars per second. */
export async function createSmallProvider(
  options: Options & { route?: Columns<'routes'>; trunk?: Columns<'trunks'> } = {},
) {
  const telephony = await createTelephony(options)
  const planId = await telephony.newPlan('Gold CLI')
  const trunkId = await telephony.newTrunk(planId, { name: 'Carrier One', ...options.trunk })
  const routeId = await telephony.newRoute(planId, { name: 'UK Gold', ...options.route })
  const one = await telephony.startSwitch()
  return { ...telephony, planId, trunkId, routeId, switch: one }
}

/** A small provider with a customer who may call. */
export async function createProviderWithCustomer(
  balanceMicros: Micros,
  options: Parameters<typeof createSmallProvider>[0] = {},
) {
  const phone = await createSmallProvider(options)
  return { phone, ...(await phone.newCustomer(balanceMicros, phone.routeId)) }
}

export const usd = (amount: number): Micros => micros(BigInt(Math.round(amount * 1_000_000)))
