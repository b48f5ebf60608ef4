/** Addresses and host names as people type them. Free of zod and of Node: forms check with the same words. */

const NUMBER_OF_IPV4 = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${NUMBER_OF_IPV4}(\\.${NUMBER_OF_IPV4}){3}$`)
const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
/** The last label begins with a letter: 1.2.3 and 300.1.1.1 are mistyped addresses, not names. */
const HOST_NAME = new RegExp(`^(${LABEL}\\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/** One way of writing for each host; null where it is neither an address nor a name. */
export function normalHost(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  const plain = MAPPED_IPV4.exec(text)?.[1] ?? text
  if (IPV4.test(plain)) return isUsable(plain) ? plain : null
  if (plain.includes(':')) return normalIpv6(plain)
  return plain.length <= 253 && HOST_NAME.test(plain) ? plain : null
}

/** Nobody is reached at all-zeros, multicast or broadcast addresses, and nobody calls from one. */
const isUsable = (ipv4: string): boolean => {
  const first = Number(ipv4.split('.')[0])
  return first > 0 && first < 224
}

function normalIpv6(text: string): string | null {
  const address = text.replace(/^\[(.*)\]$/, '$1')
  if (!URL.canParse(`http://[${address}]`)) return null
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  return written === '::' || written.startsWith('ff') ? null : written
}
