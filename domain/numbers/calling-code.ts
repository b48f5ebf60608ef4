import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import type { CountryCode } from '../countries/index.ts'

/** The calling code, which several countries can share. Null for an unknown country. */
export const callingCode = (country: CountryCode): string | null =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : null
