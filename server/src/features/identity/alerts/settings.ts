import type { RequestOf } from '@trunkline/contract'
import type { AlertTopic } from '@trunkline/contract/alert-topics'
import type { AlertSettings } from '@trunkline/contract/alerts'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { microsOf } from '../../../platform/amounts.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../audit/service.ts'
import {
  type AlertSettingsChange,
  type AlertSettingsRow,
  lockAlertSettings,
  readAlertSettings,
  updateAlertSettings,
} from './settings-store.ts'

export type AlertSettingsDesk = ReturnType<typeof createAlertSettings>

type Given = RequestOf<'PATCH /api/admin/alert-settings'>['body']

/** Thresholds and email recipients of alerts. */
export const createAlertSettings = (db: Database, clock: Clock, audit: Audit) => ({
  async show(caller: Caller): Promise<AlertSettings> {
    requireAdmin(caller)
    return view(await readAlertSettings(db))
  },

  change: (caller: Caller, { version, ...given }: Given): Promise<AlertSettings> =>
    db.transaction().execute(async (tx) => {
      requireAdmin(caller)
      const row = await lockAlertSettings(tx)
      requireUnchanged(row.version, version)
      await updateAlertSettings(tx, {
        ...rowOf(given),
        updated_at: clock.now(),
        updated_by: caller.userId,
      })
      const changed = await readAlertSettings(tx)
      await audit.write(tx, caller, {
        action: 'alert_settings.update',
        subject: 'the alert settings',
        before: auditValuesOf(view(row)),
        after: auditValuesOf(view(changed)),
      })
      return view(changed)
    }),
})

const view = (row: AlertSettingsRow): AlertSettings => ({
  large_top_up: dollars(row.large_top_up_micros),
  low_balance: dollars(row.low_balance_micros),
  unusual_spend_times: row.unusual_spend_percent === null ? null : row.unusual_spend_percent / 100,
  unusual_spend_least: toWireNumber(micros(row.unusual_spend_least_micros)),
  failed_sign_ins_account: row.failed_sign_ins_account,
  failed_sign_ins_address: row.failed_sign_ins_address,
  mail_to: row.mail_to,
  mail_topics: row.mail_topics as AlertTopic[],
  weekly_report_timezone: row.weekly_report_timezone,
  version: row.version,
  updated_at: row.updated_at?.toISOString() ?? null,
  updated_by: row.clerk_name,
})

const dollars = (amount: bigint | null): number | null =>
  amount === null ? null : toWireNumber(micros(amount))

const microsOrNever = (amount: number | null) => (amount === null ? null : microsOf(amount))

/** Maps only the given fields. */
function rowOf(given: Omit<Given, 'version'>): AlertSettingsChange {
  const { large_top_up, low_balance, unusual_spend_times: times, unusual_spend_least: least } = given
  return {
    ...(large_top_up !== undefined && { large_top_up_micros: microsOrNever(large_top_up) }),
    ...(low_balance !== undefined && { low_balance_micros: microsOrNever(low_balance) }),
    ...(times !== undefined && { unusual_spend_percent: times === null ? null : Math.round(times * 100) }),
    ...(least !== undefined && { unusual_spend_least_micros: microsOf(least) }),
    failed_sign_ins_account: given.failed_sign_ins_account,
    failed_sign_ins_address: given.failed_sign_ins_address,
    weekly_report_timezone: given.weekly_report_timezone,
    ...(given.mail_to && { mail_to: [...new Set(given.mail_to)] }),
    ...(given.mail_topics && { mail_topics: [...new Set(given.mail_topics)] }),
  }
}

const auditValuesOf = ({ version: _, updated_at: __, updated_by: ___, ...values }: AlertSettings) => values
