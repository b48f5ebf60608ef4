import { type DifferenceKind, differenceKinds, type ReconciledCall } from '@trunkline/domain/carrier-invoices'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import {
  type CsvFile,
  dollarsOf,
  escapeFormula,
  expressionsOf,
  isoTimestampOf,
} from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'

export type CallRow = Selectable<Tables['carrier_invoice_calls']>

/** Batch size, because 100,000 rows at once can exceed the statement timeout of ten seconds. */
const MAX_AT_ONCE = 5_000

/** In the order of `calls`. Each batch waits for the database, so other events run between them. */
export async function insertCalls(
  db: Database,
  invoiceId: number,
  calls: readonly ReconciledCall[],
): Promise<void> {
  for (let at = 0; at < calls.length; at += MAX_AT_ONCE)
    await insertSome(db, invoiceId, at, calls.slice(at, at + MAX_AT_ONCE))
}

async function insertSome(
  db: Database,
  invoiceId: number,
  first: number,
  calls: readonly ReconciledCall[],
): Promise<void> {
  const values = <Value>(value: (call: ReconciledCall) => Value) => calls.map(value)
  /** Numbers, because PostgreSQL reads them faster than timestamps. */
  const times = (value: (call: ReconciledCall) => number | undefined) =>
    calls.map((call) => value(call) ?? null)
  await sql`
    insert into carrier_invoice_calls
           (invoice_id, position, kind, difference_micros, sort_key, line, carrier_at, carrier_number, carrier_seconds,
            carrier_billed_seconds, carrier_micros, carrier_caller, carrier_call_id, call_started_at, call_id, own_number,
            own_seconds, own_micros)
    select ${invoiceId}::integer, ${first}::integer + given.nr::integer, kind, difference, -abs(difference), line,
           to_timestamp(carrier_at / 1000.0), carrier_number, carrier_seconds, billed, carrier_micros, caller, carrier_id,
           to_timestamp(started_at / 1000.0), call_id, own_number, own_seconds, own_micros
      from unnest(${values(({ kind }) => kind)}::text[],
                  ${values(({ differenceMicros }) => differenceMicros)}::bigint[],
                  ${values(({ line }) => line?.line ?? null)}::integer[],
                  ${times(({ line }) => line?.at)}::float8[],
                  ${values(({ line }) => line?.number ?? null)}::text[],
                  ${values(({ line }) => line?.seconds ?? null)}::integer[],
                  ${values(({ line }) => line?.billedSeconds ?? null)}::integer[],
                  ${values(({ line }) => line?.amountMicros ?? null)}::bigint[],
                  ${values(({ line }) => line?.caller ?? null)}::text[],
                  ${values(({ line }) => line?.callId ?? null)}::text[],
                  ${times(({ call }) => call?.startedAt)}::float8[],
                  ${values(({ call }) => call?.callId ?? null)}::text[],
                  ${values(({ call }) => call?.number ?? null)}::text[],
                  ${values(({ call }) => call?.seconds ?? null)}::integer[],
                  ${values(({ call }) => call?.costMicros ?? null)}::bigint[])
           with ordinality as given (kind, difference, line, carrier_at, carrier_number, carrier_seconds, billed,
             carrier_micros, caller, carrier_id, started_at, call_id, own_number, own_seconds, own_micros, nr)`.execute(
    db,
  )
}

export type CallsPlace = { sortKey: bigint; position: number }
type CallsPage = { kind?: DifferenceKind | undefined; after?: CallsPlace | undefined; limit: number }

const differences = differenceKinds.filter((kind) => kind !== 'equal')

/** Reads the first of each kind from the index and merges them: one range of the index has one kind. */
export async function listCalls(
  db: Database,
  invoiceId: number,
  { kind, after, limit }: CallsPage,
): Promise<CallRow[]> {
  const place = after
    ? sql`(sort_key, position) > (${after.sortKey}::bigint, ${after.position}::integer)`
    : sql`true`
  const parts = (kind ? [kind] : differences).map(
    (each): RawBuilder<unknown> => sql`
      (select * from carrier_invoice_calls where invoice_id = ${invoiceId} and kind = ${each} and ${place}
        order by sort_key, position limit ${limit})`,
  )
  const { rows } = await sql<CallRow>`
    select * from (${sql.join(parts, sql` union all `)}) as found order by sort_key, position limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Free text of the carrier can be a formula; numbers have digits only. */
const columns = [
  ['difference', 'kind'],
  ['amount_difference', dollarsOf('difference_micros')],
  ['line', 'line'],
  ['carrier_time', isoTimestampOf('carrier_at')],
  ['carrier_number', 'carrier_number'],
  ['carrier_seconds', 'carrier_seconds'],
  ['carrier_billed_seconds', 'carrier_billed_seconds'],
  ['carrier_amount', dollarsOf('carrier_micros')],
  ['carrier_caller', escapeFormula('carrier_caller')],
  ['carrier_call_id', escapeFormula('carrier_call_id')],
  ['our_start', isoTimestampOf('call_started_at')],
  ['our_number', 'own_number'],
  ['our_seconds', 'own_seconds'],
  ['our_cost', dollarsOf('own_micros')],
  ['our_call', escapeFormula('call_id')],
] as const

export function fileOfCalls(db: Database, invoiceId: number, kind: DifferenceKind | undefined): CsvFile {
  const query = sql`
    select ${expressionsOf(columns)} from carrier_invoice_calls
     where invoice_id = ${invoiceId} and ${kind ? sql`kind = ${kind}` : sql`kind <> 'equal'`}
     order by sort_key, position`
  return { columns, query: query.compile(db) }
}
