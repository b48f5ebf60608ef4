import { type Destination, type DeviceGroup, deviceGroups, type RingRule } from './plan.ts'

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

const PBX = 'PBX '
const FORWARD = 'Forward to +'

/** Names of targets in records. */
export const pbxName = (address: string): string => `${PBX}${address}`
export const forwardName = (number: string): string => `${FORWARD}${number}`

const deviceNames: ReadonlySet<string> = new Set(deviceGroups.map(deviceGroupName))

/** What the name of a target in a record stands for. Null for flows and voicemail. */
export function targetKindOf(name: string): 'devices' | 'pbx' | 'forward' | null {
  if (deviceNames.has(name)) return 'devices'
  if (name.startsWith(PBX)) return 'pbx'
  return name.startsWith(FORWARD) ? 'forward' : null
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
      return pbxName(destination.address)
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
