import type { Destination, DeviceGroup, RingRule } from './plan.ts'

/** Texts about ring plans, for call records. */

const groups: Readonly<Record<DeviceGroup, string>> = {
  all: 'phones and browsers',
  phones: 'phones',
  browsers: 'browsers',
}

/** For example "Phones and browsers". */
export const deviceGroupName = (group: DeviceGroup): string => {
  const text = groups[group]
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** For example "phones, then browsers" or "forwarded to +442079460123". */
export function destinationText(
  destination: Destination,
  flowName: (flowId: number) => string = String,
): string {
  switch (destination.kind) {
    case 'phones':
      return destination.steps.map(({ devices }) => groups[devices]).join(', then ')
    case 'pbx':
      return `PBX ${destination.address}`
    case 'number':
      return `forwarded to +${destination.number}`
    case 'flow':
      return `flow ${flowName(destination.flowId)}`
    case 'voicemail':
      return 'voicemail'
    case 'busy':
      return 'busy'
  }
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].sort()
  switch (sorted.join('')) {
    case '1234567':
      return 'Every day'
    case '12345':
      return 'Weekdays'
    case '67':
      return 'Weekends'
    default:
      return sorted.map((day) => DAYS[day - 1]).join(', ')
  }
}

function timeText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return rest === 0 ? `${hours}` : `${hours}:${String(rest).padStart(2, '0')}`
}

/** For example "Weekdays 9 to 17". */
export const scheduleText = ({ days, from, to }: Omit<RingRule, 'name' | 'destination'>): string =>
  `${daysText(days)} ${timeText(from)} to ${timeText(to)}`
