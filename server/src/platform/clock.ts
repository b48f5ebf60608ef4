/**
 * The one source of time. Stores pass `clock.now()` into their statements and never use the
 * database's own now(), so that a test drives both by hand.
 */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Of the day in UTC. */
export const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY) * DAY)

export const later = (from: Date, ms: number): Date => new Date(from.getTime() + ms)
export const earlier = (from: Date, ms: number): Date => new Date(from.getTime() - ms)
