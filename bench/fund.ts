import { system } from '@trunkline/domain/access'
import { dollars } from '@trunkline/domain/money'
import type { Ledger } from '@trunkline/server/features/money/ledger/service'

/** Gives each user a balance that no benchmark uses up. */
export async function fund(ledger: Ledger, userIds: readonly number[]): Promise<void> {
  const topUp = { kind: 'top_up', reference: 'benchmark', amountMicros: dollars(900_000) } as const
  await Promise.all(
    userIds.map((userId) => ledger.post(system('benchmark'), { ...topUp, key: `fund ${userId}`, userId })),
  )
}
