export {
  allCountries,
  type Country,
  type CountryCode,
  countryCode,
  countryName,
  INTERNATIONAL,
} from './countries.ts'
