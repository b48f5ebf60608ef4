import type { CountryCode } from '../countries/index.ts'
import { longestPrefix, type PrefixIndex, type PrefixRate, type Rate } from '../rating/index.ts'

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
  /** Applies unless a prefix in `buyRates` matches. */
  readonly buyRate: Rate
  readonly buyRates: PrefixIndex<PrefixRate>
  readonly isActive: boolean
  /** Lower values come first. */
  readonly priority: number
  readonly isPrimary: boolean
}

/** A trunk for one call. */
export type ChosenTrunk = {
  readonly trunk: Trunk
  readonly buyRate: Rate
  /** The number in this carrier's format. */
  readonly number: string
}

/** The number in the carrier's format: leading digits stripped, then the prefix added. */
export const carrierNumber = (trunk: Pick<Trunk, 'stripDigits' | 'addPrefix'>, e164: string): string =>
  trunk.addPrefix + e164.slice(trunk.stripDigits)

/** The rate that the carrier charges us for this number. */
export const buyRateFor = (trunk: Pick<Trunk, 'buyRate' | 'buyRates'>, e164: string): Rate =>
  longestPrefix(trunk.buyRates, e164) ?? trunk.buyRate
