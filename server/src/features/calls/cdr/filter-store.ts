import type { Owner } from '@trunkline/domain/access'
import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import type { CountryCode } from '@trunkline/domain/countries'
import { FAIR_MOS, GOOD_MOS, type Verdict } from '@trunkline/domain/media-quality'
import type { Micros } from '@trunkline/domain/money'
import { type RawBuilder, sql } from 'kysely'
import { earlier, MINUTE, startOfDay, startOfHour } from '../../../platform/clock.ts'

/** Filter of the stores. Bounds are inclusive, except `to` and `marginBelowMicros`. */
export type CdrFilter = {
  userId?: number | undefined
  search?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  status?: CallStatus | undefined
  country?: CountryCode | undefined
  minSeconds?: number | undefined
  maxSeconds?: number | undefined
  minCostMicros?: Micros | undefined
  maxCostMicros?: Micros | undefined
  direction?: 'in' | 'out' | undefined
  /** Incoming and not answered. */
  isMissed?: true | undefined
  /** Of the speech, by its MOS. */
  quality?: Verdict | undefined
} & FactFilter

/** Filters of administrators. */
type FactFilter = {
  /** A carrier that was tried. */
  trunkId?: number | undefined
  /** What the carrier, or any carrier, did with the call. */
  carrierResult?: 'answered' | 'failed' | undefined
  without?: keyof typeof MISSING | undefined
  routeId?: number | undefined
  ratePrefix?: string | undefined
  sipCode?: number | undefined
  reason?: CallReason | undefined
  /** The first digits. */
  callerId?: string | undefined
  sourceAddress?: string | undefined
  /** The first letters, in any case. */
  device?: string | undefined
  minMarginMicros?: Micros | undefined
  marginBelowMicros?: Micros | undefined
}

/** Must match the expressions of the search index exactly. */
export const SEARCHED = 'cdr_numbers(caller_id, sip_account, destination, dialed)'
export const DIGIT_RUNS = `digit_runs(${SEARCHED})`
const RUN_LENGTH = 6

/** Must match the expressions of the indexes exactly. */
export const CALLER_ID = '(caller_id collate "C")'
export const DEVICE = '(lower(device) collate "C")'
export const MARGIN = '(cost_micros - buy_micros)'
export const IS_POOR = `worst_mos(media) < ${FAIR_MOS}`
const TRIED_TRUNKS = `jsonb_path_query_array(attempts, '$[*].trunk')`
export const FACTS = `trunk_id, (${TRIED_TRUNKS}) jsonb_path_ops, route_id, rate_prefix, sip_code, reason, source_address`

/** Normalizes a search: case-insensitive, and numbers without spacing. */
function normalized(search: string): string {
  const text = search.toLowerCase()
  return /^[+\d\s()./-]+$/.test(text) ? text.replace(/[^+\d]/g, '') : text
}

const asPattern = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`

/** All runs of six digits in the search. */
function digitRunsOf(search: string): number[] {
  const runs = Array.from({ length: search.length }, (_, first) => search.slice(first, first + RUN_LENGTH))
  return runs.filter((run) => /^\d{6}$/.test(run)).map(Number)
}

/**
 * The condition of a search. Where an index exists, it finds a long number by its runs of digits alone: reading the trigrams too takes
 * longer. Elsewhere the runs would have to be computed for each record, which takes long.
 */
function matchesSearch(search: string, isIndexed: boolean): RawBuilder<unknown> {
  const like = asPattern(search)
  const runs = isIndexed ? digitRunsOf(search) : []
  return runs.length > 0
    ? sql`(${sql.raw(DIGIT_RUNS)} @> ${runs}::integer[] and (${sql.raw(SEARCHED)} || '') like ${like})`
    : sql`${sql.raw(SEARCHED)} like ${like}`
}

/** `last` follows every character that the values have. A range can use an index, LIKE with a parameter cannot. */
export const startsWith = (column: string, first: string, last: string): RawBuilder<unknown> =>
  sql`${sql.raw(column)} >= ${first} and ${sql.raw(column)} < ${`${first}${last}`}`

/** Calls that lack a value of the analysis. */
const MISSING = {
  country: 'country is null',
  prefix: 'rate_prefix is null',
  route: 'route_id is null',
  customer: 'user_id is null',
  caller: `caller_id = ''`,
  code: 'sip_code is null',
} as const

const FAILED_ATTEMPT = `'$[*] ? (@.code >= 300 && @.trunk > 0 && ($trunk == 0 || @.trunk == $trunk))'`

/** The carrier of a completed call is the one that answered. Ring targets of incoming calls have negative ids. */
function hasResult(result: 'answered' | 'failed', trunkId: number | undefined): RawBuilder<unknown> {
  if (result === 'answered')
    return sql`status = 'completed' and ${trunkId === undefined ? sql`trunk_id is not null` : sql`trunk_id = ${trunkId}`}`
  return sql`jsonb_path_exists(attempts, ${sql.raw(FAILED_ATTEMPT)}, jsonb_build_object('trunk', ${trunkId ?? 0}::integer))`
}

/** The score of a call is that of the side that heard worse. */
const HAS_QUALITY: Readonly<Record<Verdict, string>> = {
  good: `worst_mos(media) >= ${GOOD_MOS}`,
  fair: `worst_mos(media) >= ${FAIR_MOS} and worst_mos(media) < ${GOOD_MOS}`,
  poor: IS_POOR,
}

/** The conditions that an index can answer. */
function factConditions(filter: FactFilter): RawBuilder<unknown>[] {
  const { trunkId, routeId, ratePrefix, sipCode, reason, callerId, sourceAddress, device } = filter
  const conditions: RawBuilder<unknown>[] = []
  if (trunkId !== undefined) {
    const tried = sql`${sql.raw(TRIED_TRUNKS)} @> ${String(trunkId)}::jsonb`
    conditions.push(sql`(trunk_id = ${trunkId} or ${tried})`)
  }
  if (routeId !== undefined) conditions.push(sql`route_id = ${routeId}`)
  if (ratePrefix !== undefined) conditions.push(sql`rate_prefix = ${ratePrefix}`)
  if (sipCode !== undefined) conditions.push(sql`sip_code = ${sipCode}`)
  if (reason !== undefined) conditions.push(sql`reason = ${reason}`)
  if (sourceAddress !== undefined) conditions.push(sql`source_address = ${sourceAddress}`)
  if (callerId !== undefined) {
    conditions.push(startsWith(CALLER_ID, callerId, ':'))
    // PostgreSQL estimates a range by hundredths of the table. This says the same again, so that it expects few calls of a rare caller and
    // reads their index, not all calls in order of time.
    conditions.push(sql`caller_id like ${`${callerId}%`}`)
  }
  if (device !== undefined) conditions.push(startsWith(DEVICE, device.toLowerCase(), '\u{10ffff}'))
  const { minMarginMicros, marginBelowMicros } = filter
  if (minMarginMicros !== undefined) conditions.push(sql`${sql.raw(MARGIN)} >= ${minMarginMicros}`)
  if (marginBelowMicros !== undefined) conditions.push(sql`${sql.raw(MARGIN)} < ${marginBelowMicros}`)
  return conditions
}

/** Whether one of the indexes of completed periods helps (months.ts). */
const needsIndex = (filter: CdrFilter): boolean =>
  Boolean(filter.search) || filter.quality === 'poor' || factConditions(filter).length > 0

/** The hourly job needs some minutes (months.ts). */
const INDEXED_AFTER = 20 * MINUTE

/** The moments at which a period is cut, newest first, so that each part can use one index. Calls after the first moment have no index. */
export function indexCuts(filter: CdrFilter, now: Date): Date[] {
  if (!needsIndex(filter)) return []
  const [hour, today] = [startOfHour(earlier(now, INDEXED_AFTER)), startOfDay(now)]
  return hour > today ? [hour, today] : [today]
}

/** All conditions, starting with the owner. `isIndexed` says that the period has indexes. */
export function matchesFilter(owner: Owner, filter: CdrFilter, isIndexed = false): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = []
  if (owner.userId !== null) conditions.push(sql`user_id = ${owner.userId}`)
  if (filter.userId !== undefined) conditions.push(sql`user_id = ${filter.userId}`)
  if (filter.from) conditions.push(sql`started_at >= ${filter.from}`)
  if (filter.to) conditions.push(sql`started_at < ${filter.to}`)
  if (filter.status) conditions.push(sql`status = ${filter.status}`)
  if (filter.country) conditions.push(sql`country = ${filter.country}`)
  if (filter.minSeconds !== undefined) conditions.push(sql`seconds >= ${filter.minSeconds}`)
  if (filter.maxSeconds !== undefined) conditions.push(sql`seconds <= ${filter.maxSeconds}`)
  if (filter.minCostMicros !== undefined) conditions.push(sql`cost_micros >= ${filter.minCostMicros}`)
  if (filter.maxCostMicros !== undefined) conditions.push(sql`cost_micros <= ${filter.maxCostMicros}`)
  if (filter.direction) conditions.push(sql`direction = ${filter.direction}`)
  if (filter.without) conditions.push(sql.raw(MISSING[filter.without]))
  if (filter.carrierResult) conditions.push(hasResult(filter.carrierResult, filter.trunkId))
  if (filter.isMissed) conditions.push(sql`direction = 'in' and status <> 'completed'`)
  if (filter.quality) conditions.push(sql.raw(HAS_QUALITY[filter.quality]))
  conditions.push(...factConditions(filter))
  const search = normalized(filter.search ?? '')
  if (search !== '') conditions.push(matchesSearch(search, isIndexed))
  return conditions.length > 0 ? sql<boolean>`${sql.join(conditions, sql` and `)}` : sql<boolean>`true`
}
