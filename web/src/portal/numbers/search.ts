import { type NumberType, numberTypes } from '@trunkline/domain/ringing'
import { idIn, oneOf, textIn, withoutGaps } from '../../common/address.ts'

/** The URL parameters of Numbers. */
export type MyNumbersSearch = Partial<{
  /** ISO code. */
  country: string
  type: NumberType
  /** Part of the area name. */
  area: string
  digits: string
  /** The rented number whose ring plan is open. */
  rings: number
}>

export type AvailableFilter = Omit<MyNumbersSearch, 'rings'>

const TEXT_MAX = 100
const DIGITS_MAX = 16

/** Ignores invalid parameters. */
export function readSearch(raw: Record<string, unknown>): MyNumbersSearch {
  return withoutGaps({
    country: /^[A-Z0-9]{2,3}$/.exec(textIn(raw.country) ?? '')?.[0],
    type: oneOf(numberTypes, raw.type),
    area: textIn(raw.area)?.trim().slice(0, TEXT_MAX) || undefined,
    digits: digitsIn(textIn(raw.digits) ?? '') || undefined,
    rings: idIn(raw.rings),
  })
}

/** The digits of a typed number. */
export const digitsIn = (typed: string): string => typed.replace(/\D/g, '').slice(0, DIGITS_MAX)

export function filterOf({ rings: _rings, ...filter }: MyNumbersSearch): AvailableFilter {
  return filter
}
