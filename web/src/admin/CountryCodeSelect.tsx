import { ROUTE_COUNTRIES } from '@trunkline/contract/limits'
import { allCountries, countryName } from '@trunkline/domain/countries'
import type { ComponentProps } from 'react'
import { Options, Select } from '../ui/Select.tsx'

const others = () => allCountries().filter(({ code }) => !ROUTE_COUNTRIES.some((first) => first === code))

/** Common countries first, the others by name. */
export const CountryCodeSelect = ({ none, ...rest }: { none: string } & ComponentProps<'select'>) => (
  <Select {...rest}>
    <option value="">{none}</option>
    <optgroup label="Common">
      <Options of={ROUTE_COUNTRIES.map((code) => [code, countryName(code)])} />
    </optgroup>
    <optgroup label="Others">
      <Options of={others().map(({ code, name }) => [code, name])} />
    </optgroup>
  </Select>
)
