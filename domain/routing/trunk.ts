import type { CountryCode } from '../countries/index.ts'
import type { Micros } from '../money/index.ts'
import { longestPrefix, type PrefixIndex } from '../rating/index.ts'

export type BuyRate = { readonly prefix: string; readonly priceMicros: Micros }

export type Trunk = {
  readonly id: number
  readonly name: string
  /** Null serves every country. */
  readonly country: CountryCode | null
  readonly planIds: ReadonlySet<number>
  readonly host: string
  readonly port: number
  readonly transport: 'udp' | 'tcp' | 'tls'
  readonly authUsername: string | null
  readonly authPassword: string | null
  readonly stripDigits: number
  readonly addPrefix: string
  readonly capacity: number
  /** Per minute, unless a prefix in `buyRates` matches. */
  readonly buyRateMicros: Micros
  readonly buyRates: PrefixIndex<BuyRate>
  readonly isActive: boolean
  /** Lower values come first. */
  readonly priority: number
  readonly isPrimary: boolean
}

/** The number in the carrier's format: leading digits stripped, then the prefix added. */
export const carrierNumber = (trunk: Pick<Trunk, 'stripDigits' | 'addPrefix'>, e164: string): string =>
  trunk.addPrefix + e164.slice(trunk.stripDigits)

/** The carrier's price per minute for this number. */
export const buyRateFor = (trunk: Pick<Trunk, 'buyRateMicros' | 'buyRates'>, e164: string): Micros =>
  longestPrefix(trunk.buyRates, e164)?.priceMicros ?? trunk.buyRateMicros
