import type { RunningDemoSwitch } from '@trunkline/sandbox/switch/start'
import type { Database } from '@trunkline/server/platform/database'
import { PRICE_PER_SECOND } from './customers.ts'

/** How long an event may stay unacknowledged. A switch that dies loses its unacknowledged events. */
const UNACKNOWLEDGED_MS = 3_000

/** Compares the call records with the switches' own logs. Every answered call must have exactly one correct record. */
export async function compareRecords(
  db: Database,
  switches: readonly RunningDemoSwitch[],
  diedAt: Readonly<Record<string, number>> = {},
) {
  const cdrs = await db.selectFrom('cdrs').select(['call_id', 'status', 'seconds', 'cost_micros']).execute()
  const holds = await db.selectFrom('holds').select(['hold_id', 'amount_micros']).execute()
  const records = Map.groupBy(cdrs, ({ call_id }) => call_id)
  const held = new Map(holds.map(({ hold_id, amount_micros }) => [hold_id, amount_micros]))
  /** A call that one call control refused and another admitted has two records. The refusal costs nothing. */
  const recordsOf = (name: string) => {
    const own = records.get(name) ?? []
    const admitted = records.get(`${name}/admitted`) ?? []
    const isRefusal = own.length === 1 && own[0]?.status === 'refused' && own[0].cost_micros === 0n
    return admitted.length > 0 && isRefusal ? admitted : [...own, ...admitted]
  }
  const wrong: string[] = []
  let answeredCount = 0
  let lostCount = 0
  for (const { id: switchId, truth } of switches)
    for (const { call, seconds, coveredSeconds, by, answeredAt, startedAt, endedAt } of truth()) {
      if (answeredAt === null) continue
      answeredCount++
      const name = `${switchId}/${call}`
      const found = recordsOf(name)
      const heldSeconds = Number((held.get(name) ?? 0n) / PRICE_PER_SECOND)
      // A busy switch may end a call late: seconds beyond the hold are free. Seconds within the hold are charged, even if the
      // switch did not receive the extension.
      const chargedSeconds = Math.min(seconds, heldSeconds)
      const expected = `completed ${chargedSeconds} s for ${BigInt(chargedSeconds) * PRICE_PER_SECOND}`
      const actual = found.map((one) => `${one.status} ${one.seconds} s for ${one.cost_micros}`).join(' and ')
      const isCovered = heldSeconds >= (coveredSeconds ?? 0)
      const death = diedAt[switchId] ?? 0
      const wasLost = startedAt < death && (endedAt ?? death) > death - UNACKNOWLEDGED_MS
      if (wasLost) lostCount++
      const isRight = wasLost
        ? found.length === 1 && (found[0]?.seconds ?? 0) <= chargedSeconds
        : actual === expected && isCovered
      if (!isRight)
        wrong.push(
          `${name}: ${seconds} s by ${by}, ${coveredSeconds} allowed, ${heldSeconds} held: ${actual || 'no record'}`,
        )
    }
  return { wrong, cdrs, answeredCount, lostCount }
}
