/** No call is longer; the switch ends it. A line somebody forgot to hang up must not cost a night. */
export const MAX_CALL_SECONDS = 4 * 3600

/** Whole seconds, rounded up; what was answered lasted one at least, also where clocks disagree. */
export const secondsBetween = (answeredAtMs: number, endedAtMs: number): number =>
  Math.max(1, Math.ceil((endedAtMs - answeredAtMs) / 1000))
