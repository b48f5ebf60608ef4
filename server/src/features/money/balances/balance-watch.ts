import { system } from '@trunkline/domain/access'
import { formatDollars } from '@trunkline/domain/money'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { BalanceWatch } from '../ledger/service.ts'
import { findCrossings } from './balance-watch-store.ts'

/**
 * Raises an alert when a balance falls below the threshold and closes it when the balance recovers. Runs in the transaction that
 * moves the money, so each crossing raises one alert. Holds move no money and are ignored.
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
