import { guardReasons } from '@trunkline/domain/guards'

/** Topics of alerts in display order. Without zod, because the browser uses them too. */
export const ALERT_TOPICS = [
  'large_top_up',
  'low_balance',
  'guard_fired',
  'unusual_spend',
  'trunk_down',
  'trunk_quality',
  'route_fault',
  'unreleased_call',
  'unreachable_number',
  'unknown_numbers',
  'overload',
  'media_relay',
  'failed_sign_ins',
  'payment_review',
  'promo_abuse',
  'trusted_address',
  'caller_id_request',
  'number_rent',
] as const
export type AlertTopic = (typeof ALERT_TOPICS)[number]

type TopicFacts = {
  title: string
  kinds: readonly string[]
  /** The affected customer sees the alert too. */
  isForCustomer: boolean
}

export const alertTopics: Readonly<Record<AlertTopic, TopicFacts>> = {
  large_top_up: { title: 'Large Top-up Alert', kinds: ['large_top_up'], isForCustomer: false },
  low_balance: { title: 'Low Balance Alert', kinds: ['low_balance'], isForCustomer: true },
  guard_fired: { title: 'Guard Alert', kinds: [...guardReasons, 'refused_calls_flood'], isForCustomer: true },
  unusual_spend: { title: 'Unusual Spend Alert', kinds: ['unusual_spend'], isForCustomer: false },
  trunk_down: {
    title: 'Trunk Down Alert',
    kinds: ['trunk_down', 'trunk_unregistered'],
    isForCustomer: false,
  },
  trunk_quality: {
    title: 'Trunk Quality Alert',
    kinds: ['trunk_demoted', 'trunk_returned'],
    isForCustomer: false,
  },
  route_fault: {
    title: 'Route Fault Alert',
    kinds: ['no_trunk', 'trunks_full', 'below_cost'],
    isForCustomer: false,
  },
  unreleased_call: { title: 'Unreleased Call Alert', kinds: ['unreleased_call'], isForCustomer: false },
  unreachable_number: {
    title: 'Unreachable Number Alert',
    kinds: ['unreachable_number'],
    isForCustomer: true,
  },
  unknown_numbers: {
    title: 'Unknown Number Alert',
    kinds: ['unknown_incoming_number'],
    isForCustomer: false,
  },
  overload: { title: 'Overload Alert', kinds: ['switch_overloaded'], isForCustomer: false },
  media_relay: { title: 'Media Relay Alert', kinds: ['media_relay_failed'], isForCustomer: false },
  failed_sign_ins: {
    title: 'Failed Sign-in Alert',
    kinds: ['failed_sign_ins', 'address_banned'],
    isForCustomer: true,
  },
  payment_review: { title: 'Payment Review Alert', kinds: ['payment_review'], isForCustomer: false },
  trusted_address: { title: 'Trusted Address Alert', kinds: ['address_trusted'], isForCustomer: true },
  caller_id_request: { title: 'Caller ID Alert', kinds: ['caller_id_pending'], isForCustomer: false },
  number_rent: { title: 'Number Rent Alert', kinds: ['renewal_failed'], isForCustomer: true },
  promo_abuse: { title: 'Promo Code Alert', kinds: ['promo_abuse'], isForCustomer: false },
}

const topicByKind = new Map(
  ALERT_TOPICS.flatMap((topic) => alertTopics[topic].kinds.map((kind) => [kind, topic] as const)),
)

export const topicOfKind = (kind: string): AlertTopic | undefined => topicByKind.get(kind)
export const titleOfKind = (kind: string): string => {
  const topic = topicOfKind(kind)
  return topic ? alertTopics[topic].title : 'Alert'
}
