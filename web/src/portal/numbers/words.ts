import type { RentedNumber } from '@trunkline/contract/numbers'
import type { Destination, DeviceGroup, RingPlan, RingRule } from '@trunkline/domain/ringing'
import { formatDate } from '../../common/format/dates.ts'
import { formatExactMoney } from '../../common/format/money.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import type { BadgeTone } from '../../ui/Badge.tsx'
import type { FlowNames } from '../flow-queries.ts'

export const deviceWords: Record<DeviceGroup, string> = {
  all: 'all devices',
  phones: 'phones',
  browsers: 'browsers',
}

const seconds = (count: number): string => `${count} seconds`

/** `+442079460123`, with or without the plus sign, as `+44 20 7946 0123`. */
export const showNumber = (number: string): string => formatPhoneNumber(`+${number.replace(/^\+/, '')}`)

/** Begins with a small letter. Phone numbers are plain; screens group their digits. */
export function describeDestination(destination: Destination, flows: FlowNames = new Map()): string {
  switch (destination.kind) {
    case 'phones':
      return `rings ${destination.steps
        .map((step) => `${deviceWords[step.devices]} for ${seconds(step.seconds)}`)
        .join(', then ')}`
    case 'pbx':
      return `rings the PBX at ${destination.address} for ${seconds(destination.seconds)}`
    case 'number':
      return `forwards to +${destination.number}`
    case 'flow': {
      const name = flows.get(destination.flowId)
      return name === undefined ? 'runs a flow' : `runs the flow “${name}”`
    }
    case 'voicemail':
      return 'takes a message'
    case 'busy':
      return 'tells the caller that the number is busy'
  }
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
export const longDayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
export const dayName = (day: number): string => dayNames[day - 1] ?? ''

/** `Weekdays`, `Mon–Wed` or `Mon, Thu`. */
export function describeDays(days: readonly number[]): string {
  const sorted = days.toSorted((left, right) => left - right)
  const joined = sorted.join('')
  if (joined === '1234567') return 'Every day'
  if (joined === '12345') return 'Weekdays'
  if (joined === '67') return 'Weekends'
  const isRow = sorted.every((day, at) => at === 0 || day === (sorted[at - 1] ?? 0) + 1)
  return isRow && sorted.length > 2
    ? `${dayName(sorted[0] ?? 1)}–${dayName(sorted.at(-1) ?? 1)}`
    : sorted.map(dayName).join(', ')
}

/** `09:00` for 540. The end of the day is `24:00`. */
export const formatMinute = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

export const describeTimes = ({ days, from, to }: Pick<RingRule, 'days' | 'from' | 'to'>): string =>
  from === 0 && to === 1440
    ? `${describeDays(days)}, all day`
    : `${describeDays(days)} ${formatMinute(from)}–${formatMinute(to)}`

/** The destinations that are tried in order. A busy signal ends the call, so nothing follows it. */
export const describeTargets = (destinations: readonly Destination[], flows?: FlowNames): string =>
  (destinations[0]?.kind === 'busy' ? destinations.slice(0, 1) : destinations)
    .map((destination) => describeDestination(destination, flows))
    .join(', then ')

/** Where a number rings, one sentence for each rule and one for all other times. */
export function describePlan(
  { rules, destination, fallback }: RingPlan,
  flows?: FlowNames,
): { when: string; what: string }[] {
  const withFallback = (first: Destination) => describeTargets(fallback ? [first, fallback] : [first], flows)
  const always = withFallback(destination)
  if (rules.length === 0) return [{ when: '', what: `${capitalized(always)}.` }]
  return [
    ...rules.map((rule) => ({ when: describeTimes(rule), what: `${withFallback(rule.destination)}.` })),
    { when: 'At other times', what: `${always}.` },
  ]
}

/** Its badge, and what the customer can do about it. */
export function lookOf({ state, cancels, paid_until, suspends_at, releases_at }: RentedNumber): {
  tone: BadgeTone
  label: string
  advice: string | null
} {
  if (state === 'suspended')
    return {
      tone: 'danger',
      label: 'Suspended',
      advice: `The renewal is unpaid, so the number does not ring. Top up by ${formatDate(releases_at)} to keep it.`,
    }
  if (state === 'grace')
    return {
      tone: 'pending',
      label: `Renewal unpaid until ${formatDate(suspends_at)}`,
      advice: `Your balance did not cover the renewal. Top up by ${formatDate(suspends_at)}, or the number stops ringing.`,
    }
  if (state === 'ended') return { tone: 'neutral', label: 'Ended', advice: null }
  if (cancels) return { tone: 'pending', label: `Ends on ${formatDate(paid_until)}`, advice: null }
  return { tone: 'success', label: 'Active', advice: null }
}

export const monthlyWords = (monthly: number): string =>
  monthly === 0 ? 'Free' : `${formatExactMoney(monthly)} / month`
