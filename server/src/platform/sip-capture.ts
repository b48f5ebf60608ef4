import type { Endpoint } from '@trunkline/domain/sip-trace'

/** A SIP message that a switch has received or sent. */
export type SipCapture = {
  switchId: string
  /** Milliseconds since 1970 by the clock of the switch. */
  at: number
  source: Endpoint
  target: Endpoint
  text: string
}

export type SipCaptureListener = {
  /** Datagrams that the kernel dropped because its buffer was full. */
  lost(): number
  close(): Promise<void>
}
