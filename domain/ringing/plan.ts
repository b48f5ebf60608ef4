/** Where a rented number rings. */

/** Which of the customer's devices ring: registered phones, open browsers, or both. */
export const deviceGroups = ['all', 'phones', 'browsers'] as const
export type DeviceGroup = (typeof deviceGroups)[number]

/** Devices that ring at once, for some seconds. */
export type RingStep = { readonly devices: DeviceGroup; readonly seconds: number }

export type Destination =
  /** The steps are tried in order. */
  | { readonly kind: 'phones'; readonly steps: readonly RingStep[] }
  /** A PBX at a trusted address of the account. */
  | {
      readonly kind: 'pbx'
      readonly address: string
      readonly port: number
      readonly transport: 'udp' | 'tcp' | 'tls'
      readonly seconds: number
    }
  /**
   * An outgoing leg to another number, paid by the customer. `callerId` is the number that the called party sees: the rented number or
   * the caller's.
   */
  | {
      readonly kind: 'number'
      readonly number: string
      readonly callerId: 'number' | 'caller'
      readonly seconds: number
    }
  /** A flow of the customer, or the customer's voicemail. */
  | { readonly kind: 'flow'; readonly flowId: number }
  | { readonly kind: 'voicemail' }
  /** The caller hears that the number is busy. */
  | { readonly kind: 'busy' }

/** Minutes after midnight; `to` is exclusive and may be 1440. A rule with `from` after `to` continues after midnight. */
export type RingRule = {
  readonly name: string
  /** 1 is Monday, 7 is Sunday. With a rule that continues after midnight, the day of its start. */
  readonly days: readonly number[]
  readonly from: number
  readonly to: number
  readonly destination: Destination
}

export type RingPlan = {
  readonly timeZone: string
  /** The first rule that matches the time decides. */
  readonly rules: readonly RingRule[]
  /** Applies when no rule matches. */
  readonly destination: Destination
  /** Tried when the destination does not answer, is busy or cannot be reached. */
  readonly fallback: Destination | null
}

/** Destinations that ring somebody. The others answer the call themselves, or end it. */
export type RingDestination = Extract<Destination, { kind: 'phones' | 'pbx' | 'number' }>

export const isRingDestination = (destination: Destination): destination is RingDestination =>
  destination.kind === 'phones' || destination.kind === 'pbx' || destination.kind === 'number'

/** The destinations in the order in which they are tried. Phones that ring in several steps are one destination for each step. */
export const singleDestinations = (destinations: readonly Destination[]): Destination[] =>
  destinations.flatMap((destination): Destination[] =>
    destination.kind === 'phones'
      ? destination.steps.map((step) => ({ kind: 'phones', steps: [step] }))
      : [destination],
  )

export const RING_SECONDS = 25

/** All devices at once. */
export const defaultPlan = (timeZone: string): RingPlan => ({
  timeZone,
  rules: [],
  destination: { kind: 'phones', steps: [{ devices: 'all', seconds: RING_SECONDS }] },
  fallback: null,
})
