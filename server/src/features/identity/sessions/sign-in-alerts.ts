import type { Database } from '../../../platform/database.ts'
import type { Alerts, NewAlert } from '../alerts/service.ts'
import { readAlertSettings } from '../alerts/settings-store.ts'

export type SignInAlerts = ReturnType<typeof createSignInAlerts>

type FailedSignIn = {
  /** Null: there is no account of that name. */
  userId: number | null
  address: string
  /** Failures so far within the quarter of an hour that the first of them began. */
  forAccount: number
  fromAddress: number
}

/**
 * Tells once in each quarter of an hour that passwords are guessed: when the count of failures comes to what was set, and not
 * again for the next ones. An invented name costs the same look and the same write, so that nobody learns from it who exists.
 */
export function createSignInAlerts(db: Database, alerts: Pick<Alerts, 'raise'>) {
  return async ({ userId, address, forAccount, fromAddress }: FailedSignIn): Promise<void> => {
    const settings = await readAlertSettings(db)
    const told: NewAlert[] = []
    if (forAccount === settings.failed_sign_ins_account)
      told.push({
        kind: 'failed_sign_ins',
        // One alert for all invented names: there is no end of them.
        subject: userId === null ? 'sign-in:unknown' : `user:${userId}`,
        userId,
        message:
          userId === null
            ? `${forAccount} sign-ins failed for a name that does not exist, the last from ${address}.`
            : `${forAccount} sign-ins to the account failed, the last from ${address}.`,
        details: { address },
      })
    if (fromAddress === settings.failed_sign_ins_address)
      told.push({
        kind: 'failed_sign_ins',
        subject: `address:${address}`,
        userId: null,
        details: { address },
        message: `${fromAddress} sign-ins from ${address} failed.`,
      })
    await Promise.all(told.map(alerts.raise))
  }
}
