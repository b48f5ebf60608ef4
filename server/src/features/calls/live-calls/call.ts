import type { EndReason } from '@trunkline/domain/callcontrol'
import type { Micros } from '@trunkline/domain/money'
import type { Rate } from '@trunkline/domain/rating'

/** Facts that are fixed when a call is admitted. A live row and a record have the same columns for them (call-row.ts). */
export type CallFacts = {
  callId: string
  switchId: string
  isDemo: boolean
  userId: number
  sipAccount: string
  sourceAddress: string
  device: string
  callerId: string
  dialed: string
  /** E.164 digits. */
  destination: string
  country: string
  lineType: string
  routeId: number
  routeName: string
  planName: string
  ratePrefix: string | null
  rate: Rate
  startedAt: Date
  direction: 'in' | 'out'
  /** The rented number of an incoming call. */
  numberId: number | null
  /** The leg before this one: the incoming call of a forwarded leg, or the caller's leg of a call between customers. */
  parentCallId: string | null
  /** Name of the caller, as sent by the carrier. */
  callerName: string
  /** Which rule of the number sent the call where. One sentence. */
  explanation: string
}

/** Facts of an outgoing call to a carrier. */
export const OUTGOING = {
  direction: 'out',
  numberId: null,
  parentCallId: null,
  callerName: '',
  explanation: '',
} as const satisfies Partial<CallFacts>

const FACTS = [
  'callId',
  'switchId',
  'isDemo',
  'userId',
  'sipAccount',
  'sourceAddress',
  'device',
  'callerId',
  'dialed',
  'destination',
  'country',
  'lineType',
  'routeId',
  'routeName',
  'planName',
  'ratePrefix',
  'rate',
  'startedAt',
  'direction',
  'numberId',
  'parentCallId',
  'callerName',
  'explanation',
] as const satisfies readonly (keyof CallFacts)[]

/**
 * A trunk as offered to the switch; the buy rate is fixed for the call. An incoming call has the targets of its ring plan, with negative
 * ids, and the carrier that sent it.
 */
export type OfferedTrunk = { id: number; name: string; buyRate: Rate }

/** A live call with the fields of its record. */
export type Call = CallFacts & {
  username: string
  state: 'authorized' | 'ringing' | 'answered'
  offered: readonly OfferedTrunk[]
  /** The trunk of the ringing or answered call, or the carrier that sent an incoming call. */
  trunk: { id: number; name: string } | null
  heldMicros: Micros
  coveredSeconds: number
  ringingAt: Date | null
  answeredAt: Date | null
  /** Set when a hang-up is requested. */
  hangupAt: Date | null
  hangupReason: EndReason | null
}

const SHOWN = [
  'callId',
  'direction',
  'callerName',
  'switchId',
  'userId',
  'username',
  'state',
  'sipAccount',
  'callerId',
  'dialed',
  'destination',
  'country',
  'routeName',
  'rate',
  'trunk',
  'heldMicros',
  'coveredSeconds',
  'isDemo',
  'startedAt',
  'answeredAt',
  'hangupAt',
] as const satisfies readonly (keyof Call)[]

/** The part of a live call that API processes keep in memory and show. */
export type LiveCall = Pick<Call, (typeof SHOWN)[number]>

function pick<Whole, Key extends keyof Whole>(whole: Whole, keys: readonly Key[]): Pick<Whole, Key> {
  const picked = {} as Pick<Whole, Key>
  for (const key of keys) picked[key] = whole[key]
  return picked
}

export const factsOf = (call: CallFacts): CallFacts => pick(call, FACTS)
export const liveCallOf = (call: LiveCall): LiveCall => pick(call, SHOWN)

export const callIdOf = (switchId: string, name: string): string => `${switchId}/${name}`

/** The switch's ID of the call. */
export const nameOf = ({ callId, switchId }: { callId: string; switchId: string }): string =>
  callId.slice(switchId.length + 1)

export const offeredTrunk = (
  { offered }: Pick<Call, 'offered'>,
  id: number | null,
): OfferedTrunk | undefined => offered.find((trunk) => trunk.id === id)
