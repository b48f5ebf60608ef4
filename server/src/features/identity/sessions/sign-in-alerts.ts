import type { Database } from '../../../platform/database.ts'
import type { Alerts, NewAlert } from '../alerts/service.ts'
import { readAlertSettings } from '../alerts/settings-store.ts'

export type SignInAlerts = ReturnType<typeof createSignInAlerts>

type FailedSignIn = {
  /** Null if the username is unknown. */
  userId: number | null
  address: string
  /** Failures within the current window of 15 minutes. */
  forAccount: number
  fromAddress: number
}

/**
 * Raises one alert per 15 minutes when the failed sign-ins reach the threshold. Unknown usernames need the same queries, so
 * response times do not reveal which accounts exist.
 */
export function createSignInAlerts(db: Database, alerts: Pick<Alerts, 'raise'>) {
  return async ({ userId, address, forAccount, fromAddress }: FailedSignIn): Promise<void> => {
    const settings = await readAlertSettings(db)
    const found: NewAlert[] = []
    if (forAccount === settings.failed_sign_ins_account)
      found.push({
        kind: 'failed_sign_ins',
        // One alert for all unknown usernames, because their number is unbounded.
        subject: userId === null ? 'sign-in:unknown' : `user:${userId}`,
        userId,
        message:
          userId === null
            ? `${forAccount} sign-ins failed for a name that does not exist, the last from ${address}.`
            : `${forAccount} sign-ins to the account failed, the last from ${address}.`,
        details: { address },
      })
    if (fromAddress === settings.failed_sign_ins_address)
      found.push({
        kind: 'failed_sign_ins',
        subject: `address:${address}`,
        userId: null,
        details: { address },
        message: `${fromAddress} sign-ins from ${address} failed.`,
      })
    await Promise.all(found.map(alerts.raise))
  }
}
