import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { UserError } from './user-error.ts'

type Family = 'IPv4' | 'IPv6'

/** Addresses for documentation: nobody has them, so the way there is the default route. */
const FAR: Record<Family, string> = { IPv4: '203.0.113.1', IPv6: '2001:db8::1' }
const ANY = new Set(['0.0.0.0', '::'])

const familyOf = (address: string): Family => (address.includes(':') ? 'IPv6' : 'IPv4')

/** The address this machine has on its default route, or null where there is none. Nothing is sent. */
function defaultRouteAddress(family: Family): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(family === 'IPv4' ? 'udp4' : 'udp6')
    const finish = (address: string | null) => {
      socket.removeAllListeners()
      socket.on('error', () => {})
      socket.close()
      resolve(address)
    }
    socket.once('error', () => finish(null))
    // With a function given, a fault is told to it.
    const onConnect = (fault?: unknown) => finish(fault ? null : socket.address().address)
    socket.connect(9, FAR[family], onConnect)
  })
}

/**
 * The addresses to listen on. The first of each family is the one that others are told, in SIP and for speech. "All addresses" are a
 * list, and its first is the one of the default route: the loopback address would leave a remote call without sound.
 */
export async function addressesOf(
  host: string | readonly string[],
  advertise: string | undefined,
): Promise<string[]> {
  const asked = typeof host === 'string' ? [host] : [...host]
  const isAny = asked.some((address) => ANY.has(address))
  if (!isAny) return [...new Set(asked)]
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address }) => !address.startsWith('fe80:'))
    .toSorted((one, other) => Number(one.internal) - Number(other.internal))
  const families: Family[] = asked.includes('::') ? ['IPv4', 'IPv6'] : ['IPv4']
  const routed = (await Promise.all(families.map(defaultRouteAddress))).filter((one) => one !== null)
  if (routed.length === 0 && !advertise)
    throw new UserError(
      [
        `SIP_HOST=${asked.join(',')} listens on all addresses of this machine, but it has no default route, so nobody can tell which of them`,
        'carriers and phones can reach. Set SIP_ADVERTISE to the public address, or SIP_HOST to the addresses to listen on.',
      ].join('\n'),
    )
  const listed = asked.flatMap((address) => {
    if (!ANY.has(address)) return [address]
    return all.filter(({ family }) => address === '::' || family === 'IPv4').map(({ address: own }) => own)
  })
  return [...new Set([...routed.filter((address) => listed.includes(address)), ...listed])]
}

/** What is advertised in place of this address: an address of the same family, or a name. */
export const advertisedFor = (host: string, advertise: string | undefined): string | undefined =>
  advertise === undefined || familyOf(advertise) !== familyOf(host) ? undefined : advertise
