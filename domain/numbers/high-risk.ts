import { type CountryCode, INTERNATIONAL } from '../countries/index.ts'
import type { LineType } from './line-type.ts'

/** Line types whose owner earns money from calls, or that are far more expensive than others. */
const types: ReadonlySet<LineType> = new Set(['premium_rate', 'shared_cost', 'personal', 'satellite'])

/**
 * Frequent targets of toll fraud, where the owner of a number range earns a share of each expensive minute. The list omits
 * countries with much regular traffic, which the limits on price and daily spend protect.
 */
const prefixes = [
  ...['246', '247', '290', '500', '672'], // Diego Garcia, Ascension, Saint Helena, Falklands, Norfolk and Antarctica
  ...['670', '674', '675', '677', '678', '681'], // Timor-Leste, Nauru, Papua New Guinea, Solomons, Vanuatu, Wallis
  ...['682', '683', '685', '686', '688', '690'], // Cook Islands, Niue, Samoa, Kiribati, Tuvalu, Tokelau
  ...['53', '850', '960'], // Cuba, North Korea, Maldives
  ...['220', '224', '232', '235', '239'], // Gambia, Guinea, Sierra Leone, Chad, São Tomé
  ...['252', '257', '261', '263', '269', '291'], // Somalia, Burundi, Madagascar, Zimbabwe, Comoros, Eritrea
] as const
const byPrefix: ReadonlySet<string> = new Set(prefixes)

export const isHighRisk = (e164: string, country: CountryCode, lineType: LineType): boolean =>
  country === INTERNATIONAL ||
  types.has(lineType) ||
  byPrefix.has(e164.slice(0, 2)) ||
  byPrefix.has(e164.slice(0, 3))
