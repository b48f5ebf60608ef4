import type { CountryCode } from '../countries/index.ts'
import type { PrefixIndex, PrefixRate, Rate } from '../rating/index.ts'

/** A customer selects one route per country: a price over the trunks of a plan. */
export type Route = {
  readonly id: number
  readonly country: CountryCode
  readonly name: string
  readonly planId: number
  readonly planName: string
  readonly isPremium: boolean
  readonly rate: Rate
  readonly prefixRates: PrefixIndex<PrefixRate>
  /** An administrator allows trunks that cost more than the selling price. */
  readonly sellsBelowCost: boolean
}
