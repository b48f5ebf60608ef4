import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { UserError } from './user-error.ts'

type Family = 'IPv4' | 'IPv6'

/** Unused documentation addresses, for which the kernel picks the default route. */
const REMOTE: Record<Family, string> = { IPv4: '203.0.113.1', IPv6: '2001:db8::1' }
const ANY = new Set(['0.0.0.0', '::'])

const familyOf = (address: string): Family => (address.includes(':') ? 'IPv6' : 'IPv4')

/** This machine's address on its default route, or null if it has none. No packet is sent. */
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
    // `connect` passes an error to its callback; the types do not declare it.
    const onConnect = (error?: unknown) => finish(error ? null : socket.address().address)
    socket.connect(9, REMOTE[family], onConnect)
  })
}

/**
 * The addresses to listen on. SIP and SDP advertise the first of each family. 0.0.0.0 and :: expand to a list that starts with the
 * default route's address: with the loopback address, remote calls would have no audio.
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
        `SIP_HOST=${asked.join(',')} listens on all addresses of this machine, but there is no default route that shows which address`,
        'carriers and phones can reach. Set SIP_ADVERTISE to the public address, or SIP_HOST to the addresses to listen on.',
      ].join('\n'),
    )
  const listed = asked.flatMap((address) => {
    if (!ANY.has(address)) return [address]
    return all.filter(({ family }) => address === '::' || family === 'IPv4').map(({ address: own }) => own)
  })
  return [...new Set([...routed.filter((address) => listed.includes(address)), ...listed])]
}

/** The address or name to advertise for `host`, if it has the same family. */
export const advertisedFor = (host: string, advertise: string | undefined): string | undefined =>
  advertise === undefined || familyOf(advertise) !== familyOf(host) ? undefined : advertise
