import { ALERT_TOPICS, type AlertTopic } from '@trunkline/contract/alert-topics'
import type { AlertSettings } from '@trunkline/contract/alerts'
import { ownMessages } from '@trunkline/contract/messages'
import { toMicros } from '../../common/dollars.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import type { FieldErrors } from '../../common/forms/use-form.ts'
import type { SettingsChange } from './queries.ts'

/** An empty threshold turns the alert off. */
export type Draft = {
  large_top_up: string
  low_balance: string
  unusual_spend_times: string
  unusual_spend_least: string
  failed_sign_ins_account: string
  failed_sign_ins_address: string
  /** One address per line. */
  mail_to: string
  mail_topics: readonly AlertTopic[]
  weekly_report: boolean
}
type Errors = FieldErrors<keyof Draft>

const written = (figure: number | null): string => (figure === null ? '' : String(figure))

export const draftOf = (settings: AlertSettings): Draft => ({
  large_top_up: written(settings.large_top_up),
  low_balance: written(settings.low_balance),
  unusual_spend_times: written(settings.unusual_spend_times),
  unusual_spend_least: written(settings.unusual_spend_least),
  failed_sign_ins_account: written(settings.failed_sign_ins_account),
  failed_sign_ins_address: written(settings.failed_sign_ins_address),
  mail_to: settings.mail_to.join('\n'),
  mail_topics: settings.mail_topics,
  weekly_report: settings.weekly_report_timezone !== null,
})

const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((address) => address.toLowerCase())
      .filter(Boolean),
  ),
]

const amounts = ['large_top_up', 'low_balance', 'unusual_spend_least'] as const
const counts = ['failed_sign_ins_account', 'failed_sign_ins_address'] as const

export function validateSettings(draft: Draft): Errors {
  const errors: Errors = {}
  for (const name of amounts) {
    const isOff = draft[name].trim() === '' && name !== 'unusual_spend_least'
    const micros = toMicros(Number(draft[name].trim() || Number.NaN))
    if (!isOff && (micros === null || micros <= 0n)) errors[name] = ownMessages.amountInvalid
  }
  for (const name of counts)
    if (!/^\d*$/.test(draft[name].trim()) || draft[name].trim() === '0')
      errors[name] = ownMessages.wholeNumber
  const times = draft.unusual_spend_times.trim()
  if (times !== '' && !(Number(times) >= 1 && Number(times) <= 1000 && /^\d+(\.\d{1,2})?$/.test(times)))
    errors.unusual_spend_times = ownMessages.timesInvalid
  if (!addressesIn(draft.mail_to).every((address) => /^[^@]+@[^@]+\.[^@]+$/.test(address)))
    errors.mail_to = ownMessages.emailInvalid
  return errors
}

/** Only changed fields; null without a change. */
export function changeOf(draft: Draft, settings: AlertSettings): SettingsChange | null {
  const figure = (text: string) => (text.trim() === '' ? null : Number(text))
  const typed = {
    large_top_up: figure(draft.large_top_up),
    low_balance: figure(draft.low_balance),
    unusual_spend_times: figure(draft.unusual_spend_times),
    unusual_spend_least: Number(draft.unusual_spend_least),
    failed_sign_ins_account: figure(draft.failed_sign_ins_account),
    failed_sign_ins_address: figure(draft.failed_sign_ins_address),
    mail_to: addressesIn(draft.mail_to),
    mail_topics: ALERT_TOPICS.filter((topic) => draft.mail_topics.includes(topic)),
    weekly_report_timezone: draft.weekly_report ? (settings.weekly_report_timezone ?? viewersZone()) : null,
  }
  const before = {
    ...settings,
    mail_topics: ALERT_TOPICS.filter((topic) => settings.mail_topics.includes(topic)),
  }
  const changed = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof typed]),
  )
  return changed.length === 0 ? null : { ...Object.fromEntries(changed), version: settings.version }
}

export const settingLabels: Readonly<Record<keyof Draft, string>> = {
  large_top_up: 'Large top-up, from ($)',
  low_balance: 'Low balance, below ($)',
  unusual_spend_times: 'Multiple of normal daily spend',
  unusual_spend_least: 'Minimum spend per day ($)',
  failed_sign_ins_account: 'Per account',
  failed_sign_ins_address: 'Per IP address',
  mail_to: 'Recipients',
  mail_topics: 'Alerts to email',
  weekly_report: 'Report of the past week on Monday morning',
}
