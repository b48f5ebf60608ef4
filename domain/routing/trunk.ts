import type { CountryCode } from '../countries/index.ts'
import type { Micros } from '../money/index.ts'
import { longestPrefix, type PrefixIndex } from '../rating/index.ts'

export type BuyRate = { readonly prefix: string; readonly priceMicros: Micros }

/** A carrier's gateway. */
export type Trunk = {
  readonly id: number
  readonly name: string
  /** Null: serves every country. */
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
  /** Per minute, where no finer rate fits. */
  readonly buyRateMicros: Micros
  readonly buyRates: PrefixIndex<BuyRate>
  readonly isActive: boolean
  /** Lower comes first. */
  readonly priority: number
  readonly isPrimary: boolean
}

/** The number as the carrier wants it: digits taken off its front, then its prefix put before. */
export const dialledFor = (trunk: Pick<Trunk, 'stripDigits' | 'addPrefix'>, e164: string): string =>
  trunk.addPrefix + e164.slice(trunk.stripDigits)

/** What the carrier charges a minute for this number. */
export const buyRateFor = (trunk: Pick<Trunk, 'buyRateMicros' | 'buyRates'>, e164: string): Micros =>
  longestPrefix(trunk.buyRates, e164)?.priceMicros ?? trunk.buyRateMicros
