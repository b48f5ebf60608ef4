import { toWireNumber } from '@trunkline/domain/money'
import type { PrefixRate, Rate } from '@trunkline/domain/rating'
import { microsOf } from '../../../platform/amounts.ts'

/** A rate in requests and answers, in dollars. */
export type WireRate = {
  price: number
  connect_fee: number
  first_increment: number
  next_increment: number
}
export type WirePrefixRate = WireRate & { prefix: string }

export const rateOf = (given: WireRate): Rate => ({
  priceMicros: microsOf(given.price),
  connectFeeMicros: microsOf(given.connect_fee),
  firstIncrement: given.first_increment,
  nextIncrement: given.next_increment,
})

export const prefixRateOf = (given: WirePrefixRate): PrefixRate => ({
  prefix: given.prefix,
  ...rateOf(given),
})

export const viewBilling = (rate: Rate): Omit<WireRate, 'price'> => ({
  connect_fee: toWireNumber(rate.connectFeeMicros),
  first_increment: rate.firstIncrement,
  next_increment: rate.nextIncrement,
})

export const viewRate = (rate: Rate): WireRate => ({
  price: toWireNumber(rate.priceMicros),
  ...viewBilling(rate),
})

export const viewPrefixRate = (rate: PrefixRate): WirePrefixRate => ({
  prefix: rate.prefix,
  ...viewRate(rate),
})
