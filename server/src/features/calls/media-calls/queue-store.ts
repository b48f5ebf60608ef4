import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Every change of a queue is announced here. */
export const QUEUE_CHANNEL = 'flow_queues'

export type QueuedCall = { callId: string; flowId: number; stepId: string }

/** The position of the call, or null if the queue is full. The lock makes concurrent arrivals wait for each other. */
export async function enterQueue(
  db: Database,
  { callId, flowId, stepId }: QueuedCall,
  { maxWaiting, now }: { maxWaiting: number; now: Date },
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`queue ${flowId} ${stepId}`}, 0))`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from queue_calls where flow_id = ${flowId} and step_id = ${stepId}`.execute(
      tx,
    )
    const count = rows[0]?.count ?? 0
    if (count >= maxWaiting) return null
    await sql`
      insert into queue_calls (call_id, flow_id, step_id, entered_at) values (${callId}, ${flowId}, ${stepId}, ${now})
      on conflict (call_id) do update
        set flow_id = excluded.flow_id, step_id = excluded.step_id, entered_at = excluded.entered_at`.execute(
      tx,
    )
    return count + 1
  })
}

export async function leaveQueue(db: Database, callId: string): Promise<void> {
  await sql`
    with gone as (delete from queue_calls where call_id = ${callId} returning flow_id)
    select pg_notify(${QUEUE_CHANNEL}, flow_id::text) from gone`.execute(db)
}

/** Positions of the given calls. A call that is not in a queue has none. */
export async function queuePositions(db: Database, callIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ call_id: string; position: number }>`
    select mine.call_id, count(*)::integer as position
      from queue_calls mine
      join queue_calls ahead
        on ahead.flow_id = mine.flow_id and ahead.step_id = mine.step_id and ahead.ticket <= mine.ticket
     where mine.call_id = any(${callIds}::text[])
     group by mine.call_id`.execute(db)
  return new Map(rows.map(({ call_id, position }) => [call_id, position]))
}
