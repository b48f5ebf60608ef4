import { system } from '@trunkline/domain/access'
import { ZERO } from '@trunkline/domain/money'
import { type Selectable, sql } from 'kysely'
import { expect } from 'vitest'
import type { EndedCall } from '../src/features/calls/live-calls/live-call.ts'
import { listLiveCalls } from '../src/features/calls/live-calls/store.ts'
import type { Database } from '../src/platform/database.ts'
import type { Tables } from '../src/platform/tables.ts'
import type { Portal } from './portal.ts'

export const systemOwner = system('test')

type Columns = Partial<Omit<Selectable<Tables['live_calls']>, 'trunks'>>

/** Resolves when the server listens and has read the table. */
export async function untilListening({ services: { db, liveStreams } }: Portal): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and application_name = 'trunkline listener'
           and state = 'idle' and query <> ''`.execute(db)
      return rows.length
    })
    .toBeGreaterThan(0)
  await liveStreams.compare()
}

/** A call to London at six cents per minute. */
export async function insertLiveCall(
  db: Database,
  userId: number,
  columns: Columns & { call_id: string; started_at: Date },
): Promise<void> {
  await db
    .insertInto('live_calls')
    .values({
      switch_id: 'sw1',
      user_id: userId,
      state: 'authorized',
      sip_account: `sip-${userId}`,
      source_address: '192.0.2.7',
      device: '',
      caller_id: '12025550100',
      dialed: '00442079460000',
      destination: '442079460000',
      country: 'GB',
      line_type: 'landline',
      route_id: 1,
      route_name: 'UK Gold',
      plan_name: 'Gold CLI',
      rate_prefix: null,
      price_micros: 60_000n,
      connect_fee_micros: 5_000n,
      first_increment: 6,
      next_increment: 6,
      trunks: JSON.stringify([
        { id: 7, name: 'Carrier One', buy_rate_micros: 20_000 },
        { id: 8, name: 'Carrier Two', buy_rate_micros: 30_000 },
      ]),
      trunk_id: null,
      held_micros: 125_000n,
      covered_seconds: 120,
      ringing_at: null,
      answered_at: null,
      hangup_at: null,
      hangup_by: null,
      hangup_reason: null,
      ...columns,
    })
    .execute()
}

/** Changes and announces live calls as call control does. */
export function createPhones(portal: Portal) {
  const { db, announcer } = portal.services
  let calls = 0

  async function announce(callId: string): Promise<void> {
    const live = await listLiveCalls(db, systemOwner, { callIds: [callId] })
    announcer.announce(live.map((call) => ({ change: 'live', call })))
    await announcer.settled()
  }

  /** Changes the table without an announcement, like a call control that dies in between. */
  const silently = {
    async begin(userId: number, columns: Columns = {}): Promise<string> {
      const callId = columns.call_id ?? `sw1/call-${++calls}`
      await insertLiveCall(db, userId, { started_at: portal.clock.now(), ...columns, call_id: callId })
      return callId
    },
    async change(callId: string, columns: Columns): Promise<void> {
      await db.updateTable('live_calls').set(columns).where('call_id', '=', callId).execute()
    },
    ring: (callId: string) =>
      silently.change(callId, { state: 'ringing', ringing_at: portal.clock.now(), trunk_id: 7 }),
    answer: (callId: string) =>
      silently.change(callId, { state: 'answered', answered_at: portal.clock.now(), trunk_id: 7 }),
    async end(callId: string): Promise<number> {
      const { user_id } = await db
        .deleteFrom('live_calls')
        .where('call_id', '=', callId)
        .returning('user_id')
        .executeTakeFirstOrThrow()
      return user_id
    },
  }

  return {
    silently,
    announce,
    async begin(userId: number, columns: Columns = {}): Promise<string> {
      const callId = await silently.begin(userId, columns)
      await announce(callId)
      return callId
    },
    async ring(callId: string): Promise<void> {
      await silently.ring(callId)
      await announce(callId)
    },
    async answer(callId: string): Promise<void> {
      await silently.answer(callId)
      await announce(callId)
    },
    async extend(callId: string): Promise<void> {
      await silently.change(callId, { covered_seconds: 240, held_micros: 245_000n })
      await announce(callId)
    },
    async end(callId: string, ended: Partial<EndedCall> = {}): Promise<void> {
      const userId = await silently.end(callId)
      const figures = {
        status: 'completed',
        reason: 'hung_up_by_caller',
        seconds: 0,
        costMicros: ZERO,
      } as const
      announcer.announce([{ change: 'ended', call: { callId, userId, ...figures, ...ended } }])
      await announcer.settled()
    },
    /** Sends any text on the channel of live calls. */
    say: (payload: string) => sql`select pg_notify('live_calls', ${payload})`.execute(db),
  }
}
