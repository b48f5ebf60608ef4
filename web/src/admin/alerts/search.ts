import { ALERT_TOPICS, type AlertTopic } from '@trunkline/contract/alert-topics'
import { USERNAME_MAX } from '@trunkline/contract/limits'
import { oneOf, textIn, withoutGaps } from '../../common/address.ts'

/** Search parameters of the screen. */
export type AlertsSearch = Partial<{
  /** Open alerts when absent. */
  state: 'acknowledged' | 'all'
  topic: AlertTopic
  user: string
}>

/** Ignores values that are not valid. */
export const readSearch = (raw: Record<string, unknown>): AlertsSearch =>
  withoutGaps({
    state: oneOf(['acknowledged', 'all'], raw.state),
    topic: oneOf(ALERT_TOPICS, raw.topic),
    user: textIn(raw.user)?.trim().slice(0, USERNAME_MAX) || undefined,
  })
