import { RING_SECONDS_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { type Destination, type DeviceGroup, RING_SECONDS, type RingPlan } from '@trunkline/domain/ringing'
import { formatMinute } from '../words.ts'

/** The ring plan as typed. A destination keeps the fields of all kinds, so that changing the kind loses nothing. */

type Kind = Destination['kind']

export type DestinationValues = {
  kind: Kind
  steps: readonly { devices: DeviceGroup; seconds: string }[]
  address: string
  port: string
  transport: 'udp' | 'tcp' | 'tls'
  number: string
  /** Of a flow. */
  flowId: string
  callerId: 'number' | 'caller'
  /** Of the PBX or the other number. */
  seconds: string
}

export type RuleValues = {
  /** Identifies the rule while it moves. */
  key: number
  name: string
  days: readonly number[]
  /** `HH:MM`. The end of the day is `00:00`. */
  from: string
  to: string
  destination: DestinationValues
}

export type PlanValues = {
  timeZone: string
  rules: readonly RuleValues[]
  destination: DestinationValues
  /** Null without a fallback. */
  fallback: DestinationValues | null
}

export const planLabels = {
  destination: 'Rings',
  rules: 'Time rules',
  timeZone: 'Time zone',
  fallback: 'If nobody answers',
} satisfies Record<keyof PlanValues, string>

const SIP_PORT = 5060

export const blankDestination = (kind: Kind = 'phones'): DestinationValues => ({
  kind,
  steps: [{ devices: 'all', seconds: String(RING_SECONDS) }],
  address: '',
  port: String(SIP_PORT),
  transport: 'udp',
  number: '',
  flowId: '',
  callerId: 'number',
  seconds: String(RING_SECONDS),
})

export function destinationValues(destination: Destination): DestinationValues {
  const blank = blankDestination(destination.kind)
  switch (destination.kind) {
    case 'phones':
      return {
        ...blank,
        steps: destination.steps.map(({ devices, seconds }) => ({ devices, seconds: String(seconds) })),
      }
    case 'pbx': {
      const { address, port, transport, seconds } = destination
      return { ...blank, address, port: String(port), transport, seconds: String(seconds) }
    }
    case 'number': {
      const { number, callerId, seconds } = destination
      return { ...blank, number: `+${number}`, callerId, seconds: String(seconds) }
    }
    case 'flow':
      return { ...blank, flowId: String(destination.flowId) }
    case 'voicemail':
    case 'busy':
      return blank
  }
}

const DAY_MINUTES = 1440

export const valuesOf = ({ timeZone, rules, destination, fallback }: RingPlan): PlanValues => ({
  timeZone,
  rules: rules.map((rule, at) => ({
    key: at + 1,
    name: rule.name,
    days: rule.days,
    from: formatMinute(rule.from % DAY_MINUTES),
    to: formatMinute(rule.to % DAY_MINUTES),
    destination: destinationValues(rule.destination),
  })),
  destination: destinationValues(destination),
  fallback: fallback && destinationValues(fallback),
})

export const blankRule = (rules: readonly RuleValues[]): RuleValues => ({
  key: Math.max(0, ...rules.map(({ key }) => key)) + 1,
  name: '',
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '17:00',
  destination: blankDestination(),
})

const minutesIn = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const digitsOf = (number: string): string => number.replace(/\D/g, '')

/** As the request needs it. */
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends object | null ? Mutable<T[Key]> : T[Key] }

export function destinationOf(values: DestinationValues): Mutable<Destination> {
  const seconds = Number(values.seconds)
  switch (values.kind) {
    case 'phones':
      return {
        kind: 'phones',
        steps: values.steps.map((step) => ({ devices: step.devices, seconds: Number(step.seconds) })),
      }
    case 'pbx': {
      const { address, transport } = values
      return { kind: 'pbx', address, port: Number(values.port), transport, seconds }
    }
    case 'number':
      return { kind: 'number', number: digitsOf(values.number), callerId: values.callerId, seconds }
    case 'flow':
      return { kind: 'flow', flowId: Number(values.flowId) }
    case 'voicemail':
    case 'busy':
      return { kind: values.kind }
  }
}

/** The plan of valid values. */
export const planOf = ({ timeZone, rules, destination, fallback }: PlanValues): Mutable<RingPlan> => ({
  timeZone,
  rules: rules.map((rule) => ({
    name: rule.name.trim(),
    days: rule.days.toSorted((left, right) => left - right),
    from: minutesIn(rule.from),
    to: minutesIn(rule.to) || DAY_MINUTES,
    destination: destinationOf(rule.destination),
  })),
  destination: destinationOf(destination),
  fallback: fallback && destinationOf(fallback),
})

/** Messages by the path of the field in the request. */
export type PlanErrors = Record<string, string>

/** The path of the plan in the request. Controls have the names of their paths. */
export const PLAN = 'ring_plan'
const MIN_SECONDS = 5
const MAX_PORT = 65_535

const isWhole = (text: string, min: number, max: number): boolean =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max

export function validatePlan({ rules, destination, fallback }: PlanValues): PlanErrors {
  return {
    ...destinationErrors(destination, `${PLAN}.destination`),
    ...Object.assign({}, ...rules.map((rule, at) => ruleErrors(rule, `${PLAN}.rules.${at}`))),
    ...(fallback && destinationErrors(fallback, `${PLAN}.fallback`)),
  }
}

function ruleErrors({ days, from, to, destination }: RuleValues, path: string): PlanErrors {
  const isAllDay = from === '00:00' && to === '00:00'
  return {
    ...(days.length === 0 && { [`${path}.days`]: 'Choose at least one day.' }),
    ...(from === '' && { [`${path}.from`]: 'Please enter a time.' }),
    ...(to === '' && { [`${path}.to`]: 'Please enter a time.' }),
    ...(from !== '' && from === to && !isAllDay && { [`${path}.to`]: 'Please enter another end time.' }),
    ...destinationErrors(destination, `${path}.destination`),
  }
}

export function destinationErrors(values: DestinationValues, path: string): PlanErrors {
  const errors: PlanErrors = {}
  const checkSeconds = (text: string, name: string) => {
    if (!isWhole(text, MIN_SECONDS, RING_SECONDS_MAX))
      errors[`${path}.${name}`] = ownMessages.ringSecondsInvalid
  }
  if (values.kind === 'phones')
    values.steps.forEach(({ seconds }, at) => {
      checkSeconds(seconds, `steps.${at}.seconds`)
    })
  if (values.kind === 'pbx') {
    if (values.address === '') errors[`${path}.address`] = 'Choose the address of your PBX.'
    if (!isWhole(values.port, 1, MAX_PORT)) errors[`${path}.port`] = 'Please enter a port from 1 to 65535.'
  }
  if (values.kind === 'flow' && values.flowId === '') errors[`${path}.flowId`] = 'Choose a flow.'
  if (values.kind === 'number' && !isInternational(values.number))
    errors[`${path}.number`] = ownMessages.forwardNumberInvalid
  if (values.kind === 'pbx' || values.kind === 'number') checkSeconds(values.seconds, 'seconds')
  return errors
}

/** With a country code. The server knows the numbering plans. */
export const isInternational = (number: string): boolean =>
  /^\+[0-9 ().-]{6,30}$/.test(number.trim()) && /^[1-9]\d{6,14}$/.test(digitsOf(number))
