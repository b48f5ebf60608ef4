import { allCountries } from '@trunkline/domain/countries'
import type { ComponentProps } from 'react'
import { Options, Select } from '../../ui/Select.tsx'

/** By English name. A stored name that is no longer in the list stays selectable. */
export function CountrySelect({ value, ...rest }: ComponentProps<'select'> & { value: string }) {
  const isKnown = value === '' || allCountries().some(({ name }) => name === value)
  return (
    <Select value={value} {...rest}>
      <option value="">Not set</option>
      {!isKnown && <option>{value}</option>}
      <Options of={allCountries().map(({ name }) => [name, name])} />
    </Select>
  )
}
