import type { EndReason } from '@trunkline/domain/callcontrol'
import { micros } from '@trunkline/domain/money'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'
import { readRate } from '../../catalogue/prefix-rates/store.ts'
import { type Call, type CallFacts, offeredTrunk } from './call.ts'

/** The one mapping between a call and its columns, in live_calls and in cdrs. */

export type CallRow = Selectable<Tables['live_calls']>

type Unknown = 'userId' | 'country' | 'lineType' | 'routeId' | 'routeName' | 'planName' | 'rate'

/** The facts of a call that may have been refused before all of them were known. */
export type RecordFacts = Omit<CallFacts, Unknown> & { [Fact in Unknown]: CallFacts[Fact] | null }

/** As JSON, which knows no bigint: PostgreSQL reads the digits. */
export const factColumns = ({ rate, ...facts }: RecordFacts) => ({
  call_id: facts.callId,
  switch_id: facts.switchId,
  is_demo: facts.isDemo,
  user_id: facts.userId,
  sip_account: facts.sipAccount,
  source_address: facts.sourceAddress,
  device: facts.device,
  caller_id: facts.callerId,
  dialed: facts.dialed,
  destination: facts.destination,
  country: facts.country,
  line_type: facts.lineType,
  route_id: facts.routeId,
  route_name: facts.routeName,
  plan_name: facts.planName,
  rate_prefix: facts.ratePrefix,
  price_micros: rate && String(rate.priceMicros),
  connect_fee_micros: rate && String(rate.connectFeeMicros),
  first_increment: rate?.firstIncrement,
  next_increment: rate?.nextIncrement,
  started_at: facts.startedAt,
  direction: facts.direction,
  number_id: facts.numberId,
  parent_call_id: facts.parentCallId,
  caller_name: facts.callerName,
  explanation: facts.explanation,
})

/** Columns of a new call. Only an incoming call has a trunk from the start: the carrier that sent it. */
export const newCallColumns = (call: Call) => ({
  ...factColumns(call),
  state: call.state,
  trunk_id: call.trunk?.id,
  trunks: call.offered.map(({ id, name, buyRate }) => ({
    id,
    name,
    buy_rate_micros: Number(buyRate.priceMicros),
    buy_connect_fee_micros: Number(buyRate.connectFeeMicros),
    buy_first_increment: buyRate.firstIncrement,
    buy_next_increment: buyRate.nextIncrement,
  })),
  held_micros: String(call.heldMicros),
  covered_seconds: call.coveredSeconds,
})

export function readCall(row: CallRow & { username?: string }): Call {
  const offered = row.trunks.map((trunk) => ({
    id: trunk.id,
    name: trunk.name,
    buyRate: {
      priceMicros: micros(BigInt(trunk.buy_rate_micros)),
      connectFeeMicros: micros(BigInt(trunk.buy_connect_fee_micros ?? 0)),
      firstIncrement: trunk.buy_first_increment ?? 1,
      nextIncrement: trunk.buy_next_increment ?? 1,
    },
  }))
  return {
    callId: row.call_id,
    switchId: row.switch_id,
    isDemo: row.is_demo,
    userId: row.user_id,
    username: row.username ?? '',
    sipAccount: row.sip_account,
    sourceAddress: row.source_address,
    device: row.device,
    callerId: row.caller_id,
    dialed: row.dialed,
    destination: row.destination,
    country: row.country,
    lineType: row.line_type,
    routeId: row.route_id,
    routeName: row.route_name,
    planName: row.plan_name,
    ratePrefix: row.rate_prefix,
    rate: readRate(row),
    startedAt: row.started_at,
    direction: row.direction,
    numberId: row.number_id,
    parentCallId: row.parent_call_id,
    callerName: row.caller_name,
    explanation: row.explanation,
    state: row.state,
    offered,
    trunk:
      row.trunk_id === null
        ? null
        : { id: row.trunk_id, name: offeredTrunk({ offered }, row.trunk_id)?.name ?? '' },
    heldMicros: micros(row.held_micros),
    coveredSeconds: row.covered_seconds,
    ringingAt: row.ringing_at,
    answeredAt: row.answered_at,
    hangupAt: row.hangup_at,
    hangupReason: row.hangup_reason as EndReason | null,
  }
}
