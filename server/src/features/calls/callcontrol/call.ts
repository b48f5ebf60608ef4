import type { EndReason } from '@trunkline/domain/callcontrol'
import type { Micros } from '@trunkline/domain/money'
import type { LiveCall } from '../live-calls/live-call.ts'

/** A trunk as offered to the switch; the buy rate is fixed for the call. */
export type OfferedTrunk = { id: number; name: string; buyRateMicros: Micros }

/** A live call with the fields of its record. */
export type Call = LiveCall & {
  sourceAddress: string
  lineType: string
  routeId: number
  planName: string
  ratePrefix: string | null
  offered: readonly OfferedTrunk[]
  ringingAt: Date | null
  hangupReason: EndReason | null
}

export const callIdOf = (switchId: string, name: string): string => `${switchId}/${name}`

/** The switch's ID of the call. */
export const nameOf = ({ callId, switchId }: { callId: string; switchId: string }): string =>
  callId.slice(switchId.length + 1)

export const offeredTrunk = ({ offered }: Call, id: number | null): OfferedTrunk | undefined =>
  offered.find((trunk) => trunk.id === id)
