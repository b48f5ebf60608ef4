import { type RawBuilder, sql } from 'kysely'

export type Abandoned = { mediaIds: readonly string[]; before: Date }

/** Sounds that these media processes began before the given time, and sounds that others did not finish with their call. */
export const isAbandoned = (
  table: 'recordings' | 'voicemails',
  { mediaIds, before }: Abandoned,
): RawBuilder<boolean> => sql<boolean>`(
  state = 'recording' and started_at <= ${before} and (
    media_id = any(${[...mediaIds, '']}::text[])
    or exists (select from media_calls where media_calls.call_id = ${sql.ref(`${table}.call_id`)} and media_calls.ended_at < ${before})))`
