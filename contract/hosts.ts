/** Validates IP addresses and host names. Without zod and Node, because browser forms use it too. */

const NUMBER_OF_IPV4 = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${NUMBER_OF_IPV4}(\\.${NUMBER_OF_IPV4}){3}$`)
const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
/** The last label starts with a letter, so mistyped addresses such as 1.2.3 and 300.1.1.1 are refused. */
const HOST_NAME = new RegExp(`^(${LABEL}\\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/** The canonical form of a host, or null if it is neither an address nor a name. */
export function normalHost(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  const plain = MAPPED_IPV4.exec(text)?.[1] ?? text
  if (IPV4.test(plain)) return isUsable(plain) ? plain : null
  if (plain.includes(':')) return normalIpv6(plain)
  return plain.length <= 253 && HOST_NAME.test(plain) ? plain : null
}

/** Refuses the all-zeros, multicast and broadcast addresses. */
const isUsable = (ipv4: string): boolean => {
  const first = Number(ipv4.split('.')[0])
  return first > 0 && first < 224
}

function normalIpv6(text: string): string | null {
  const address = text.replace(/^\[(.*)\]$/, '$1')
  if (!URL.canParse(`http://[${address}]`)) return null
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(written)
  if (mapped) {
    const bytes = mapped.slice(1).flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255])
    return normalHost(bytes.join('.'))
  }
  return written === '::' || written.startsWith('ff') ? null : written
}

/** The canonical form of `address`, `address:port` or `[address]:port`, or null. Host names are refused. */
export function normalSource(typed: string): string | null {
  const text = typed.trim()
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = normalHost(ipv6 ?? ipv4 ?? text)
  if (host === null || !isAddress(host) || (ipv6 !== undefined && IPV4.test(ipv6))) return null
  if (port === undefined) return host
  const number = Number(port)
  if (number < 1 || number > 65_535) return null
  return host.includes(':') ? `[${host}]:${number}` : `${host}:${number}`
}

/** Expects a canonical host. */
export const isAddress = (host: string): boolean => IPV4.test(host) || host.includes(':')

/** Reserved IPv4 ranges (RFC 6890 and successors): private, loopback, link-local, CGNAT, documentation, benchmarks, relays. */
const RESERVED_IPV4: readonly (readonly [start: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const numberOf = (ipv4: string): number =>
  ipv4.split('.').reduce((number, part) => number * 256 + Number(part), 0)

/** True if a canonical address belongs to a reserved range and is not globally unique. */
export function isSpecialAddress(address: string): boolean {
  if (address.includes(':')) return isSpecialIpv6(address)
  const number = numberOf(address)
  return RESERVED_IPV4.some(([start, bits]) => {
    const size = 2 ** (32 - bits)
    return number >= numberOf(start) && number < numberOf(start) + size
  })
}

/** Global unicast is 2000::/3. Within it, Teredo and other protocol ranges, documentation and 6to4 are reserved. */
function isSpecialIpv6(address: string): boolean {
  const [first = '', second = ''] = address.split(':')
  const high = parseInt(first || '0', 16)
  const low = parseInt(second || '0', 16)
  if (high < 0x2000 || high > 0x3fff) return true
  return (high === 0x2001 && (low < 0x200 || low === 0xdb8)) || high === 0x2002 || high === 0x3fff
}
