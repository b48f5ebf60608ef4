import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'

/** Divides a period into stored sums: weeks from Monday, days, blocks of six hours and quarters of an hour, all in UTC. */

export type Span = { from: Date; to: Date }

export type Step = 'quarter' | 'block' | 'day' | 'week'

/** Sums to add, or to subtract with the sign -1. The end is exclusive. */
export type Piece = Span & { step: Step; sign: 1 | -1 }

const LENGTH: Readonly<Record<Step, number>> = {
  quarter: 15 * MINUTE,
  block: 6 * HOUR,
  day: DAY,
  week: 7 * DAY,
}
const SHORTER = { week: 'day', day: 'block', block: 'quarter' } as const
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * DAY

/** Longer than any period of calls. */
export const ALL_TIME: Span = { from: new Date(FIRST_MONDAY), to: new Date(FIRST_MONDAY + 20_000 * 7 * DAY) }

const below = (at: Date, step: Step): Date => {
  const origin = step === 'week' ? FIRST_MONDAY : 0
  return new Date(Math.floor((at.getTime() - origin) / LENGTH[step]) * LENGTH[step] + origin)
}
const above = (at: Date, step: Step): Date => {
  const start = below(at, step)
  return start < at ? new Date(start.getTime() + LENGTH[step]) : start
}

const negated = (pieces: readonly Piece[]): Piece[] =>
  pieces.map((piece) => ({ ...piece, sign: piece.sign === 1 ? -1 : 1 }))

/**
 * The pieces of a period of whole quarters. At each end, the rest of a longer step is subtracted if that reads fewer sums. There are no
 * sums after `now`.
 */
export function piecesOf(span: Span, now: Date, step: Step = 'week'): Piece[] {
  if (span.from >= span.to) return []
  if (step === 'quarter') return [{ ...span, step, sign: 1 }]
  const shorter = (from: Date, to: Date) => piecesOf({ from, to }, now, SHORTER[step])
  const whole = (from: Date, to: Date): Piece[] => (from < to ? [{ from, to, step, sign: 1 }] : [])
  /** A period within one step. */
  const part = (from: Date, to: Date): Piece[] => {
    const [first, last] = [below(from, step), above(to, step)]
    const added = shorter(from, to)
    const subtracted = [...whole(first, last), ...negated([...shorter(first, from), ...shorter(to, last)])]
    return costOf(subtracted, now) < costOf(added, now) ? subtracted : added
  }
  const [first, last] = [above(span.from, step), below(span.to, step)]
  if (first > last) return part(span.from, span.to)
  return joined([...part(span.from, first), ...whole(first, last), ...part(last, span.to)])
}

/** The number of steps that have begun. */
const costOf = (pieces: readonly Piece[], now: Date): number =>
  pieces.reduce((sum, { step, from, to }) => {
    const until = Math.min(to.getTime(), now.getTime())
    return sum + Math.max(0, Math.ceil((until - from.getTime()) / LENGTH[step]))
  }, 0)

/** Joins adjacent pieces of the same step. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const piece of pieces) {
    const before = result.find(
      ({ step, sign, to }) =>
        step === piece.step && sign === piece.sign && to.getTime() === piece.from.getTime(),
    )
    if (before) before.to = piece.to
    else result.push({ ...piece })
  }
  return result
}
