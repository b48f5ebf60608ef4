import { isIPv6 } from 'node:net'

/**
 * The key for rate limits by address. An IPv6 customer usually has a whole /64, so all its addresses
 * share one key.
 */
export function countedAddress(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(mapped)) return mapped
  const [head = '', tail = ''] = mapped.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = mapped.includes('::') ? [...before, ...zeros, ...after] : before
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Parses `host:port`, with brackets around an IPv6 address. */
export function parseHostPort(address: string): { host: string; port: number } | null {
  const found = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(address)
  const port = Number(found?.[3])
  return found && port > 0 && port < 65_536 ? { host: found[1] ?? found[2] ?? '', port } : null
}
