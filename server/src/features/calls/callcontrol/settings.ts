import type { CallerIdPolicy } from '@trunkline/domain/callcontrol'

export type CallControlSettings = {
  /** Control ports of the switches, as `host:port`. */
  switches: readonly string[]
  /** The realm of the SIP password hashes. */
  realm: string
  callerIds: CallerIdPolicy
  /** Length of a slice, and how long before its end the next one is held. */
  sliceSeconds: number
  leadSeconds: number
  /** A request without a decision after this time is refused. */
  answerWithinMs: number
  deadAfterMs: number
}
