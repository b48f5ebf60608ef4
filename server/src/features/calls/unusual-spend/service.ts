import { system } from '@trunkline/domain/access'
import { formatCost } from '@trunkline/domain/money'
import { type Clock, DAY, earlier, startOfDay } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import { readAlertSettings } from '../../identity/alerts/settings-store.ts'
import { findUnusualSpenders } from './store.ts'

export const findUnusualSpend = defineJob<Record<string, never>>('unusual-spend')
export const EVERY_TEN_MINUTES = '*/10 * * * *'

/** Number of days before today for the average; only days with calls count. */
const LOOK_BACK = 28 * DAY

/** Alerts for accounts that spend far more today (UTC) than on their average day, once per day. */
export function createUnusualSpend(db: Database, clock: Clock, alerts: Pick<Alerts, 'raiseWithin'>) {
  const owner = system('unusual spend')
  return {
    look: (): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const settings = await readAlertSettings(tx)
        if (settings.unusual_spend_percent === null) return
        const today = startOfDay(clock.now())
        const spenders = await findUnusualSpenders(tx, owner, {
          today,
          since: earlier(today, LOOK_BACK),
          percent: settings.unusual_spend_percent,
          leastMicros: settings.unusual_spend_least_micros,
        })
        if (spenders.length === 0) return
        await alerts.raiseWithin(
          tx,
          spenders.map(({ userId, spentMicros, usualMicros }) => ({
            kind: 'unusual_spend',
            subject: `user:${userId}`,
            userId,
            message: `${formatCost(spentMicros)} spent on calls today. ${
              usualMicros === null
                ? 'There were no calls in the previous four weeks.'
                : `The daily average is ${formatCost(usualMicros)}.`
            }`,
          })),
        )
      }),
  }
}
