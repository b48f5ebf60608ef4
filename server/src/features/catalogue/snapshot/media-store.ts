import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'

/** A media process. */
export type MediaServer = {
  id: string
  host: string
  port: number
  password: string
  startedAt: Date
  isLeaving: boolean
  /** It can record dialed calls. */
  copiesAudio: boolean
  liveCalls: number
  /** Time of its last sign of life, by its own clock. */
  seenAt: Date
}

/** A flow as call control knows it. */
export type FlowFacts = { id: number; userId: number; name: string; isPublished: boolean }

export async function readMediaServers(db: Database): Promise<MediaServer[]> {
  const rows = await db.selectFrom('media_servers').selectAll().orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    port: row.port,
    password: row.password,
    startedAt: row.started_at,
    isLeaving: row.is_leaving,
    copiesAudio: row.copies_audio,
    liveCalls: row.live_calls,
    seenAt: row.seen_at,
  }))
}

export async function readFlows(db: Database, _scope: AllUsers, id?: number): Promise<FlowFacts[]> {
  const rows = await db
    .selectFrom('flows')
    .select(['id', 'user_id', 'name', 'published_version'])
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    name: row.name,
    isPublished: row.published_version !== null,
  }))
}
