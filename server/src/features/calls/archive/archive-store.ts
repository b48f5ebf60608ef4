import type pg from 'pg'
import { type Written, writeArchive } from '../../../platform/archive-file.ts'
import { copyOutOn } from '../../../platform/copy-out.ts'
import { fingerprintStatements } from '../books/sums-checks-store.ts'
import { ADD_QUEUED } from '../figures/statements-store.ts'

type Archivable = {
  name: string
  at: string
  order: string
  isDone: string
  /** Columns of the file. */
  columns?: string
  isAppendOnly?: true
}

/** Tables archived by month. Open alerts, payments under review and calls in progress stay. */
const SOURCES = {
  cdrs: { name: 'calls', at: 'started_at', order: 'started_at, call_id', isDone: 'true' },
  audit_log: { name: 'audit-log', at: 'at', order: 'id', isDone: 'true', isAppendOnly: true },
  alerts: { name: 'alerts', at: 'last_at', order: 'id', isDone: 'acknowledged_at is not null' },
  invoice_events: {
    name: 'payment-events',
    at: 'at',
    order: 'id',
    isDone: `not exists (select from payment_reviews where payment_reviews.invoice_id = invoice_events.invoice_id and resolved_at is null)`,
    isAppendOnly: true,
  },
  // With the steps and legs of each call, which are deleted with it.
  media_calls: {
    name: 'replays',
    at: 'started_at',
    order: 'started_at, call_id',
    isDone: 'ended_at is not null',
    columns: `*, (select jsonb_agg(jsonb_build_object('call_id', call_id, 'step', step) order by created_at)
                    from media_legs as l where l.parent_call_id = media_calls.call_id and l.call_id is not null) as legs,
              (select jsonb_agg(entry order by position) from media_call_steps as s where s.call_id = media_calls.call_id) as steps`,
  },
} as const satisfies Record<string, Archivable>
export type Source = keyof typeof SOURCES
export const sources = Object.keys(SOURCES) as Source[]

export type Month = { begins: Date; ends: Date }

/** Months before the given time with rows to archive, oldest first. */
export async function findMonths(client: pg.Client, source: Source, before: Date): Promise<Month[]> {
  const { at, isDone } = SOURCES[source]
  const { rows } = await client.query(
    source === 'cdrs'
      ? `select begins, begins + interval '1 month' as ends
           from (select to_date(relname, '"m"YYYY_MM')::timestamp at time zone 'UTC' as begins from pg_class
                  where relnamespace = 'cdr_months'::regnamespace and relispartition and relname ~ '^m\\d{4}_\\d\\d$') as months
          where begins + interval '1 month' <= $1 order by 1`
      : `select distinct date_trunc('month', ${at}, 'UTC') as begins, date_trunc('month', ${at}, 'UTC') + interval '1 month' as ends
           from ${source} where ${at} < $1 and ${isDone} order by 1`,
    [before],
  )
  return rows
}

/**
 * Writes a month to a file and deletes it in one transaction with a table lock, so that exactly the written rows are deleted. An
 * interrupted run leaves the database unchanged; the next run writes a new file with another name.
 */
export async function archiveMonth(
  client: pg.Client,
  source: Source,
  month: Month,
  folder: string,
): Promise<Written> {
  const { name, at, order, isDone, columns = '*' }: Archivable = SOURCES[source]
  const label = month.begins.toISOString().slice(0, 7)
  const partition = `cdr_months.m${label.replace('-', '_')}`
  const between = `${at} >= '${month.begins.toISOString()}' and ${at} < '${month.ends.toISOString()}' and ${isDone}`
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '5s'`)
    await client.query(
      source === 'cdrs'
        ? `lock table ${partition} in share mode`
        : `lock table ${source} in share row exclusive mode`,
    )
    const from = source === 'cdrs' ? partition : source
    const statement = `copy (select ${columns} from ${from} where ${between} order by ${order}) to stdout with (format csv, header)`
    const written = await writeArchive(
      folder,
      `${name}-${label}`,
      await copyOutOn(client, { statement, header: '' }),
    )
    // Without its record, a queued call could not be added to the figures.
    if (source === 'cdrs') await client.query(ADD_QUEUED, [null])
    const before = source === 'cdrs' ? await requireMatchingSums(client, month) : null
    await remove(client, source, partition, between, written.rows)
    const sums = before && (await sumFingerprints(client, month))
    await client.query(
      `insert into archives (file, source, begins, ends, row_count, sha256, sums, archived_at)
       values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())`,
      [
        written.file,
        source,
        month.begins,
        month.ends,
        written.rows,
        written.sha256,
        sums && JSON.stringify(sums),
      ],
    )
    await client.query('commit')
    return written
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function sumFingerprints(client: pg.Client, { begins, ends }: Month): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [table, statement] of Object.entries(fingerprintStatements))
    found[table] = (await client.query(statement, [begins, ends])).rows[0].fingerprint
  return found
}

/** Records with wrong sums stay, because the error could not be analyzed without them. */
async function requireMatchingSums(client: pg.Client, month: Month): Promise<true> {
  const { rows } = await client.query(
    `select sums from archives where source = 'cdrs' and begins = $1 order by archived_at desc limit 1`,
    [month.begins],
  )
  const wanted: Record<string, string> = rows[0]?.sums ?? {}
  for (const [table, found] of Object.entries(await sumFingerprints(client, month)))
    if (found !== (wanted[table] ?? '0'))
      throw new ArchiveRefusal(
        `${month.begins.toISOString().slice(0, 7)} was not archived: its sums in ${table} do not match its records. Run ./trunkline check-books for details.`,
      )
  return true
}

/** A problem that the operator must resolve first. */
export class ArchiveRefusal extends Error {}

async function remove(
  client: pg.Client,
  source: Source,
  partition: string,
  between: string,
  wanted: number,
): Promise<void> {
  if (source === 'cdrs') {
    const { rows } = await client.query(`select count(*)::int as count from ${partition}`)
    requireSameCount(rows[0].count, wanted)
    await client.query(`alter table cdrs detach partition ${partition}`)
    await client.query(`drop table ${partition}`)
    return
  }
  const { isAppendOnly }: Archivable = SOURCES[source]
  if (isAppendOnly) await client.query(`alter table ${source} disable trigger ${source}_append_only`)
  const { rowCount } = await client.query(`delete from ${source} where ${between}`)
  if (isAppendOnly) await client.query(`alter table ${source} enable trigger ${source}_append_only`)
  requireSameCount(rowCount ?? 0, wanted)
}

function requireSameCount(found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`the file has ${wanted} rows, but the database has ${found}`)
}

export type Archive = { file: string; sha256: string; row_count: string | bigint }

export const listArchives = async (client: pg.Client): Promise<Archive[]> =>
  (await client.query('select file, sha256, row_count from archives order by begins, file')).rows
