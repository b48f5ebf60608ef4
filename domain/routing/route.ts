import type { CountryCode } from '../countries/index.ts'
import type { PrefixIndex, PrefixRate, Rate } from '../rating/index.ts'

/** What a customer picks for a country: a price, over the trunks of a plan. */
export type Route = {
  readonly id: number
  readonly country: CountryCode
  readonly name: string
  readonly planId: number
  readonly planName: string
  readonly isPremium: boolean
  readonly rate: Rate
  readonly prefixRates: PrefixIndex<PrefixRate>
  /** An administrator has said that trunks may be used that cost more than the route earns. */
  readonly sellsBelowCost: boolean
}
