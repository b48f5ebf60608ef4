import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import metadata from 'libphonenumber-js/max/metadata'
import mobiles from 'libphonenumber-js/mobile/examples'
import type { CountryCode } from '../countries/index.ts'

/** The calling code, which several countries can share. Null for an unknown country. */
export const callingCode = (country: CountryCode): string | null =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : null

/**
 * Digits that lead to this country: its calling code, or a mobile number if the code belongs to a larger country, as 1 and 7
 * do for Jamaica and Kazakhstan. Null for an unknown country.
 */
export function digitsOfCountry(country: CountryCode): string | null {
  if (!isSupportedCountry(country)) return null
  const code = getCountryCallingCode(country)
  return metadata.country_calling_codes[code]?.[0] === country ? code : `${code}${mobiles[country]}`
}
