import { ALERT_TOPICS, type AlertTopic } from '@trunkline/contract/alert-topics'
import { USERNAME_MAX } from '@trunkline/contract/limits'
import { oneOf, textIn, withoutGaps } from '../../common/address.ts'

/** What the address says of the screen: which alerts. */
export type AlertsSearch = Partial<{
  /** Nothing: those that are open. */
  state: 'acknowledged' | 'all'
  topic: AlertTopic
  user: string
}>

/** Addresses are typed by hand and kept for years: what cannot be understood is left out. */
export const readSearch = (raw: Record<string, unknown>): AlertsSearch =>
  withoutGaps({
    state: oneOf(['acknowledged', 'all'], raw.state),
    topic: oneOf(ALERT_TOPICS, raw.topic),
    user: textIn(raw.user)?.trim().slice(0, USERNAME_MAX) || undefined,
  })
