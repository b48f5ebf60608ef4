/** Refusals per caller, reason and window that get a call record each. Further refusals are only counted. */
export const MAX_RECORDED_REFUSALS = 60
export const REFUSAL_WINDOW_MS = 60_000

export type RefusalWindow = {
  readonly beganAt: number
  readonly recorded: number
  /** Refusals without a record of their own. */
  readonly counted: number
}

/** Adds one refusal to the window. The limit bounds the records that one caller can create. */
export function nextRefusal(
  window: RefusalWindow | undefined,
  nowMs: number,
): { window: RefusalWindow; isRecorded: boolean } {
  const isOver = !window || isRefusalWindowOver(window, nowMs)
  const current: RefusalWindow = isOver
    ? { beganAt: nowMs, recorded: 0, counted: window?.counted ?? 0 }
    : window
  const isRecorded = current.recorded < MAX_RECORDED_REFUSALS
  return {
    isRecorded,
    window: isRecorded
      ? { ...current, recorded: current.recorded + 1 }
      : { ...current, counted: current.counted + 1 },
  }
}

export const isRefusalWindowOver = ({ beganAt }: RefusalWindow, nowMs: number): boolean =>
  nowMs - beganAt >= REFUSAL_WINDOW_MS
