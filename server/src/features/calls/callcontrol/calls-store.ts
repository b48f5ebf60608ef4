import type { AllUsers } from '@trunkline/domain/access'
import { type EndReason, FLOW_LEG_ROUTE_ID, INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { type Micros, micros } from '@trunkline/domain/money'
import { CompiledQuery, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Call } from '../live-calls/call.ts'
import { type CallRow, newCallColumns, readCall } from '../live-calls/call-row.ts'
import type { ForeignUse } from './calls.ts'
import { ADMIT, ADMIT_FREE, CHECK_START, COVER, DELETE_CALLS, LOCK, PROGRESS } from './statements-store.ts'

const run = async <Row>(db: Database, statement: string, parameters: unknown[]): Promise<Row[]> =>
  (await db.executeQuery(CompiledQuery.raw(statement, parameters))).rows as Row[]

const inOrder = <One extends { callId: string }>(list: readonly One[]): One[] =>
  [...list].sort((left, right) => (left.callId < right.callId ? -1 : 1))

/** Places holds and starts the calls that the balances cover; returns their IDs. */
export async function admitCalls(
  db: Database,
  _scope: AllUsers,
  calls: readonly Call[],
  now: Date,
): Promise<Set<string>> {
  const asked = inOrder(calls)
  const rows = await run<{ call_id: string }>(db, ADMIT, [
    asked.map(({ callId }) => callId),
    asked.map(({ userId }) => userId),
    asked.map(({ heldMicros }) => heldMicros),
    now,
    JSON.stringify(asked.map(newCallColumns)),
  ])
  return new Set(rows.map((row) => row.call_id))
}

export async function admitFreeCalls(
  db: Database,
  _scope: AllUsers,
  calls: readonly Call[],
): Promise<Set<string>> {
  const rows = await run<{ call_id: string }>(db, ADMIT_FREE, [
    JSON.stringify(inOrder(calls).map(newCallColumns)),
  ])
  return new Set(rows.map((row) => row.call_id))
}

/** Why a call did not start. A call with a hold or a zero price but without a live row has ended. */
export type StartCheck = { live: Call | null; hasHold: boolean; availableMicros: Micros }

export async function checkStart(
  db: Database,
  owner: AllUsers,
  asked: readonly { callId: string; userId: number }[],
): Promise<Map<string, StartCheck>> {
  const ids = asked.map(({ callId }) => callId)
  const rows = await run<{ asked_id: string; available_micros: bigint | null; hold_status: string | null }>(
    db,
    CHECK_START,
    [ids, asked.map(({ userId }) => userId)],
  )
  const live = new Map((await readCalls(db, owner, ids)).map((call) => [call.callId, call]))
  return new Map(
    rows.map((row) => [
      row.asked_id,
      {
        live: live.get(row.asked_id) ?? null,
        hasHold: row.hold_status !== null,
        availableMicros: micros(row.available_micros ?? 0n),
      },
    ]),
  )
}

export async function readCalls(db: Database, _scope: AllUsers, callIds: readonly string[]): Promise<Call[]> {
  if (callIds.length === 0) return []
  const rows = await db
    .selectFrom('live_calls')
    .innerJoin('users', 'users.id', 'live_calls.user_id')
    .selectAll('live_calls')
    .select('users.username')
    .where(sql<boolean>`call_id = any(${callIds}::text[])`)
    .execute()
  return rows.map(readCall)
}

/** The calls whose hold was settled or released since then. */
export async function closedSince(
  db: Database,
  _scope: AllUsers,
  callIds: readonly string[],
  since: Date,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('holds')
    .select('hold_id')
    .where(sql<boolean>`hold_id = any(${callIds}::text[])`)
    .where('closed_at', '>=', since)
    .execute()
  return new Set(rows.map((row) => row.hold_id))
}

export type CallState = Pick<Call, 'callId' | 'state' | 'coveredSeconds' | 'heldMicros'>

/** The changing fields of all calls of a switch. */
export async function readStates(db: Database, _scope: AllUsers, switchId: string): Promise<CallState[]> {
  const rows = await db
    .selectFrom('live_calls')
    .select(['call_id', 'state', 'covered_seconds', 'held_micros'])
    .where('switch_id', '=', switchId)
    .execute()
  return rows.map((row) => ({
    callId: row.call_id,
    state: row.state,
    coveredSeconds: row.covered_seconds,
    heldMicros: micros(row.held_micros),
  }))
}

/** Progress of a call since the last write. */
export type Progress = { callId: string; trunkId: number; ringingAt: Date | null; answeredAt: Date | null }
export type Progressed = Pick<CallRow, 'call_id' | 'state' | 'trunk_id' | 'ringing_at' | 'answered_at'>

export async function progressCalls(
  db: Database,
  _scope: AllUsers,
  progresses: readonly Progress[],
): Promise<Map<string, Progressed>> {
  const asked = inOrder(progresses)
  const rows = await run<Progressed>(db, PROGRESS, [
    asked.map(({ callId }) => callId),
    asked.map(({ trunkId }) => trunkId),
    asked.map(({ ringingAt }) => ringingAt),
    asked.map(({ answeredAt }) => answeredAt),
  ])
  return new Map(rows.map((row) => [row.call_id, row]))
}

/** Part of a transaction: the caller that deletes the row settles the call. */
export async function deleteCalls(
  db: Database,
  _scope: AllUsers,
  callIds: readonly string[],
): Promise<Call[]> {
  return (await run<CallRow>(db, DELETE_CALLS, [[...callIds].sort()])).map((row) => readCall(row))
}

export type Covered = { callId: string; coveredSeconds: number; heldMicros: Micros }

export async function lockCalls(
  db: Database,
  _scope: AllUsers,
  callIds: readonly string[],
): Promise<Covered[]> {
  type Row = Pick<CallRow, 'call_id' | 'covered_seconds' | 'held_micros'>
  return (await run<Row>(db, LOCK, [[...callIds].sort()])).map((row) => ({
    callId: row.call_id,
    coveredSeconds: row.covered_seconds,
    heldMicros: micros(row.held_micros),
  }))
}

export async function coverCalls(db: Database, _scope: AllUsers, covered: readonly Covered[]): Promise<void> {
  const asked = inOrder(covered)
  await run(db, COVER, [
    asked.map(({ callId }) => callId),
    asked.map(({ coveredSeconds }) => coveredSeconds),
    asked.map(({ heldMicros }) => heldMicros),
  ])
}

/** Calls with a hangup request. */
export async function readHangups(
  db: Database,
  _scope: AllUsers,
): Promise<{ callId: string; hangupAt: Date; reason: EndReason }[]> {
  const rows = await db
    .selectFrom('live_calls')
    .select(['call_id', 'hangup_at', 'hangup_reason'])
    .where('hangup_at', 'is not', null)
    .execute()
  return rows.map((row) => ({
    callId: row.call_id,
    hangupAt: row.hangup_at as Date,
    reason: (row.hangup_reason ?? 'hung_up_by_admin') as EndReason,
  }))
}

/** Requests the end of calls whose account may no longer call; keeps an earlier requester. */
export async function stopCalls(
  db: Database,
  _scope: AllUsers,
  callIds: readonly string[],
  reason: EndReason,
  now: Date,
): Promise<void> {
  await sql`
    update live_calls set hangup_at = ${now}, hangup_reason = ${reason}
     where hangup_at is null
       and call_id in (select call_id from live_calls where call_id = any(${callIds}::text[])
                        order by call_id for no key update)`.execute(db)
}

/** Number of live calls by switch, user, and trunk or number. */
export async function readUse(db: Database, _scope: AllUsers): Promise<ForeignUse[]> {
  const { rows } = await sql<{
    switch_id: string
    user_id: number
    direction: 'in' | 'out'
    number_id: number | null
    trunk: number | null
    calls: number
    held: bigint
  }>`
    select switch_id, user_id, direction, number_id,
           case when direction = 'out' then coalesce(trunk_id, (trunks -> 0 ->> 'id')::integer) end as trunk,
           count(*)::integer as calls, sum(held_micros)::bigint as held
      from live_calls where route_id not in (${FLOW_LEG_ROUTE_ID}, ${INNER_LEG_ROUTE_ID}) group by 1, 2, 3, 4, 5`.execute(
    db,
  )
  return rows.map((row) => ({
    switchId: row.switch_id,
    userId: row.user_id,
    trunkId: row.trunk,
    numberId: row.number_id,
    direction: row.direction,
    calls: row.calls,
    heldMicros: micros(row.held),
  }))
}

/**
 * Cost by user of the calls that ended since midnight (UTC), and of the recordings that were booked since then. Calls that started
 * before midnight come from a partial index. No call lasts longer than four hours after its answer.
 */
export async function readSpending(
  db: Database,
  _scope: AllUsers,
  midnight: Date,
): Promise<Map<number, Micros>> {
  const { rows } = await sql<{ user_id: number; cost: bigint }>`
    select user_id, sum(cost)::bigint as cost from (
      select user_id, cost_micros as cost from account_hours where hour >= ${midnight} and cost_micros > 0
      union all
      select user_id, cost_micros from cdrs
       where started_at >= ${midnight}::timestamptz - interval '5 hours' and started_at < ${midnight}
         and (started_at at time zone 'UTC')::date < (ended_at at time zone 'UTC')::date
         and user_id is not null and cost_micros > 0
      union all
      select p.user_id, -e.amount_micros from postings as p
        join entries as e on e.posting_id = p.id and e.account = 'customer:' || p.user_id
       where p.kind = 'recording' and p.at >= ${midnight}) as spent
     group by user_id`.execute(db)
  return new Map(rows.map((row) => [row.user_id, micros(row.cost)]))
}
