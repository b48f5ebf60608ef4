import { paymentStates } from '@trunkline/contract/payment-states'
import { accountLabel } from '@trunkline/contract/phone-names'
import { promoTypeLabels } from '@trunkline/contract/promo-types'
import type { SearchResult } from '@trunkline/contract/search'
import { type AllUsers, type Caller, everyonesData } from '@trunkline/domain/access'
import { formatDollars, micros } from '@trunkline/domain/money'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { type CdrRow, findCdr, listCdrs } from '../../calls/cdr/list-store.ts'
import { readRecordId, writeRecordId } from '../../calls/cdr/record-id.ts'
import {
  findLiveCalls,
  findNumbers,
  findPayments,
  findPromoCodes,
  findRoutes,
  findStart,
  findTickets,
  findTrunks,
  findUsers,
  periodOfCall,
  possibleCallIds,
} from './store.ts'

export type Search = ReturnType<typeof createSearch>

/** Results of each kind. */
const LIMIT = 5
/** Shorter numbers are in too many call records. */
const MIN_DIGITS = 5
/** Call records are searched for numbers this far back. */
const CALLS_FOR = 92 * DAY

/** A number as people write it, or null. */
function digitsIn(text: string): string | null {
  const digits = /^[+\d\s()./-]+$/.test(text) ? text.replace(/\D/g, '').replace(/^00/, '') : ''
  return digits.length >= MIN_DIGITS ? digits : null
}

/**
 * Searches everything that an administrator can open. The queries run one after the other, so that a search occupies one connection.
 * Call records come from `reports`, which may be a replica.
 */
export function createSearch(db: Database, clock: Clock, reports: Database = db) {
  async function findCalls(scope: AllUsers, typed: string, callIds: string[]): Promise<CdrRow[]> {
    const now = clock.now()
    const digits = digitsIn(typed)
    if (digits !== null) {
      const filter = { search: digits, from: earlier(now, CALLS_FOR) }
      return await listCdrs(reports, scope, filter, { limit: LIMIT, now })
    }
    if (/\s/.test(typed)) return []
    const asRecord = readRecordId(typed)
    const named = asRecord && (await findCdr(db, scope, asRecord))
    if (named) return [named]
    for (const callId of callIds) {
      const startedAt = await findStart(db, scope, callId, await periodOfCall(db, scope, callId, now))
      const row = startedAt && (await findCdr(db, scope, { startedAt, callId }))
      if (row) return [row]
    }
    return []
  }

  return {
    async find(caller: Caller, q: string): Promise<{ results: SearchResult[] }> {
      const scope = everyonesData(caller)
      const wanted = { text: q.toLowerCase(), limit: LIMIT }
      const users = await findUsers(db, scope, wanted)
      const trunks = await findTrunks(db, wanted)
      const routes = await findRoutes(db, wanted)
      const digits = digitsIn(q)
      const numbers = digits === null ? [] : await findNumbers(db, scope, { digits, limit: LIMIT })
      const payments = await findPayments(db, scope, { ...wanted, typed: q })
      const promoCodes = await findPromoCodes(db, wanted)
      const tickets = await findTickets(db, scope, wanted)
      const callIds = await possibleCallIds(db, q)
      const live = await findLiveCalls(db, scope, { digits, callIds, limit: LIMIT })
      const calls = await findCalls(scope, q, callIds)
      return {
        results: [
          ...firstOfEach(users).map(({ id, username, email, company }) =>
            result('user', id, username, [email, company]),
          ),
          ...trunks.map(({ id, name, detail }) => result('carrier', id, name, [detail])),
          ...routes.map(({ id, name, detail }) => result('route', id, name, [detail])),
          ...numbers.map(({ id, e164, status, username, area }) =>
            result('number', id, `+${e164}`, [username ?? status, area]),
          ),
          ...payments.map((row) =>
            result(
              'payment',
              row.id,
              row.order_id,
              [row.username, formatDollars(micros(row.amount_micros)), paymentStates[row.shown_state].label],
              row.created_at,
            ),
          ),
          ...promoCodes.map(({ id, code, type }) => result('promo_code', id, code, [promoTypeLabels[type]])),
          ...tickets.map(({ id, subject, username, status, created_at }) =>
            result('ticket', id, `#${id} ${subject}`, [username, status], created_at),
          ),
          ...live.map(({ call_id, dialed, username, state, started_at }) =>
            result('live_call', call_id, dialed, [username, state], started_at),
          ),
          ...calls.map((row) => callResult(row, digits)),
        ],
      }
    },
  }
}

const result = (
  kind: SearchResult['kind'],
  id: string | number,
  title: string,
  details: readonly (string | null)[],
  at: Date | null = null,
): SearchResult => ({
  kind,
  id: String(id),
  title,
  detail: details.filter(Boolean).join(' · '),
  at: at?.toISOString() ?? null,
})

/** Names the caller ID if the number was found there. */
function callResult(row: CdrRow, digits: string | null): SearchResult {
  const isOfCaller = digits !== null && !`${row.dialed} ${row.destination}`.includes(digits)
  return result(
    'call',
    writeRecordId({ startedAt: row.started_at, callId: row.call_id }),
    row.destination === '' ? row.dialed : `+${row.destination}`,
    [isOfCaller ? `from +${row.caller_id}` : null, row.username ?? accountLabel(row.sip_account), row.status],
    row.started_at,
  )
}

/** An exact match is also among the others. */
const firstOfEach = <Row extends { id: number }>(rows: readonly Row[]): Row[] =>
  [...new Map([...rows].reverse().map((row) => [row.id, row])).values()].reverse().slice(0, LIMIT)
