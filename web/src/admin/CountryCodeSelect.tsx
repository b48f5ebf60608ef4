import { ROUTE_COUNTRIES } from '@trunkline/contract/limits'
import { allCountries, countryName } from '@trunkline/domain/countries'
import type { ComponentProps } from 'react'
import { Select } from '../ui/Select.tsx'

const others = () => allCountries().filter(({ code }) => !ROUTE_COUNTRIES.some((first) => first === code))

/** Common countries first, the others by name. */
export const CountryCodeSelect = ({ none, ...rest }: { none: string } & ComponentProps<'select'>) => (
  <Select {...rest}>
    <option value="">{none}</option>
    <optgroup label="Common">
      {ROUTE_COUNTRIES.map((code) => (
        <option key={code} value={code}>
          {countryName(code)}
        </option>
      ))}
    </optgroup>
    <optgroup label="Others">
      {others().map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </optgroup>
  </Select>
)
