import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

export type DueReport = { recipients: string[]; timezone: string; from: string; to: string }

/** Hour of Monday from which the report of the past week is due. */
const DUE_HOUR = 6

/**
 * Takes the report of the past week, Monday to Sunday, once it is due in the time zone of the setting. It is returned once: the row
 * stays locked until the caller has stored the mails. Null if it is not due, already taken or turned off.
 */
export async function takeDueReport(db: Database, now: Date): Promise<DueReport | null> {
  const { rows } = await sql<DueReport>`
    update alert_settings set weekly_report_sent = monday
      from (select date_trunc('week', ${now}::timestamptz at time zone weekly_report_timezone) as monday,
                   ${now}::timestamptz at time zone weekly_report_timezone as local
              from alert_settings where weekly_report_timezone is not null for update) as calendar
     where weekly_report_timezone is not null and cardinality(mail_to) > 0
       and local >= monday + make_interval(hours => ${DUE_HOUR})
       and (weekly_report_sent is null or weekly_report_sent < monday::date)
    returning mail_to as recipients, weekly_report_timezone as timezone,
              to_char(monday - interval '7 days', 'YYYY-MM-DD') as "from",
              to_char(monday - interval '1 day', 'YYYY-MM-DD') as "to"`.execute(db)
  return rows[0] ?? null
}
