import { isIPv6 } from 'node:net'
import type { ToSwitchOf } from '@trunkline/contract/switch-protocol'
import type { InventoryNumber } from '@trunkline/domain/callcontrol'
import {
  type Destination,
  type DeviceGroup,
  deviceGroupName,
  forwardName,
  isRingDestination,
  pbxName,
  singleDestinations,
  targetsAt,
} from '@trunkline/domain/ringing'
import { SECOND } from '../../../platform/clock.ts'
import { type Catalogue, normalAddress, trustedOf } from '../../catalogue/snapshot/catalogue.ts'
import { type MediaCallKind, mediaUser } from '../live-calls/media-address.ts'
import type { PeerLegs } from './peer-legs.ts'

type Target = NonNullable<ToSwitchOf<'allow'>['plan']>[number]
type RingTarget = Omit<Target, 'id'> & { name: string }
export type NamedTarget = Target & { name: string }

/** The plan of an incoming call for the switch, with names for its record. */
export type Ringing = {
  targets: NamedTarget[]
  lastCode: number
  explanation: string
}

/** The call whose targets are wanted. `exceptFor` is the phone that places the call itself. */
export type Rung = {
  callId: string
  switchId: string
  at: number
  exceptFor: string | null
}

/** SIP URIs of other switches at which more of these phones are registered. */
export type Elsewhere = PeerLegs['urisFor']

const BUSY = 486
const UNAVAILABLE = 480
/** A media process answers immediately. */
const MEDIA_SECONDS = 10
const MAX_MEDIA_TARGETS = 2
/**
 * A media process that rings repeats its reply every second, and ends the ringing itself. Call control needs up to five seconds to end
 * the legs of one that is lost, so that the phones are free when they ring again.
 */
const MEDIA_SILENT_SECONDS = 6
/** A media process that rings ends the ringing at most 15 seconds late. */
const MEDIA_RINGS_LATE_SECONDS = 20
/** Targets that record have ids below this one, so that the others have the same ids as without a recording. */
const RECORDING_IDS_BELOW = -100

/** Where a number rings at a time. */
export function ringingOf(
  catalogue: Catalogue,
  elsewhere: Elsewhere,
  { e164, rental }: InventoryNumber,
  rung: Rung,
): Ringing {
  if (!rental) return { targets: [], lastCode: UNAVAILABLE, explanation: '' }
  const { userId } = rental
  const flowName = (id: number) => catalogue.flowOf(userId, id)?.name ?? String(id)
  const { destinations, explanation } = targetsAt(rental.ringPlan, rung.at, flowName)
  const facts = catalogue.factsById(userId)
  const records = facts?.mayRecord === true && (facts.recordsAll || rental.records)
  const called = { ...rung, userId, e164 }
  const { targets, skipped } = targetsOf(catalogue, elsewhere, destinations, called, records)
  const isBusy = destinations.at(-1)?.kind === 'busy'
  return {
    targets,
    lastCode: isBusy ? BUSY : UNAVAILABLE,
    explanation: explanation + skipped,
  }
}

/**
 * The targets of a customer's destinations. `e164` is the number that was called. With `records`, a media process rings them and records the
 * conversation. If it does not take the call, the switch rings them without a recording: calls matter more than recordings.
 */
export function targetsOf(
  catalogue: Catalogue,
  elsewhere: Elsewhere,
  destinations: readonly Destination[],
  rung: Rung & { userId: number; e164: string },
  records = false,
): { targets: NamedTarget[]; skipped: string } {
  const { userId, e164, at, exceptFor } = rung
  const facts = catalogue.factsById(userId)
  const username = facts?.username ?? ''
  const trusted = new Set(facts ? trustedOf(facts).map(({ address }) => address) : [])
  const skipped: string[] = []
  const skip = (name: string, why: string): RingTarget[] => {
    skipped.push(` ${name} was skipped, because ${why}.`)
    return []
  }

  const accountsOf = (devices: DeviceGroup): string[] => {
    const browsers = devices === 'phones' ? [] : catalogue.browsersOf(userId, at)
    const phones = devices === 'browsers' ? [] : [username]
    return [...phones, ...browsers].filter((account) => account !== exceptFor)
  }

  const onMedia = (kind: MediaCallKind, id: number, name: string): RingTarget[] => {
    const targets = mediaTargets(catalogue, { kind, id, name }, rung)
    return targets.length > 0 ? targets : skip(name, 'no media process is running')
  }

  const targetsTo = (destination: Destination): RingTarget[] => {
    switch (destination.kind) {
      case 'phones':
        return destination.steps.flatMap(({ devices, seconds }) => {
          const phones = accountsOf(devices)
          return phones.length > 0 ? { name: deviceGroupName(devices), seconds, phones } : []
        })
      case 'pbx': {
        const { address, port, transport, seconds } = destination
        const name = pbxName(address)
        if (trusted.has(normalAddress(address)))
          return [{ name, seconds, uri: `sip:${e164}@${inUri(address)}:${port};transport=${transport}` }]
        return skip(name, 'it is not a trusted address of the account')
      }
      case 'number':
        return [
          {
            name: forwardName(destination.number),
            seconds: destination.seconds,
            next: { direction: 'out', user: username, to: destination.number },
          },
        ]
      case 'flow': {
        const flow = catalogue.flowOf(userId, destination.flowId)
        if (!flow) return skip(`Flow ${destination.flowId}`, 'it does not exist')
        const name = `Flow ${flow.name}`
        return flow.isPublished ? onMedia('flow', flow.id, name) : skip(name, 'it is not published')
      }
      case 'voicemail':
        return onMedia('voicemail', userId, 'Voicemail')
      case 'busy':
        return []
    }
  }

  let startsBy = at
  let lastId = 0
  const withId = (target: RingTarget): NamedTarget => {
    const accounts = target.phones ?? []
    // Media processes may ring before, and be lost one after the other.
    const late = records ? MAX_MEDIA_TARGETS * (target.seconds + MEDIA_RINGS_LATE_SECONDS) : 0
    startsBy += late * SECOND
    const others = accounts.length > 0 ? elsewhere({ ...rung, accounts, startsBy }) : []
    startsBy += target.seconds * SECOND
    return { id: --lastId, ...target, ...(others.length > 0 && { phones: [...accounts, ...others] }) }
  }

  let lastRecordingId = RECORDING_IDS_BELOW
  const notes = new Set<string>()
  const recorded = (destination: Destination, position: number, targets: NamedTarget[]): NamedTarget[] => {
    const [target] = targets
    if (!records || !target || !isRingDestination(destination)) return targets
    const { name } = target
    const recording = mediaTargets(catalogue, { kind: 'ring', id: position, name }, rung)
    notes.add(recording.length > 0 ? RECORDED : NOT_RECORDED)
    const all = [
      ...recording.map((one) => ({ id: --lastRecordingId, ...one, seconds: MEDIA_SILENT_SECONDS })),
      ...targets,
    ]
    return all.map((one, index) => (index === 0 ? one : { ...one, isSpare: true }))
  }

  const targets = singleDestinations(destinations).flatMap((destination, position) =>
    recorded(destination, position, targetsTo(destination).map(withId)),
  )
  return { targets, skipped: [...skipped, ...notes].join('') }
}

const RECORDED = ' The conversation is recorded.'
const NOT_RECORDED = ' It is not recorded, because no media process is running.'

/** One target for each of the media processes with the fewest calls: if one refuses, the next takes the call. */
export const mediaTargets = (
  catalogue: Catalogue,
  { kind, id, name }: { kind: MediaCallKind; id: number; name: string },
  call: { callId: string; switchId: string },
): RingTarget[] =>
  catalogue
    .readyMediaServers()
    .slice(0, MAX_MEDIA_TARGETS)
    .map(({ host, port }) => ({
      name,
      seconds: MEDIA_SECONDS,
      uri: `sip:${mediaUser(kind, id, call)}@${inUri(host)}:${port};transport=tcp`,
      isMedia: true,
    }))

const inUri = (address: string): string => (isIPv6(address) ? `[${address}]` : address)
