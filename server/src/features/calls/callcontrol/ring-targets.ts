import { isIPv6 } from 'node:net'
import type { ToSwitchOf } from '@trunkline/contract/switch-protocol'
import type { InventoryNumber } from '@trunkline/domain/callcontrol'
import { type Destination, type DeviceGroup, deviceGroupName, targetsAt } from '@trunkline/domain/ringing'
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
  const { targets, skipped } = targetsOf(catalogue, elsewhere, destinations, { ...rung, userId, e164 })
  const isBusy = destinations.at(-1)?.kind === 'busy'
  return {
    targets,
    lastCode: isBusy ? BUSY : UNAVAILABLE,
    explanation: explanation + skipped,
  }
}

/** The targets of a customer's destinations. `e164` is the number that was called. */
export function targetsOf(
  catalogue: Catalogue,
  elsewhere: Elsewhere,
  destinations: readonly Destination[],
  rung: Rung & { userId: number; e164: string },
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
        const name = `PBX ${address}`
        if (trusted.has(normalAddress(address)))
          return [{ name, seconds, uri: `sip:${e164}@${inUri(address)}:${port};transport=${transport}` }]
        return skip(name, 'it is not a trusted address of the account')
      }
      case 'number':
        return [
          {
            name: `Forward to +${destination.number}`,
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
  const targets = destinations.flatMap(targetsTo).map((target, index) => {
    const accounts = target.phones ?? []
    const others = accounts.length > 0 ? elsewhere({ ...rung, accounts, startsBy }) : []
    startsBy += target.seconds * SECOND
    return { id: -1 - index, ...target, ...(others.length > 0 && { phones: [...accounts, ...others] }) }
  })
  return { targets, skipped: skipped.join('') }
}

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
