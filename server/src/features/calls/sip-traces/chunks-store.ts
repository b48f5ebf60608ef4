import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { AllUsers } from '@trunkline/domain/access'
import type { CapturedMessage } from '@trunkline/domain/sip-trace'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Messages of one call that are written together, in order of time. */
export type TraceChunk = { callId: string; messages: readonly CapturedMessage[] }

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)
/** Fast: the messages of a call repeat each other, so a higher level gains little. */
const LEVEL = 3

/** A chunk starts at most this long after the call, such as a BYE that the switch repeats for five minutes. */
const AFTER_CALL = sql`interval '10 minutes'`
/** A phone that is challenged sends its first INVITE before call control names the call. */
const BEFORE_CALL = sql`interval '1 minute'`

export async function insertChunks(db: Database, chunks: readonly TraceChunk[]): Promise<void> {
  const packed = await Promise.all(
    chunks.map(({ messages }) => deflate(JSON.stringify(messages), { level: LEVEL })),
  )
  const begins = chunks.map(({ messages }) => new Date(messages[0]?.at ?? 0).toISOString())
  const names = chunks.map(({ callId }) => callId)
  await sql`
    insert into sip_traces.chunks (call_id, begins, messages)
    select * from unnest(${names}::text[], ${begins}::timestamptz[], ${packed}::bytea[])`.execute(db)
}

type Call = { callId: string; startedAt: Date; endedAt: Date }

/** All stored messages of a call. */
export async function readMessages(db: Database, call: Call): Promise<CapturedMessage[]> {
  const { rows } = await sql<{ messages: Buffer }>`
    select messages from sip_traces.chunks
     where call_id = ${call.callId.replace(/\/admitted$/, '')}
       and begins between ${call.startedAt}::timestamptz - ${BEFORE_CALL} and ${call.endedAt}::timestamptz + ${AFTER_CALL}
     order by begins`.execute(db)
  const chunks = await Promise.all(rows.map(({ messages }) => unpack(messages)))
  return chunks.flat()
}

/** The first messages of the calls that are live, for a call control that has just started. */
export async function readLiveTraces(db: Database, owner: AllUsers, since: Date): Promise<TraceChunk[]> {
  const { rows } = await sql<{ call_id: string; messages: Buffer }>`
    select distinct on (call_id) call_id, messages
      from sip_traces.chunks
     where begins >= ${since} and ${owner.userId}::integer is null and call_id in (select call_id from live_calls)
     order by call_id, begins`.execute(db)
  return await Promise.all(
    rows.map(async (row) => ({ callId: row.call_id, messages: await unpack(row.messages) })),
  )
}

const unpack = async (packed: Buffer): Promise<CapturedMessage[]> =>
  JSON.parse((await inflate(packed)).toString('utf8'))

/** Creates the partition of a day if it is missing. */
export async function createTraceDay(db: Database, moment: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx)
    await sql`select sip_traces.make_day(${moment})`.execute(tx)
  })
}

/** Drops the partitions of days that ended before the given time. Returns their names. */
export async function dropTraceDays(db: Database, endedBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = 'sip_traces'::regnamespace and relkind = 'r' and relname ~ '^d\\d{4}_\\d\\d_\\d\\d$'
       and (to_date(relname, '"d"YYYY_MM_DD') + 1)::timestamp at time zone 'UTC' <= ${endedBefore}
     order by 1`.execute(db)
  for (const { name } of rows)
    await db.transaction().execute(async (tx) => {
      // A waiting DROP blocks later readers, so it times out and is retried.
      await sql`set local lock_timeout = '2s'`.execute(tx)
      await sql`drop table ${sql.id('sip_traces', name)}`.execute(tx)
    })
  return rows.map(({ name }) => name)
}
