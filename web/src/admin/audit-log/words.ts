import type { AuditEntry } from '@trunkline/contract/audit-log'
import { formatExactMoney } from '../../common/format/money.ts'

/** Shown after the name of the user. */
const actionWords: Readonly<Record<string, string>> = {
  'alert.acknowledge': 'acknowledged an alert',
  'alert_settings.update': 'changed the alert settings',
  'balance.adjust': 'adjusted a balance',
  'call.hang_up': 'ended a call',
  'canned_reply.create': 'added a canned reply',
  'canned_reply.update': 'changed a canned reply',
  'canned_reply.delete': 'deleted a canned reply',
  'contact_request.update': 'updated a contact request',
  'guards.update': 'changed limits',
  'guards.template': 'applied a template of limits',
  'limit_template.create': 'added a template of limits',
  'limit_template.update': 'changed a template of limits',
  'limit_template.delete': 'deleted a template of limits',
  'number.assign': 'assigned a number to a customer',
  'number.create': 'added a number',
  'number.delete': 'deleted a number',
  'number.import': 'imported numbers',
  'number.release': 'released a number',
  'number.update': 'changed a number',
  'number_settings.update': 'changed the settings for numbers',
  'payment.refund': 'refunded a payment',
  'payment.review_credit': 'credited money under review',
  'payment.review_ignore': 'ignored a review item',
  'plan.create': 'added a plan',
  'plan.update': 'renamed a plan',
  'plan.delete': 'deleted a plan',
  'prices.change': 'changed many prices',
  'prices.undo': 'undid a change of many prices',
  'promo_code.create': 'created a promo code',
  'promo_code.update': 'changed a promo code',
  'promo_code.delete': 'deleted a promo code',
  'prompt.replace': 'replaced a prompt of the system with a recording',
  'prompt.restore': 'restored the voice of a prompt',
  'recording.allow': 'allowed a customer to record calls',
  'recording.forbid': 'stopped a customer from recording calls',
  'recording.listen': 'listened to a recording',
  'recording.download': 'downloaded a recording',
  'recording.delete': 'deleted a recording',
  'recording_price.update': 'changed the price of recordings',
  'route.create': 'added a route',
  'route.update': 'changed a route',
  'route.delete': 'deleted a route',
  'routing_rule.create': 'added a routing rule',
  'routing_rule.update': 'changed a routing rule',
  'routing_rule.delete': 'deleted a routing rule',
  'routing_rule.return': 'returned a trunk to its place',
  'selected_route.update': 'changed a selected route',
  'sip_password.renew': 'reset a SIP password',
  'ticket.note': 'added an internal note to a ticket',
  'ticket.reply': 'replied to a ticket',
  'ticket.update': 'changed a ticket',
  'trunk.create': 'added a trunk',
  'trunk.update': 'changed a trunk',
  'trunk.delete': 'deleted a trunk',
  'trunk.primary': 'made a trunk primary',
  'trunk.rates': 'changed buy rates',
  'carrier_invoice.create': 'compared a carrier invoice',
  'carrier_invoice.update': 'changed a carrier invoice',
  'carrier_invoice.delete': 'deleted a carrier invoice',
  'user.create': 'added a user',
  'user.update': 'changed a user',
  'user.disable': 'disabled a user',
  'user.enable': 'enabled a user',
  'user.merge': 'merged two users',
  'user.tags': 'changed the tags of a user',
  'user_note.create': 'added a note about a user',
  'user_note.update': 'changed a note about a user',
  'user_note.delete': 'deleted a note about a user',
  'user.sign_out': 'signed a user out everywhere',
  'emergency_route.update': 'changed the emergency route',
  'websiteip.update': 'changed the website IP',
}

/** An unknown action is shown by its name: `trunk.import_rates` as "trunk: import rates". */
export const sayAction = (action: string): string =>
  actionWords[action] ?? action.replace('.', ': ').replaceAll('_', ' ')

export type Difference = { field: string; before: string | null; after: string | null }

/** Changed fields; all fields of something that was created or deleted. */
export function differencesIn({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Difference[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    .map((name) => ({
      field: sayField(name),
      before: before && name in before ? sayValue(name, before[name]) : null,
      after: after && name in after ? sayValue(name, after[name]) : null,
    }))
}

const sayField = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace(/^is /, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Fields that hold dollars. */
const MONEY =
  /^(amount|balance|paid|refunded|credited|bonus|price|monthly|setup|cost|cost_monthly|internal_price|connect_fee|buy_rate|daily_spend|max_price|large_top_up|low_balance|unusual_spend_least)$/

const LONGEST = 300

function sayValue(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return MONEY.test(name) ? formatExactMoney(value) : String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : shortened(value.map(sayItem).join(', '))
  return shortened(sayItem(value))
}

const sayItem = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  const parts = Object.entries(item).map(
    ([name, value]) => `${sayField(name).toLowerCase()} ${sayValue(name, value)}`,
  )
  return parts.join(' ')
}

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
