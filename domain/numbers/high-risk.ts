import { type CountryCode, INTERNATIONAL } from '../countries/index.ts'
import type { LineType } from './line-type.ts'

/** Lines whose owner is paid for being called, or that cost a multiple of any other. */
const types: ReadonlySet<LineType> = new Set(['premium_rate', 'shared_cost', 'personal', 'satellite'])

/**
 * Where stolen accounts are made to call: the owner of a number range shares in the dear minutes that arrive there. Islands
 * with more minutes than people, and the countries that have headed the fraud reports for many years. Countries with much
 * ordinary traffic are left out on purpose; there the limits on price and daily spend have to do.
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
