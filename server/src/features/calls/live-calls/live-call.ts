import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import { type Micros, micros } from '@trunkline/domain/money'
import type { Rate } from '@trunkline/domain/rating'

/** A call that lives, as much of it as anybody is shown. */
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
  /** The trunk it rings or talks on. */
  trunk: { id: number; name: string } | null
  heldMicros: Micros
  coveredSeconds: number
  isDemo: boolean
  startedAt: Date
  answeredAt: Date | null
  /** Since when its end is asked for. */
  hangupAt: Date | null
}

/** What became of it, as its record says. */
export type EndedCall = {
  callId: string
  userId: number
  status: CallStatus
  reason: CallReason
  seconds: number
  costMicros: Micros
}

/** Something happened to a call: it lives and looks like this now, or it lives no more. */
export type LiveChange = { change: 'live'; call: LiveCall } | { change: 'ended'; call: EndedCall }

/**
 * Processes of two releases may hear each other. What another version says is not understood and not needed: the
 * comparison with the table finds the same a little later.
 */
const VERSION = '1 '
/** PostgreSQL takes less than 8,000 bytes per notification. */
const MAX_BYTES = 7_500

/** The changes as texts for notifications, each as full as it may be. */
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
    const text = JSON.stringify(change.change === 'live' ? sayLive(change.call) : sayEnded(change.call))
    const size = Buffer.byteLength(text) + 1
    if (bytes + size > MAX_BYTES) close()
    // One that fits into none is left to the comparison.
    if (bytes + size > MAX_BYTES) continue
    texts.push(text)
    bytes += size
  }
  close()
  return payloads
}

/** Field by field: whoever announces a call knows more of it than anybody is shown. JSON knows no bigint. */
function sayLive(call: LiveCall): Encoded<LiveChange> {
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

const sayEnded = (call: EndedCall): Encoded<LiveChange> => ({
  change: 'ended',
  call: { ...call, costMicros: String(call.costMicros) },
})

type Encoded<Value> = Value extends bigint | Date
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Encoded<Value[Key]> }
    : Value

/** Null for what another version said. */
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
