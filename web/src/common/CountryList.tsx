import { allCountries, countryName } from '@trunkline/domain/countries'
import { X } from 'lucide-react'
import { useId } from 'react'
import { Field } from '../ui/Field.tsx'
import { Options, Select } from '../ui/Select.tsx'

type CountryListProps = {
  label: string
  hint: string
  error?: string | undefined
  codes: readonly string[]
  /** The countries to choose from; null for all. */
  offered: readonly string[] | null
  onChange: (codes: readonly string[]) => void
}

/** A list of countries with a native select to add one. */
export function CountryList({ label, hint, error, codes, offered, onChange }: CountryListProps) {
  const listId = useId()
  const left = allCountries().filter(
    ({ code }) => !codes.includes(code) && (offered === null || offered.includes(code)),
  )
  return (
    <div>
      <Field label={label} hint={hint} error={error}>
        <Select
          aria-describedby={listId}
          value=""
          onChange={(event) => event.target.value && onChange([...codes, event.target.value])}
        >
          <option value="">Add a country…</option>
          <Options of={left.map(({ code, name }) => [code, name])} />
        </Select>
      </Field>
      <ul id={listId} className="mt-2 flex flex-wrap gap-1.5 empty:hidden">
        {codes.map((code) => (
          <li key={code}>
            <button
              type="button"
              aria-label={`Remove ${countryName(code)} from ${label.toLowerCase()}`}
              onClick={() => onChange(codes.filter((other) => other !== code))}
              className="flex items-center gap-1.5 rounded-md border border-edge/60 bg-raised py-1 pr-2 pl-2.5 text-sm hover:border-edge"
            >
              {countryName(code)}
              <X aria-hidden className="size-3.5 text-muted" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
