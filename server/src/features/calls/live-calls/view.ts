import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { AdminLiveCallView, EndedCallView, LiveCallView } from '@trunkline/contract/live-calls'
import { runningCost } from '@trunkline/domain/callcontrol'
import { countryName } from '@trunkline/domain/countries'
import { toWireNumber } from '@trunkline/domain/money'
import { secondsBetween } from '@trunkline/domain/rating'
import { viewRate } from '../../catalogue/prefix-rates/wire.ts'
import type { LiveCall } from './call.ts'
import type { EndedCall } from './live-call.ts'

/** The fields of a live call for its owner; all other fields are internal. */
export function ownView(call: LiveCall, now: Date): LiveCallView {
  return {
    uniqueid: call.callId,
    sip_account: call.sipAccount,
    ndiscado: call.dialed,
    caller: call.callerId,
    direction: call.direction,
    caller_name: call.callerName,
    destination: call.destination,
    country: countryName(call.country),
    country_code: call.country,
    state: call.state === 'authorized' ? 'calling' : call.state,
    started_at: call.startedAt.toISOString(),
    answered_at: call.answeredAt?.toISOString() ?? null,
    ...runningFigures(call, now),
    ...viewRate(call.rate),
    route: call.routeName,
    is_demo: call.isDemo,
    hangup_requested: call.hangupAt !== null,
  }
}

export const adminView = (call: LiveCall, now: Date): AdminLiveCallView => ({
  ...ownView(call, now),
  user: { id: call.userId, username: call.username },
  trunk: call.trunk,
  switch: call.switchId,
  covered_seconds: call.coveredSeconds,
  held: toWireNumber(call.heldMicros),
})

/** The cost if the call ended now, limited to the covered seconds. */
export function runningFigures(call: LiveCall, now: Date): { seconds: number; cost: number } {
  if (call.answeredAt === null) return { seconds: 0, cost: 0 }
  const seconds = Math.min(secondsBetween(call.answeredAt.getTime(), now.getTime()), call.coveredSeconds)
  return { seconds, cost: toWireNumber(runningCost(call.rate, seconds)) }
}

export const endedView = (callId: string, ended: EndedCall | null): EndedCallView => ({
  uniqueid: callId,
  status: ended?.status ?? null,
  reason: ended ? reasonTexts[ended.reason] : null,
  seconds: ended?.seconds ?? null,
  cost: ended ? toWireNumber(ended.costMicros) : null,
})
