/**
 * The only source of time. Stores pass `clock.now()` to their statements instead of the database's
 * now(), so tests control the time.
 */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Midnight in UTC. */
export const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY) * DAY)
export const startOfHour = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR) * HOUR)

export const later = (from: Date, ms: number): Date => new Date(from.getTime() + ms)
export const earlier = (from: Date, ms: number): Date => new Date(from.getTime() - ms)
