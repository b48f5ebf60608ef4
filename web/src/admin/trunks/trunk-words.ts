import type { Route } from '@trunkline/contract/routes'
import { switchLabel } from '@trunkline/contract/switch-names'
import type { Trunk } from '@trunkline/contract/trunks'
import { ZERO } from '@trunkline/domain/money'
import { costOfMinute } from '@trunkline/domain/rating'
import { toMicros } from '../../common/dollars.ts'
import { billingTerms } from '../../common/prices.ts'
import type { LampState } from '../../ui/Lamp.tsx'

/** Reason phrases of replies to an OPTIONS request. */
const SIP_WORDS: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  407: 'Proxy Authentication Required',
  408: 'no answer',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  483: 'Too Many Hops',
  488: 'Not Acceptable Here',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  600: 'Busy Everywhere',
  603: 'Decline',
}

/** `503 Service Unavailable`, or the code alone. */
export const sipAnswer = (code: number): string => [code, SIP_WORDS[code]].filter(Boolean).join(' ')

/** Codes that mean down, as in sip/route/trunk-health.cfg. */
const DOWN = [408, 500, 503]
export const isThere = (code: number): boolean => !DOWN.includes(code)

type TrunkState = {
  lamp: LampState
  word: string
  /** Start of the state and time of the last check; null without a health check. */
  since: string | null
  heardAt: string | null
  detail: string
}

/** The state of a trunk as reported by the switches. */
export function stateOf({ configured_status, health = [] }: Trunk): TrunkState {
  if (configured_status === 'inactive')
    return { lamp: 'off', word: 'Inactive', ...UNCHECKED, detail: 'Deactivated. Gets no calls.' }
  if (health.length === 0)
    return { lamp: 'off', word: 'Active', ...UNCHECKED, detail: 'No switch with health checks is connected.' }
  const down = health.filter(({ is_up }) => !is_up)
  const [worst] = down
  const heardAt = latest(health.map(({ checked_at }) => checked_at))
  if (!worst) {
    const since = latest(health.map((each) => each.since))
    return { lamp: 'signal', word: 'Up', since, heardAt, detail: `Reachable from ${namesOf(health)}.` }
  }
  const isEverywhere = down.length === health.length
  return {
    lamp: isEverywhere ? 'danger' : 'pending',
    word: isEverywhere ? 'Down' : 'Partly down',
    since: worst.since,
    heardAt,
    detail: `${namesOf(down)}: ${sipAnswer(worst.code)}. Calls skip this trunk there.`,
  }
}

/** Whether the switches are registered at the carrier. */
export function registrationOf({ configured_status, registrations = [] }: Trunk) {
  if (configured_status === 'inactive')
    return { isFailing: false, text: 'Not registered while inactive.', since: null }
  const failing = registrations.filter(({ is_registered }) => !is_registered)
  const [worst] = failing
  if (worst)
    return {
      isFailing: true,
      text: `${namesOf(failing)}: refused or no answer. Check username and password.`,
      since: worst.since,
    }
  if (registrations.length === 0) return { isFailing: false, text: 'Not known yet.', since: null }
  const since = latest(registrations.map((each) => each.since))
  return { isFailing: false, text: `Registered by ${namesOf(registrations)}.`, since }
}

const UNCHECKED = { since: null, heardAt: null }

/** ISO timestamps sort as text. */
const latest = (moments: string[]): string | null => moments.sort().at(-1) ?? null

const namesOf = (reports: readonly { switch: string }[]): string =>
  reports.map((each) => switchLabel(each.switch)).join(', ')

/** The primary of the country first, then the general primary, then the others. */
const primacy = ({ isPrimary, country_code }: Trunk): number =>
  !isPrimary ? 2 : country_code === null ? 1 : 0

/** The order in which calls try them. Equal priorities are ordered by the cost of a minute. */
export const inOrder = (left: Trunk, right: Trunk): number =>
  primacy(left) - primacy(right) ||
  (left.priority ?? 0) - (right.priority ?? 0) ||
  Number(minuteOf(left) - minuteOf(right)) ||
  left.id - right.id

const minuteOf = (trunk: Trunk): bigint =>
  costOfMinute({
    priceMicros: toMicros(trunk.buy_rate ?? 0) ?? ZERO,
    connectFeeMicros: toMicros(trunk.buy_connect_fee ?? 0) ?? ZERO,
    firstIncrement: trunk.buy_first_increment ?? 1,
    nextIncrement: trunk.buy_next_increment ?? 1,
  })

/** Fee and increments of the carrier. Null if it bills by the second without a fee. */
export const buyTermsOf = (trunk: Trunk): string | null =>
  billingTerms({
    connect_fee: trunk.buy_connect_fee ?? 0,
    first_increment: trunk.buy_first_increment ?? 1,
    next_increment: trunk.buy_next_increment ?? 1,
  })

export const serves = (trunk: Trunk, plan: string, countryCode: string): boolean =>
  (trunk.plans ?? []).includes(plan) && (trunk.country_code === null || trunk.country_code === countryCode)

/** Routes that have no other active trunk. */
export const orphansOf = (trunk: Trunk, trunks: readonly Trunk[], routes: readonly Route[]): Route[] =>
  routes.filter(({ planname, country_code }) => {
    const isServedBy = (one: Trunk) =>
      one.configured_status === 'active' && serves(one, planname, country_code)
    return isServedBy(trunk) && !trunks.some((one) => one.id !== trunk.id && isServedBy(one))
  })

const NEARLY_FULL = 0.9

export const isNearlyFull = ({ used, capacity }: Trunk): boolean => used / capacity >= NEARLY_FULL
