import { reasonText } from '@trunkline/contract/call-reasons'
import type {
  AdminCdrRecord,
  CdrRecord,
  CdrTotals,
  SideQuality as QualityView,
} from '@trunkline/contract/cdr'
import { countryName } from '@trunkline/domain/countries'
import type { SideQuality } from '@trunkline/domain/media-quality'
import { average, dollars, inMinutes, percent } from '../../../platform/figures.ts'
import type { ChargedCall } from '../../money/balances/view.ts'
import type { CdrRow } from './list-store.ts'
import { writeRecordId } from './record-id.ts'
import type { Totals } from './totals-store.ts'

/** Rows in the API's format. */

const inE164 = (digits: string): string => `+${digits}`
/** The SIP account of an incoming call is the called customer. */
const withoutCallerId = (row: CdrRow): string => (row.direction === 'in' ? 'Withheld' : row.sip_account)
const callerOf = (row: CdrRow): string =>
  row.caller_id === '' ? withoutCallerId(row) : inE164(row.caller_id)
const destinationOf = (row: CdrRow): string => (row.destination === '' ? row.dialed : inE164(row.destination))

/** `YYYY-MM-DD` and `HH:MM:SS` in the given time zone. */
export function wallClock(timezone: string): (at: Date) => { date: string; time: string } {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return (at) => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return {
      date: `${part.year?.padStart(4, '0')}-${part.month}-${part.day}`,
      time: `${part.hour}:${part.minute}:${part.second}`,
    }
  }
}

export const viewRecord = (row: CdrRow, onTheWall: ReturnType<typeof wallClock>): CdrRecord => ({
  id: writeRecordId({ startedAt: row.started_at, callId: row.call_id }),
  uniqueid: row.call_id,
  ...onTheWall(row.started_at),
  caller: callerOf(row),
  destination: destinationOf(row),
  country: row.country === null ? null : countryName(row.country),
  duration: row.seconds,
  cost: dollars(row.cost_micros),
  status: row.status,
  direction: row.direction,
  caller_name: row.caller_name,
  explanation: row.explanation,
  started_at: row.started_at.toISOString(),
  reason: reasonText(row.reason, row.direction),
  route: row.route_name,
  is_demo: row.is_demo,
  sipiax: row.sip_account,
  src: row.caller_id === '' ? withoutCallerId(row) : row.caller_id,
  buycost: null,
  real_sessiontime: row.seconds,
  agent_bill: dollars(row.cost_micros),
})

/** For a line of a statement. */
export const viewChargedCall = (row: CdrRow): ChargedCall => ({
  id: writeRecordId({ startedAt: row.started_at, callId: row.call_id }),
  direction: row.direction,
  caller: callerOf(row),
  destination: destinationOf(row),
})

/** Additional fields for administrators. */
const forAdministrators = (row: CdrRow) => ({
  buycost: dollars(row.buy_micros),
  user: row.user_id === null ? null : { id: row.user_id, username: row.username ?? row.sip_account },
  trunk: row.trunk_name,
  trunk_id: row.trunk_id,
})

/** Additional fields of a single record. Free calls have routes below zero, which exist only in the code. */
export const detailsForAdministrators = (row: CdrRow) => ({
  ...forAdministrators(row),
  route_id: row.route_id !== null && row.route_id > 0 ? row.route_id : null,
  switch: row.switch_id,
})

export const viewAdminRecord = (row: CdrRow, onTheWall: ReturnType<typeof wallClock>): AdminCdrRecord => ({
  ...viewRecord(row, onTheWall),
  ...forAdministrators(row),
  sip_code: row.sip_code,
  device: row.device,
})

export const viewCallRecord = (row: CdrRow) => ({
  id: writeRecordId({ startedAt: row.started_at, callId: row.call_id }),
  from: callerOf(row),
  to: destinationOf(row),
  duration: row.seconds,
  date: row.started_at.toISOString(),
  status: row.status,
  cost: dollars(row.cost_micros),
  trunk: row.route_name,
})

export const viewQuality = (side: SideQuality): QualityView => ({
  codec: side.codec,
  packets_sent: side.packetsSent,
  reports: side.reports,
  mos: side.mos,
  lowest_mos: side.lowestMos,
  loss_percent: side.lossPercent,
  lost_packets: side.lostPackets,
  jitter_ms: side.jitterMs,
  highest_jitter_ms: side.highestJitterMs,
  round_trip_ms: side.roundTripMs,
})

export const viewTotals = (totals: Totals): CdrTotals => ({
  calls: totals.calls,
  completed: totals.completed,
  minutes: inMinutes(totals.seconds),
  cost: dollars(totals.costMicros),
  answer_rate: percent(totals.completed, totals.calls),
  average_duration: average(totals.seconds, totals.completed),
  is_capped: totals.isCapped,
})
