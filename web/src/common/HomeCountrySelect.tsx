import { allCountries } from '@trunkline/domain/countries'
import type { ComponentProps } from 'react'
import { Options, Select } from '../ui/Select.tsx'

export const HOME_COUNTRY_HINT =
  'Numbers without a country code are dialed in this country. Start international numbers with + or 00.'

export const HomeCountrySelect = (props: ComponentProps<'select'>) => (
  <Select {...props}>
    <option value="">None (international numbers only)</option>
    <Options of={allCountries().map(({ code, name }) => [code, name])} />
  </Select>
)
