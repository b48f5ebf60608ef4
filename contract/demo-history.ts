/**
 * A call of the generated demo history, without its cost. The importer looks up the user's route and rates it like any
 * other call.
 */
export type HistoricCall = {
  username: string
  /** Number of the caller, if somebody calls one of our numbers: `dialed` is that number, and `username` rents it. */
  from?: string
  /** E.164 digits with `+`, `00` or no prefix. Can be invalid for a refused call. */
  dialed: string
  /** IP address of the caller's phone, or of the carrier of an incoming call. */
  address: string
  /** Name of the caller's phone. Empty for an incoming call. */
  device: string
  /** Time of the INVITE in milliseconds since 1970. */
  startedAt: number
  /** Time from the INVITE to ringing. Null if it never rang. */
  ringingAfterMs: number | null
  /** Time from the INVITE to the answer or to the failure. 0 for a refused call. */
  settledAfterMs: number
  outcome: HistoricOutcome
}

export type HistoricOutcome =
  | {
      kind: 'answered'
      /** Talk time in whole seconds, at least 1. */
      seconds: number
      by: 'caller' | 'callee'
      /** SIP codes of the trunks that failed first. The trunk with index `failedOver.length` answered. */
      failedOver: number[]
      /** The reply of rtpengine about the speech, as in the event `ended` of the switch protocol. */
      media: { caller: string; reply: unknown }
    }
  | {
      kind: 'failed'
      /** SIP code sent to the caller: 486 busy, 480 no answer, 487 canceled, 5xx carrier failure. */
      code: number
      by: 'caller' | 'carrier'
      /** SIP codes of the attempted trunks in order. The last one is `code`. */
      attempts: number[]
    }
  /** Dials a country without a selected route, or an invalid number. The importer determines the reason. */
  | { kind: 'refused' }
