import { type FieldFault, Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import { parseNumber } from '@trunkline/domain/numbers'
import type { Destination, RingPlan } from '@trunkline/domain/ringing'

/** Destinations that are allowed in the customer's ring plans. */
type Allowed = {
  /** Addresses of PBXs. */
  trusted: ReadonlySet<string>
  publishedFlows: ReadonlySet<number>
}

const placesOf = (plan: RingPlan) => [
  ...plan.rules.map(({ destination }, at) => [`rules.${at}.destination`, destination] as const),
  ['destination', plan.destination] as const,
  ['fallback', plan.fallback] as const,
]

export const flowsOf = (plan: RingPlan): number[] =>
  placesOf(plan).flatMap(([, destination]) => (destination?.kind === 'flow' ? [destination.flowId] : []))

/** Refuses destinations that the customer cannot use. */
export function checkRingPlan(plan: RingPlan, e164: string, { trusted, publishedFlows }: Allowed): void {
  const faultOf = (destination: Destination | null): FieldFault | null => {
    if (destination?.kind === 'pbx' && !trusted.has(destination.address))
      return { field: 'address', message: ownMessages.pbxNotTrusted }
    if (destination?.kind === 'flow' && !publishedFlows.has(destination.flowId))
      return { field: 'flowId', message: ownMessages.flowNotPublished }
    if (destination?.kind !== 'number') return null
    if (destination.number === e164) return { field: 'number', message: ownMessages.forwardToItself }
    return parseNumber(`+${destination.number}`) === null
      ? { field: 'number', message: ownMessages.forwardNumberInvalid }
      : null
  }
  const faults = placesOf(plan).flatMap(([path, destination]) => {
    const fault = faultOf(destination)
    return fault ? [{ field: `ring_plan.${path}.${fault.field}`, message: fault.message }] : []
  })
  if (faults[0]) throw new Refusal('invalid_input', faults[0].message, faults)
}
