/** The switch ends longer calls, which limits the cost of a phone left off the hook. */
export const MAX_CALL_SECONDS = 4 * 3600

/** Whole seconds, rounded up. At least 1 for an answered call, even if clocks differ. */
export const secondsBetween = (answeredAtMs: number, endedAtMs: number): number =>
  Math.max(1, Math.ceil((endedAtMs - answeredAtMs) / 1000))
