import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import type { CountryCode } from '../countries/index.ts'

/** What numbers of the country begin with, shared with others or not; null for what is no country. */
export const callingCode = (country: CountryCode): string | null =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : null
