import { setTimeout as pause } from 'node:timers/promises'
import type { RunningDemoSwitch } from '@trunkline/sandbox/switch/start'
import { randomFrom } from '../life/person.ts'

const TICK_MS = 100
const PATIENCE_MS = 120_000

/** Places calls at a constant rate. Many of them last longer than the failover. */
export function startCalls(phones: RunningDemoSwitch, callers: readonly string[], perSecond: number) {
  const random = randomFrom(1)
  const began = Date.now()
  let placed = 0
  const timer = setInterval(() => {
    const due = ((Date.now() - began) / 1_000) * perSecond
    for (; placed < due; placed++)
      phones.place({
        user: random.of(callers),
        to: '+442079460123',
        carriers: [
          { code: random.below(10) === 0 ? 486 : 200, afterMs: random.below(1_500), ringAfterMs: 300 },
        ],
        talkMs: random.between(500, 45_000),
        hangsUp: random.below(2) === 0 ? 'caller' : 'callee',
      })
  }, TICK_MS)
  /** Times of admissions, in order. */
  const admissions = (): number[] =>
    [...phones.truth(), ...phones.live()]
      .filter(({ decision }) => decision === 'allowed')
      .map(({ decidedAt }) => decidedAt ?? 0)
      .sort((one, other) => one - other)

  return {
    stop: () => clearInterval(timer),

    async admittedAfter(time: number): Promise<void> {
      for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await pause(200))
        if ((admissions().at(-1) ?? 0) > time) return
      throw new Error('no call is admitted after the failover')
    },

    /** Call this after all calls have ended. */
    report(killedAt: number) {
      const times = admissions()
      const firstAfter = times.findIndex((time) => time > killedAt)
      const gaps = times
        .slice(firstAfter)
        .map((time, index) => time - (times[firstAfter + index - 1] ?? time))
      const calls = phones.truth()
      const inProgress = calls.filter(
        ({ answeredAt, endedAt }) =>
          answeredAt !== null && answeredAt < killedAt && (endedAt ?? 0) > killedAt,
      )
      const cutShort = inProgress
        .filter(({ by }) => by !== 'caller' && by !== 'callee')
        .map(({ call, by, seconds }) => `${call} was ended by ${by} after ${seconds} s`)
      const gapMs = Math.max(...gaps)
      const gapFrom = times[firstAfter + gaps.indexOf(gapMs) - 1] ?? 0
      const phaseOf = (time: number) =>
        time <= gapFrom ? 'before' : time < gapFrom + gapMs ? 'in the gap' : 'after'
      const kinds = Map.groupBy(
        calls,
        ({ decision, reason, decidedAt, startedAt }) =>
          `${decision === 'allowed' ? 'admitted' : `${decision} ${reason}`} ${phaseOf(decidedAt ?? startedAt)}`,
      )
      return {
        /** The longest time between two admissions from the kill on. */
        gapMs,
        inProgress: inProgress.length,
        cutShort,
        outcomes: [...kinds].map(([kind, { length }]) => `${length} ${kind}`).join(', '),
      }
    },
  }
}
