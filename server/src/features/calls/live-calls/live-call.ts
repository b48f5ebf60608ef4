import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import { type Micros, micros } from '@trunkline/domain/money'
import type { Rate } from '@trunkline/domain/rating'

/** The visible fields of a live call. */
export type LiveCall = {
  callId: string
  switchId: string
  userId: number
  username: string
  state: 'authorized' | 'ringing' | 'answered'
  sipAccount: string
  callerId: string
  dialed: string
  destination: string
  country: string
  routeName: string
  rate: Rate
  /** The current trunk. */
  trunk: { id: number; name: string } | null
  heldMicros: Micros
  coveredSeconds: number
  isDemo: boolean
  startedAt: Date
  answeredAt: Date | null
  /** Time of the hangup request. */
  hangupAt: Date | null
}

/** The outcome from its record. */
export type EndedCall = {
  callId: string
  userId: number
  status: CallStatus
  reason: CallReason
  seconds: number
  costMicros: Micros
}

/** A change of a call: its new state, or its end. */
export type LiveChange = { change: 'live'; call: LiveCall } | { change: 'ended'; call: EndedCall }

/**
 * Version of the notification format. Notifications of other releases are ignored; the comparison with the table finds the same
 * changes later.
 */
const VERSION = '1 '
/** PostgreSQL limits a notification to 8,000 bytes. */
const MAX_BYTES = 7_500

/** Packs the changes into as few notifications as possible. */
export function encodeChanges(changes: readonly LiveChange[]): string[] {
  const payloads: string[] = []
  let texts: string[] = []
  let bytes = 0
  const close = () => {
    if (texts.length > 0) payloads.push(`${VERSION}[${texts.join(',')}]`)
    texts = []
    bytes = VERSION.length + 2
  }
  close()
  for (const change of changes) {
    const text = JSON.stringify(change.change === 'live' ? encodeLive(change.call) : encodeEnded(change.call))
    const size = Buffer.byteLength(text) + 1
    if (bytes + size > MAX_BYTES) close()
    // A change that is too large is left to the comparison.
    if (bytes + size > MAX_BYTES) continue
    texts.push(text)
    bytes += size
  }
  close()
  return payloads
}

/** Copies the visible fields only. JSON has no bigint, so amounts are strings. */
function encodeLive(call: LiveCall): Encoded<LiveChange> {
  const { callId, switchId, userId, username, state, sipAccount, callerId, dialed, destination } = call
  const { country, routeName, rate, trunk, heldMicros, coveredSeconds, isDemo } = call
  return {
    change: 'live',
    call: {
      callId,
      switchId,
      userId,
      username,
      state,
      sipAccount,
      callerId,
      dialed,
      destination,
      country,
      routeName,
      trunk,
      heldMicros: String(heldMicros),
      coveredSeconds,
      isDemo,
      rate: {
        firstIncrement: rate.firstIncrement,
        nextIncrement: rate.nextIncrement,
        priceMicros: String(rate.priceMicros),
        connectFeeMicros: String(rate.connectFeeMicros),
      },
      startedAt: call.startedAt.toISOString(),
      answeredAt: call.answeredAt?.toISOString() ?? null,
      hangupAt: call.hangupAt?.toISOString() ?? null,
    },
  }
}

const encodeEnded = (call: EndedCall): Encoded<LiveChange> => ({
  change: 'ended',
  call: { ...call, costMicros: String(call.costMicros) },
})

type Encoded<Value> = Value extends bigint | Date
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Encoded<Value[Key]> }
    : Value

/** Null for a notification of another version. */
export function decodeChanges(payload: string): LiveChange[] | null {
  if (!payload.startsWith(VERSION)) return null
  const said = JSON.parse(payload.slice(VERSION.length)) as Encoded<LiveChange>[]
  return said.map((one) =>
    one.change === 'live'
      ? { change: 'live', call: decodeLive(one.call) }
      : { change: 'ended', call: { ...one.call, costMicros: micros(BigInt(one.call.costMicros)) } },
  )
}

function decodeLive(call: Encoded<LiveCall>): LiveCall {
  const { rate, heldMicros, startedAt, answeredAt, hangupAt } = call
  return {
    ...call,
    rate: {
      ...rate,
      priceMicros: micros(BigInt(rate.priceMicros)),
      connectFeeMicros: micros(BigInt(rate.connectFeeMicros)),
    },
    heldMicros: micros(BigInt(heldMicros)),
    startedAt: new Date(startedAt),
    answeredAt: answeredAt === null ? null : new Date(answeredAt),
    hangupAt: hangupAt === null ? null : new Date(hangupAt),
  }
}
