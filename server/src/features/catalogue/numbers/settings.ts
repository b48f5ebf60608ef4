import type { NumberSettings } from '@trunkline/contract/numbers'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import { micros, toWireNumber } from '@trunkline/domain/money'
import type { RenewalSettings } from '@trunkline/domain/rentals'
import { microsOf } from '../../../platform/amounts.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findSetting, saveSetting } from '../../identity/service-settings/store.ts'
import { INTERNAL_CALL_PRICE } from '../snapshot/numbers-store.ts'

export type NumberSettingsService = ReturnType<typeof createNumberSettings>

/** Names of the settings, and their values before anybody has changed them. */
const NAMES = {
  /** Micro-dollars per minute of a call between two customers. */
  [INTERNAL_CALL_PRICE]: '0',
  number_warn_days: '3',
  number_grace_days: '7',
  number_suspended_days: '14',
} as const
type Name = keyof typeof NAMES

const read = async (db: Database, name: Name): Promise<string> => (await findSetting(db, name)) ?? NAMES[name]

async function readNumberSettings(db: Database): Promise<NumberSettings> {
  return {
    internal_price: toWireNumber(micros(BigInt(await read(db, INTERNAL_CALL_PRICE)))),
    warn_days: Number(await read(db, 'number_warn_days')),
    grace_days: Number(await read(db, 'number_grace_days')),
    suspended_days: Number(await read(db, 'number_suspended_days')),
  }
}

export async function readRenewalSettings(db: Database): Promise<RenewalSettings> {
  const { warn_days, grace_days, suspended_days } = await readNumberSettings(db)
  return { warnDays: warn_days, graceDays: grace_days, suspendedDays: suspended_days }
}

/** Days of renewals, and the price of calls between customers. Changes apply to all rentals at once. */
export const createNumberSettings = (db: Database, clock: Clock, audit: Audit) => ({
  show(caller: Caller): Promise<NumberSettings> {
    requireAdmin(caller)
    return readNumberSettings(db)
  },

  change: (caller: Caller, given: NumberSettings): Promise<NumberSettings> =>
    db.transaction().execute(async (tx) => {
      requireAdmin(caller)
      const before = await readNumberSettings(tx)
      const values: Record<Name, string> = {
        [INTERNAL_CALL_PRICE]: String(microsOf(given.internal_price)),
        number_warn_days: String(given.warn_days),
        number_grace_days: String(given.grace_days),
        number_suspended_days: String(given.suspended_days),
      }
      for (const [name, value] of Object.entries(values)) await saveSetting(tx, name, value, clock.now())
      const after = await readNumberSettings(tx)
      if (JSON.stringify(before) !== JSON.stringify(after))
        await audit.write(tx, caller, {
          action: 'number_settings.update',
          subject: 'settings for numbers',
          userId: null,
          before,
          after,
        })
      return after
    }),
})
