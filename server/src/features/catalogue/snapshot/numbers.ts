import { normalHost } from '@trunkline/contract/hosts'
import type { InventoryNumber } from '@trunkline/domain/callcontrol'
import { type Micros, ZERO } from '@trunkline/domain/money'
import type { Carrier } from './numbers-store.ts'

/** Carriers sign in with this prefix and the id of their trunk. Usernames cannot contain `~`. */
const CARRIER_PREFIX = 'carrier~'

export const isCarrierAccount = (account: string): boolean => account.startsWith(CARRIER_PREFIX)

/** The inventory, and the carriers that send calls to it, in memory. */
export function createNumberIndex() {
  let byId = new Map<number, InventoryNumber>()
  let byE164 = new Map<string, InventoryNumber>()
  let carriers = new Map<number, Carrier>()
  /** Active carriers by source. */
  let bySource = new Map<string, Carrier[]>()
  let internalPriceMicros: Micros = ZERO

  function put(number: InventoryNumber): void {
    byId.set(number.id, number)
    byE164.set(number.e164, number)
  }

  function indexSources(): void {
    bySource = new Map()
    for (const carrier of carriers.values())
      if (carrier.isActive)
        for (const source of carrier.sources.map(normalSource))
          bySource.set(source, [...(bySource.get(source) ?? []), carrier])
  }

  return {
    replaceNumbers(all: readonly InventoryNumber[]): void {
      byId = new Map()
      byE164 = new Map()
      for (const number of all) put(number)
    },
    replaceNumber(id: number, number: InventoryNumber | undefined): void {
      const before = byId.get(id)
      byId.delete(id)
      if (before && byE164.get(before.e164) === before) byE164.delete(before.e164)
      if (number) put(number)
    },
    replaceCarriers(all: readonly Carrier[]): void {
      carriers = new Map(all.map((carrier) => [carrier.id, carrier]))
      indexSources()
    },
    replaceCarrier(id: number, carrier: Carrier | undefined): void {
      if (carrier) carriers.set(id, carrier)
      else carriers.delete(id)
      indexSources()
    },
    replaceInternalPrice(priceMicros: Micros): void {
      internalPriceMicros = priceMicros
    },

    numberById: (id: number): InventoryNumber | undefined => byId.get(id),
    numberByE164: (e164: string): InventoryNumber | undefined => byE164.get(e164),
    carrier: (id: number): Carrier | undefined => carriers.get(id),
    carriers: (): Iterable<Carrier> => carriers.values(),
    internalPriceMicros: (): Micros => internalPriceMicros,
    /** The carrier with a valid digest or at which we are registered, or the active carriers that may send calls from this source. */
    carriersAt({
      user,
      registrar,
      address,
      port,
    }: {
      user?: string | undefined
      registrar?: number | undefined
      address: string
      port?: number | undefined
    }): readonly Carrier[] {
      if (user !== undefined) {
        const carrier = isCarrierAccount(user) ? carriers.get(accountId(user)) : undefined
        return carrier?.isActive && carrier.digest ? [carrier] : []
      }
      const registered = registrar === undefined ? undefined : carriers.get(registrar)
      if (registered?.isActive && registered.registration) return [registered]
      const host = normalHost(address) ?? address
      const withPort = port === undefined ? [] : (bySource.get(joined(host, port)) ?? [])
      return [...withPort, ...(bySource.get(host) ?? [])]
    },
    /** HA1 of a carrier's account for this realm. */
    carrierDigest(account: string, realm: string): string | null {
      const carrier = carriers.get(accountId(account))
      return carrier?.isActive && carrier.digest?.realm === realm ? carrier.digest.ha1 : null
    },
  }
}

export const carrierAccount = (id: number): string => `${CARRIER_PREFIX}${id}`

const accountId = (account: string): number => {
  const digits = account.slice(CARRIER_PREFIX.length)
  return /^\d{1,9}$/.test(digits) ? Number(digits) : -1
}

const joined = (host: string, port: string | number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** The canonical form of `address`, `address:port` or `[IPv6]:port`. */
export function normalSource(source: string): string {
  const whole = normalHost(source)
  if (whole !== null) return whole
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(source.trim()) ?? []
  const known = normalHost(host)
  return known === null ? source : joined(known, port)
}

/** The parts of a source in canonical form. */
export function splitSource(source: string): { host: string; port: string | null } {
  const [, ipv6, ipv4, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(source) ?? []
  return port === undefined ? { host: source, port: null } : { host: ipv6 ?? ipv4 ?? '', port }
}
