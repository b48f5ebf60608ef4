import type { HistoricCall } from '@trunkline/contract/demo-history'
import { activity, customers, expectedPerHour } from './customers.ts'
import { generateCall } from './generated-call.ts'
import { generateIncoming } from './generated-incoming.ts'
import { poisson, seededChance } from './random.ts'

interface HistoryOptions {
  /** The history ends one hour before this time. */
  now: number
  days?: number
  /** Approximate number of outgoing calls. */
  calls?: number
  seed?: number
}

const HOUR_MS = 3_600_000
/** Growth of daily calls from the first day to the last. */
const GROWTH = 5

/** The demo's generated call history, oldest first. The same options give the same calls. */
export function generateHistory({
  now,
  days = 100,
  calls = 9_000,
  seed = 4,
}: HistoryOptions): HistoricCall[] {
  const end = now - HOUR_MS
  const begin = Math.floor((end - days * 24 * HOUR_MS) / HOUR_MS) * HOUR_MS
  const growth = (at: number) => GROWTH ** ((at - begin) / (end - begin))
  const hours = Array.from(
    { length: Math.ceil((end - begin) / HOUR_MS) },
    (_, hour) => begin + hour * HOUR_MS,
  )
  const expected = (at: number, perDay: number) =>
    customers
      .filter(({ leftDaysAgo = 0 }) => at < end - leftDaysAgo * 24 * HOUR_MS)
      .map((customer) => ({ customer, mean: growth(at) * expectedPerHour(customer, at, perDay) }))
  const unscaled = hours.flatMap((at) => expected(at, 1)).reduce((sum, { mean }) => sum + mean, 0)

  const chance = seededChance(seed)
  const outgoing = hours
    .flatMap((at) => expected(at, calls / unscaled).map((one) => ({ at, ...one })))
    .flatMap(({ at, customer, mean }) =>
      Array.from({ length: poisson(chance, mean) }, () =>
        generateCall(chance, customer, at + Math.floor(chance() * HOUR_MS)),
      ),
    )
  const incoming = hours.flatMap((at) =>
    customers.flatMap((customer) => {
      const { number } = customer
      if (!number || at < end - number.rentedDaysAgo * 24 * HOUR_MS) return []
      return Array.from({ length: poisson(chance, number.callsPerDay * activity(customer, at)) }, () =>
        generateIncoming(chance, { ...customer, number }, at + Math.floor(chance() * HOUR_MS)),
      )
    }),
  )
  return [...outgoing, ...incoming]
    .filter((call) => endOf(call) <= end)
    .sort((one, other) => one.startedAt - other.startedAt)
}

export const endOf = ({ startedAt, settledAfterMs, outcome }: HistoricCall): number =>
  startedAt + settledAfterMs + (outcome.kind === 'answered' ? outcome.seconds * 1000 : 0)
