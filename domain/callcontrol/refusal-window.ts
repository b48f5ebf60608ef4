/** So many refusals of one caller for one reason have a record each, within so long. Further ones are counted. */
export const MAX_RECORDED_REFUSALS = 60
export const REFUSAL_WINDOW_MS = 60_000

export type RefusalWindow = {
  readonly beganAt: number
  readonly recorded: number
  /** Not recorded one by one, since refusals began to be too many. */
  readonly counted: number
}

/** What one more refusal makes of the window. A caller who goes on without end writes a bounded number of records. */
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
