import { system } from '@trunkline/domain/access'
import { formatDollars } from '@trunkline/domain/money'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { BalanceWatch } from '../ledger/service.ts'
import { findCrossings } from './balance-watch-store.ts'

/**
 * Balances that fall below what the administrators set, and those that rise above it again. Part of the transaction that moves
 * the money, so it is told once for each fall, whatever caused it. Placing a hold moves no money and is not asked about.
 */
export function createBalanceWatch(alerts: Pick<Alerts, 'raiseWithin' | 'closeWithin'>): BalanceWatch {
  const owner = system('low balances')
  return async (tx, moves) => {
    const crossings = await findCrossings(tx, owner, moves)
    const fallen = crossings.filter(({ isLow }) => isLow)
    const risen = crossings.filter(({ isLow }) => !isLow)
    if (risen.length > 0)
      await alerts.closeWithin(tx, {
        kind: 'low_balance',
        subjects: risen.map(({ userId }) => `user:${userId}`),
      })
    if (fallen.length > 0)
      await alerts.raiseWithin(
        tx,
        fallen.map(({ userId, balanceMicros, thresholdMicros }) => ({
          kind: 'low_balance',
          subject: `user:${userId}`,
          userId,
          message: `The balance fell below ${formatDollars(thresholdMicros)}: ${formatDollars(balanceMicros)} is left.`,
        })),
      )
  }
}
