import type { Readable } from 'node:stream'
import type {
  AdminCdrDetails,
  AdminCdrRecord,
  CdrFilter as AskedFilter,
  CdrDetails,
  CdrRecord,
  CdrTotals,
} from '@trunkline/contract/cdr'
import { Refusal } from '@trunkline/contract/errors'
import { type Caller, everyonesData, type Owner, ownDataOf } from '@trunkline/domain/access'
import { countryCode, countryName } from '@trunkline/domain/countries'
import { type Micros, parseDollars } from '@trunkline/domain/money'
import { parseNumber } from '@trunkline/domain/numbers'
import type { Clock } from '../../../platform/clock.ts'
import type { Exports } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import type { FindChargedCalls } from '../../money/balances/service.ts'
import { isArchived } from './archived-store.ts'
import type { Attempt } from './cdr-store.ts'
import { fileOfCdrs } from './csv-store.ts'
import { explain } from './explain.ts'
import type { CdrFilter } from './filter-store.ts'
import {
  type CdrKey,
  type CdrRow,
  findCdr,
  findLegs,
  findLinked,
  findSettled,
  listCdrs,
} from './list-store.ts'
import { readRecordId, writeRecordId } from './record-id.ts'
import { addUp } from './totals.ts'
import {
  detailsForAdministrators,
  viewAdminRecord,
  viewCallRecord,
  viewChargedCall,
  viewQuality,
  viewRecord,
  viewTotals,
  wallClock,
} from './view.ts'

export type ListQuery = AskedFilter & { timezone: string; limit: number; cursor?: string | undefined }
type ExportQuery = AskedFilter & { timezone: string }
type RecordedCall = { callId: string; startedAt: Date; endedAt: Date; attempts: readonly Attempt[] }
type Page<Record> = { records: Record[]; next: string | null }

/** Call records of the user, and all records for administrators. */
export type CallRecords = {
  list(caller: Caller, query: ListQuery): Promise<Page<CdrRecord>>
  totals(caller: Caller, filter: AskedFilter): Promise<CdrTotals>
  find(caller: Caller, id: string, timezone: string): Promise<CdrDetails>
  latest(caller: Caller, limit: number): Promise<ReturnType<typeof viewCallRecord>[]>
  csv(caller: Caller, query: ExportQuery): Promise<Readable>
  listAll(caller: Caller, query: ListQuery): Promise<Page<AdminCdrRecord>>
  totalsOfAll(caller: Caller, filter: AskedFilter): Promise<CdrTotals>
  findAny(caller: Caller, id: string, timezone: string): Promise<AdminCdrDetails>
  csvOfAll(caller: Caller, query: ExportQuery): Promise<Readable>
  /** The call of a record, for its SIP messages. */
  callOf(caller: Caller, id: string): Promise<RecordedCall>
  /** What a statement shows of charged calls. */
  findCharged: FindChargedCalls
  /** The call of a record and the legs that it requested. */
  legsOf(owner: Owner, id: string): Promise<{ callId: string; legs: CdrRecord[] }>
}

/**
 * Lists, sums and exports use `reports`, which may be a replica with a delay. Single and latest records use `db`, because users look
 * at them right after a call.
 */
export function createCallRecords(
  db: Database,
  clock: Clock,
  exports: Exports,
  reports: Database = db,
): CallRecords {
  async function page<Record>(
    owner: Owner,
    { timezone, limit, cursor, ...asked }: ListQuery,
    view: (row: CdrRow, onTheWall: ReturnType<typeof wallClock>) => Record,
  ): Promise<Page<Record>> {
    const after = cursor === undefined ? undefined : keyFrom(cursor, 'invalid_input')
    const rows = await listCdrs(reports, owner, filterFrom(asked), {
      after,
      limit: limit + 1,
      now: clock.now(),
    })
    const { shown, next } = pageOf(rows, limit, (row) =>
      writeRecordId({ startedAt: row.started_at, callId: row.call_id }),
    )
    const onTheWall = wallClock(timezone)
    return {
      records: shown.map((row) => view(row, onTheWall)),
      next,
    }
  }

  const rowOf = async (owner: Owner, id: string): Promise<CdrRow> => {
    const key = keyFrom(id, 'not_found')
    const row = await findCdr(db, owner, key)
    if (row) return row
    throw new Refusal((await isArchived(db, key.startedAt)) ? 'archived' : 'not_found')
  }

  /** Customers see neither the carrier of a call nor records of the other customer. */
  async function detailsOf(owner: Owner, row: CdrRow, timezone: string): Promise<CdrDetails> {
    const linked = await findLinked(db, owner, row)
    return {
      ...viewDetails(row, timezone, owner.userId === null),
      linked: linked?.callId ?? null,
      linked_id: linked ? writeRecordId(linked) : null,
    }
  }

  const details = async (owner: Owner, id: string, timezone: string): Promise<CdrDetails> =>
    detailsOf(owner, await rowOf(owner, id), timezone)

  const exported = (caller: Caller, owner: Owner, { timezone, ...asked }: ExportQuery): Promise<Readable> =>
    exports.begin(caller.userId, fileOfCdrs(reports, owner, filterFrom(asked), timezone))

  return {
    list: (caller, query) => page(ownDataOf(caller), query, viewRecord),
    listAll: (caller, query) => page(everyonesData(caller), query, viewAdminRecord),

    totals: async (caller, filter) =>
      viewTotals(await addUp(reports, ownDataOf(caller), filterFrom(filter), clock.now())),
    totalsOfAll: async (caller, filter) =>
      viewTotals(await addUp(reports, everyonesData(caller), filterFrom(filter), clock.now())),

    find: (caller, id, timezone) => details(ownDataOf(caller), id, timezone),
    async findAny(caller, id, timezone) {
      const owner = everyonesData(caller)
      const row = await rowOf(owner, id)
      return { ...(await detailsOf(owner, row, timezone)), ...detailsForAdministrators(row) }
    },

    latest: async (caller, limit) =>
      (await listCdrs(db, ownDataOf(caller), {}, { limit, now: clock.now() })).map(viewCallRecord),

    async callOf(caller, id) {
      const row = await rowOf(everyonesData(caller), id)
      return { callId: row.call_id, startedAt: row.started_at, endedAt: row.ended_at, attempts: row.attempts }
    },

    async findCharged(owner, userId, calls) {
      const rows = await findSettled(db, owner, userId, calls)
      return new Map(rows.map((row) => [row.call_id, viewChargedCall(row)]))
    },

    async legsOf(owner, id) {
      const row = await rowOf(owner, id)
      const legs = await findLegs(db, owner, row)
      return { callId: row.call_id, legs: legs.map((leg) => viewRecord(leg, wallClock('UTC'))) }
    },

    csv: (caller, query) => exported(caller, ownDataOf(caller), query),
    csvOfAll: (caller, query) => exported(caller, everyonesData(caller), query),
  }
}

function keyFrom(id: string, otherwise: 'invalid_input' | 'not_found'): CdrKey {
  const key = readRecordId(id)
  if (!key) throw new Refusal(otherwise)
  return key
}

function filterFrom(asked: AskedFilter): CdrFilter {
  return {
    userId: asked.user,
    search: asked.search,
    from: asked.from === undefined ? undefined : new Date(asked.from),
    to: asked.to === undefined ? undefined : new Date(asked.to),
    status: asked.status,
    country: asked.country === undefined || asked.country === '' ? undefined : codeOf(asked.country),
    minSeconds: asked.min_duration,
    maxSeconds: asked.max_duration,
    minCostMicros: microsOf(asked.min_cost),
    maxCostMicros: microsOf(asked.max_cost),
    direction: asked.direction,
    isMissed: asked.missed === undefined ? undefined : true,
    quality: asked.quality,
    trunkId: asked.trunk,
    carrierResult: asked.carrier_result,
    without: asked.without,
    ratePrefix: asked.rate_prefix,
    routeId: asked.route,
    sipCode: asked.sip_code,
    reason: asked.reason,
    callerId: asked.caller_id?.replace(/\D/g, ''),
    sourceAddress: asked.source_address,
    device: asked.device,
    minMarginMicros: microsOf(asked.min_margin),
    marginBelowMicros: microsOf(asked.margin_below),
  }
}

function microsOf(amount: number | undefined): Micros | undefined {
  if (amount === undefined) return undefined
  const parsed = parseDollars(amount)
  if (!parsed.ok) throw new Refusal('invalid_input')
  return parsed.amountMicros
}

function codeOf(country: string): string {
  const code = countryCode(country)
  if (code === null) throw new Refusal('invalid_input', 'No country has this name.')
  return code
}

/** The country of a record is that of the called number. */
function callerCountryOf({ direction, caller_id }: CdrRow): string | null {
  const caller = direction === 'in' && caller_id !== '' ? parseNumber(`+${caller_id}`) : null
  return caller && countryName(caller.country)
}

const viewDetails = (
  row: CdrRow,
  timezone: string,
  seesCarriers: boolean,
): Omit<CdrDetails, 'linked' | 'linked_id'> => ({
  ...viewRecord(row, wallClock(timezone)),
  caller_country: callerCountryOf(row),
  dialed: row.dialed,
  line_type: row.line_type,
  source_address: row.direction === 'in' && !seesCarriers ? '' : row.source_address,
  device: row.device,
  ringing_at: row.ringing_at?.toISOString() ?? null,
  answered_at: row.answered_at?.toISOString() ?? null,
  ended_at: row.ended_at.toISOString(),
  sip_code: row.sip_code,
  hung_up_by: row.hung_up_by,
  plan: row.plan_name,
  billed_seconds: row.billed_seconds,
  media: row.media && {
    phone: viewQuality(row.media.phone),
    carrier: row.media.carrier && viewQuality(row.media.carrier),
  },
  ...explain(row, seesCarriers),
})
