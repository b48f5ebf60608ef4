import { isIPv6 } from 'node:net'
import type { ToSwitchOf } from '@trunkline/contract/switch-protocol'
import type { InventoryNumber } from '@trunkline/domain/callcontrol'
import { type Destination, type DeviceGroup, deviceGroupName, targetsAt } from '@trunkline/domain/ringing'
import { type Catalogue, normalAddress, trustedOf } from '../../catalogue/snapshot/catalogue.ts'

type Target = NonNullable<ToSwitchOf<'allow'>['plan']>[number]
type RingTarget = Omit<Target, 'id'> & { name: string }

/** The plan of an incoming call for the switch, with names for its record. */
export type Ringing = {
  targets: (Target & { name: string })[]
  lastCode: number
  explanation: string
}

const BUSY = 486
const UNAVAILABLE = 480

/** Where a number rings at a time. `exceptFor` is the phone that places the call itself. */
export function ringingOf(
  catalogue: Catalogue,
  { e164, rental }: InventoryNumber,
  { at, exceptFor }: { at: number; exceptFor: string | null },
): Ringing {
  if (!rental) return { targets: [], lastCode: UNAVAILABLE, explanation: '' }
  const { destinations, explanation } = targetsAt(rental.ringPlan, at)
  const facts = catalogue.factsById(rental.userId)
  const username = facts?.username ?? ''
  const trusted = new Set(facts ? trustedOf(facts).map(({ address }) => address) : [])
  const skipped: string[] = []

  const accountsOf = (devices: DeviceGroup): string[] => {
    const browsers = devices === 'phones' ? [] : catalogue.browsersOf(rental.userId, at)
    const phones = devices === 'browsers' ? [] : [username]
    return [...phones, ...browsers].filter((account) => account !== exceptFor)
  }

  const targetsOf = (destination: Destination): RingTarget[] => {
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
        skipped.push(` ${name} was skipped, because it is not a trusted address of the account.`)
        return []
      }
      case 'number':
        return [
          {
            name: `Forward to +${destination.number}`,
            seconds: destination.seconds,
            next: { direction: 'out', user: username, to: destination.number },
          },
        ]
      case 'flow':
      case 'voicemail':
      case 'busy':
        return []
    }
  }

  const targets = destinations.flatMap(targetsOf).map((target, index) => ({ id: -1 - index, ...target }))
  const isBusy = destinations.at(-1)?.kind === 'busy'
  return {
    targets,
    lastCode: isBusy ? BUSY : UNAVAILABLE,
    explanation: explanation + skipped.join(''),
  }
}

const inUri = (address: string): string => (isIPv6(address) ? `[${address}]` : address)
