import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import { type Micros, micros } from '@trunkline/domain/money'
import { type LiveCall, liveCallOf } from './call.ts'

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
const VERSION = '2 '
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
    const text = encode(change)
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
const encode = (change: LiveChange): string =>
  JSON.stringify(
    change.change === 'live' ? { ...change, call: liveCallOf(change.call) } : change,
    (_key, value) => (typeof value === 'bigint' ? String(value) : value),
  )

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
