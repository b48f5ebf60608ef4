/**
 * A call of the demo's made-up past. What it cost is not part of it: whoever imports it looks up the user's route and
 * rates it like any other call.
 */
export type HistoricCall = {
  username: string
  /** As it was dialled: E.164 digits, with `+`, `00` or nothing before them; for a refused call perhaps no number at all. */
  dialed: string
  /** Where the caller's phone was. */
  address: string
  /** Milliseconds since 1970: the moment of the INVITE. */
  startedAt: number
  /** From the INVITE until the other phone rang; null where none did. */
  ringingAfterMs: number | null
  /** From the INVITE to the answer, or to the end of an attempt that came to nothing; 0 for a refused one. */
  settledAfterMs: number
  outcome: HistoricOutcome
}

export type HistoricOutcome =
  | {
      kind: 'answered'
      /** Whole seconds of talk, at least 1. */
      seconds: number
      by: 'caller' | 'callee'
      /** What the trunks before answered: the call talked on the offered trunk with the index `failedOver.length`. */
      failedOver: number[]
    }
  | {
      kind: 'failed'
      /** What the caller was told: 486 busy, 480 no answer, 487 the caller gave up, 5xx the carriers. */
      code: number
      by: 'caller' | 'carrier'
      /** What each offered trunk that was tried answered, in order; the last is `code`. */
      attempts: number[]
    }
  /** Dials what may not be dialled: a country without a selected route, or no number at all. The importer says why. */
  | { kind: 'refused' }
