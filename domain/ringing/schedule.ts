import type { Destination, RingPlan, RingRule } from './plan.ts'
import { destinationText, scheduleText } from './words.ts'

export type Targets = {
  /** Name of the rule that applies. Null: no rule matches the time. */
  readonly ruleName: string | null
  /** Tried in order: the destination, then the fallback. */
  readonly destinations: readonly Destination[]
  /** Which rule sends the call where. One sentence. */
  readonly explanation: string
}

/** Where the number rings at this time, in milliseconds since 1970. `flowName` is for the explanation. */
export function targetsAt(
  plan: RingPlan,
  at: number,
  flowName: (flowId: number) => string = String,
): Targets {
  const moment = localTime(plan.timeZone, at)
  const rule = plan.rules.find((each) => matches(each, moment))
  const { destination } = rule ?? plan
  // A busy signal ends the call, so nothing follows it.
  const fallback = destination.kind === 'busy' ? null : plan.fallback
  const destinations = fallback ? [destination, fallback] : [destination]
  return {
    ruleName: rule ? nameOf(rule) : null,
    destinations,
    explanation: `${whenOf(plan, rule)}: ${destinations.map((one) => destinationText(one, flowName)).join(', then ')}.`,
  }
}

const nameOf = (rule: RingRule): string => rule.name || scheduleText(rule)

function whenOf({ rules }: RingPlan, rule: RingRule | undefined): string {
  if (rule) return nameOf(rule)
  return rules.length > 0 ? 'Outside the rules' : 'Always'
}

const MINUTES_OF_DAY = 24 * 60

/** A wall clock: 1 is Monday. */
export type LocalTime = { readonly day: number; readonly minute: number }

/** Whether a wall clock is in these hours. Hours with `from` after `to` continue after midnight and belong to the day of their start. */
export function matches(
  { days, from, to }: Omit<RingRule, 'name' | 'destination'>,
  { day, minute }: LocalTime,
): boolean {
  const startsToday = days.includes(day)
  if (from < to) return startsToday && minute >= from && minute < to
  const startedYesterday = days.includes(day === 1 ? 7 : day - 1)
  return (startsToday && minute >= from) || (startedYesterday && minute < to)
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Creating a formatter takes longer than using it a hundred times. There are about 600 time zones. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const created = createFormatter(timeZone) ?? (createFormatter('UTC') as Intl.DateTimeFormat)
  formatters.set(timeZone, created)
  return created
}

/** Null for a zone that this runtime does not know. */
function createFormatter(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  } catch {
    return null
  }
}

const partsOf = (timeZone: string, at: number): ReadonlyMap<string, string> =>
  new Map(
    formatterOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )

export function localTime(timeZone: string, at: number): LocalTime {
  const parts = partsOf(timeZone, at)
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'))
  return { day: WEEKDAYS.indexOf(parts.get('weekday') ?? '') + 1, minute: minute % MINUTES_OF_DAY }
}

/** For example 2026-12-25. */
export function localDate(timeZone: string, at: number): string {
  const parts = partsOf(timeZone, at)
  return [parts.get('year'), parts.get('month'), parts.get('day')].join('-')
}
