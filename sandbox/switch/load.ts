import { z } from 'zod'
import type { CallRecord, CallWish, PlacedCall } from './call.ts'
import type { SwitchClock } from './clock.ts'

export const loadWish = z.strictObject({
  callsPerSecond: z.number().positive().max(20_000),
  seconds: z.number().positive().max(3_600),
  /** Calls rotate over these users. */
  users: z.array(z.string()).min(1),
  numbers: z.array(z.string()).min(1),
  /** Share of the allowed calls that are answered; the others are busy. */
  answerRatio: z.number().min(0).max(1).default(1),
  ringMs: z.number().int().min(0).default(100),
  /** Range of the random call duration. */
  talkMs: z.tuple([z.number().min(0), z.number().min(0)]).default([500, 1500]),
})
export type LoadWish = z.input<typeof loadWish>

export interface LoadReport {
  placed: number
  allowed: number
  refused: number
  /** Calls without a decision before the timeout. */
  unanswered: number
  answered: number
  failed: number
  /** Decision latency in milliseconds. */
  decision: { p50: number; p99: number; max: number }
}

const TICK_MS = 10

/** Places calls at a constant rate; resolves when the last one has ended. */
export async function runLoad(
  clock: SwitchClock,
  place: (wish: CallWish) => PlacedCall,
  wish: LoadWish,
): Promise<LoadReport> {
  const { callsPerSecond, seconds, users, numbers, answerRatio, ringMs, talkMs } = loadWish.parse(wish)
  const total = Math.round(callsPerSecond * seconds)
  const begunAt = clock.now()
  const waits: number[] = []
  const over: Promise<CallRecord>[] = []

  const placeOne = (index: number) => {
    const isAnswered = Math.floor((index + 1) * answerRatio) > Math.floor(index * answerRatio)
    const askedAt = performance.now()
    const { decided, ended } = place({
      user: users[index % users.length] ?? '',
      to: numbers[index % numbers.length] ?? '',
      carriers: [{ code: isAnswered ? 200 : 486, afterMs: ringMs, ringAfterMs: ringMs > 0 ? 0 : null }],
      talkMs: Math.round(talkMs[0] + Math.random() * (talkMs[1] - talkMs[0])),
      hangsUp: index % 2 === 0 ? 'caller' : 'callee',
    })
    decided.then(() => waits.push(performance.now() - askedAt))
    over.push(ended)
  }
  await new Promise<void>((resolve) => {
    const placeDue = () => {
      const due = Math.min(total, Math.ceil(((clock.now() - begunAt + TICK_MS) / 1000) * callsPerSecond))
      while (over.length < due) placeOne(over.length)
      if (over.length === total) resolve()
      else clock.at(clock.now() + TICK_MS, placeDue)
    }
    placeDue()
  })
  return report(await Promise.all(over), waits)
}

function report(records: CallRecord[], waits: number[]): LoadReport {
  const count = (isIt: (record: CallRecord) => boolean) => records.filter(isIt).length
  const sorted = waits.sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return {
    placed: records.length,
    allowed: count(({ decision }) => decision === 'allowed'),
    refused: count(({ decision }) => decision === 'refused'),
    unanswered: count(({ decision }) => decision === 'unanswered'),
    answered: count(({ answeredAt }) => answeredAt !== null),
    failed: count(({ decision, answeredAt }) => decision === 'allowed' && answeredAt === null),
    decision: { p50: at(0.5), p99: at(0.99), max: at(1) },
  }
}
