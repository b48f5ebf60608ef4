import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { isAddress, normalHost } from '@trunkline/contract/hosts'

export type HostAddresses = {
  /** The current addresses of these hosts. Names that do not resolve in time are skipped. */
  resolve(hosts: readonly string[]): Promise<Set<string>>
}

const RESOLVE_WITHIN_MS = 2_000

/** Resolves host names and always adds the addresses of this machine. */
export function createHostAddresses(): HostAddresses {
  async function addressesOf(host: string): Promise<string[]> {
    const plain = normalHost(host.replace(/^\[(.*)\]$/, '$1'))
    if (plain === null || isAddress(plain)) return plain === null ? [] : [plain]
    const timeout = new Promise<never[]>((resolve) => setTimeout(resolve, RESOLVE_WITHIN_MS, []).unref())
    const found = lookup(plain, { all: true }).then(
      (all) => all.map(({ address }) => address),
      () => [],
    )
    return Promise.race([found, timeout])
  }

  return {
    async resolve(hosts) {
      const own = Object.values(networkInterfaces()).flatMap(
        (all) => all?.map(({ address }) => address) ?? [],
      )
      const found = await Promise.all([...new Set(hosts)].map(addressesOf))
      return new Set([...own, ...found.flat()].map((address) => normalHost(address) ?? address))
    },
  }
}
