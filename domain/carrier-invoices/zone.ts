const QUARTER_MS = 15 * 60_000

/**
 * Converts local times of a time zone to UTC. Offsets change at quarters of an hour, so one lookup serves all times of a quarter.
 * A local time that occurs twice is read as the first, and one that is skipped as the time after the change.
 */
export function createZone(timeZone: string): (localMs: number) => number {
  const createFormat = () =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  /** Created on first use, because that takes milliseconds. */
  let format: Intl.DateTimeFormat | undefined
  const offsets = new Map<number, number>()

  function offsetAt(utcMs: number): number {
    format ??= createFormat()
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(utcMs)) parts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - utcMs
  }

  return (localMs) => {
    const quarter = Math.floor(localMs / QUARTER_MS)
    const known = offsets.get(quarter)
    if (known !== undefined) return localMs - known
    const begin = quarter * QUARTER_MS
    // The offset a day before is in force unless the change came between.
    const before = offsetAt(begin - 24 * 3_600_000)
    const offset = offsetAt(begin - before) === before ? before : offsetAt(begin - offsetAt(begin - before))
    offsets.set(quarter, offset)
    return localMs - offset
  }
}
