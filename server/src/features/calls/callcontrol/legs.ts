import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import type { EndReason } from '@trunkline/domain/callcontrol'
import type { Call } from '../live-calls/call.ts'
import type { Ending } from './records.ts'

/** An event applies to all legs of its SIP call. Each leg has its own hold, targets and record. */

type Progress = FromSwitchOf<'ringing'> | FromSwitchOf<'answered'>
type End = FromSwitchOf<'ended'> | FromSwitchOf<'failed'>

export const legsOf = ({ call, trunk, legs = [] }: Progress): { call: string; trunk: number }[] => [
  { call, trunk },
  ...legs,
]

/** All legs end at the same time, with their own attempts. */
export function endingsOf(
  event: End,
  callOf: (name: string) => Call | undefined,
): { call: string; ending: Ending }[] {
  const { legs = [], ...own } = event
  const names = [event.call, ...legs.map(({ call }) => call)]
  const stopped = names.map(callOf).find((call) => call?.hangupReason)
  const all = [
    own,
    ...legs.map((leg) => ({ ...own, call: leg.call, trunk: leg.trunk, attempts: leg.attempts })),
  ]
  return all.map((one) => {
    const stoppedAs = reasonFor(callOf(one.call), stopped)
    return {
      call: one.call,
      ending:
        one.type === 'ended'
          ? { kind: 'ended', event: one, stoppedAs }
          : { kind: 'failed', event: one, stoppedAs },
    }
  })
}

/** Why a leg ended if call control ended another one. A customer learns nothing about the account of the other. */
function reasonFor(call: Call | undefined, stopped: Call | undefined): EndReason | undefined {
  if (!call || !stopped || call === stopped) return undefined
  if (call.userId === stopped.userId) return stopped.hangupReason ?? undefined
  return call.direction === 'in' ? 'hung_up_by_caller' : 'hung_up_by_callee'
}
