import { useQuery } from '@tanstack/react-query'
import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { ComponentProps } from 'react'
import { ChoiceFilter, type FilterForm, Range } from '../../common/calls/report/FilterPanel.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { carriersQuery, routeNamesQuery } from './queries.ts'
import { carrierResults } from './search.ts'

/** The filters that only administrators have. */
export function OperatorFields({ form: { draft, edit, faults }, form }: { form: FilterForm }) {
  const { data: carriers } = useQuery(carriersQuery)
  const { data: routes } = useQuery(routeNamesQuery)
  return (
    <>
      <Field label="Carrier">
        <Select value={draft.trunk} onChange={edit('trunk')}>
          <NamedOptions of={carriers} value={draft.trunk} />
        </Select>
      </Field>
      <Field label="At the carrier">
        <Select value={draft.carrier_result} onChange={edit('carrier_result')}>
          <option value="">Any result</option>
          <Options of={Object.entries(carrierResults)} />
        </Select>
      </Field>
      <Field label="Route">
        <Select value={draft.route} onChange={edit('route')}>
          <NamedOptions of={routes} value={draft.route} />
        </Select>
      </Field>
      <TextFilter
        label="Prefix of the rate"
        name="rate_prefix"
        error={faults.rate_prefix}
        inputMode="numeric"
        placeholder="4420"
        form={form}
      />
      <TextFilter
        label="SIP code"
        name="sip_code"
        error={faults.sip_code}
        inputMode="numeric"
        placeholder="503"
        form={form}
      />
      <ChoiceFilter
        form={form}
        label="Reason"
        name="reason"
        of={Object.entries(reasonTexts).map(([reason, text]) => [reason, text.replace(/\.$/, '')])}
      />
      <TextFilter
        label="Caller ID"
        name="caller_id"
        error={faults.caller_id}
        inputMode="tel"
        placeholder="Number or first digits"
        form={form}
      />
      <TextFilter
        label="Source address"
        name="source_address"
        placeholder="192.0.2.10"
        spellCheck={false}
        form={form}
      />
      <TextFilter
        label="Device"
        name="device"
        placeholder="First letters, such as Yealink"
        spellCheck={false}
        form={form}
      />
      <Range
        label="Margin"
        unit="dollars"
        inputMode="text"
        error={faults.margin}
        ends={[
          ['min_margin', 'Margin from, in dollars', 'From'],
          ['margin_below', 'Margin below, in dollars', 'Below'],
        ]}
        form={form}
      />
    </>
  )
}

type TextFilterProps = Pick<ComponentProps<'input'>, 'inputMode' | 'placeholder' | 'spellCheck'> & {
  label: string
  name: keyof FilterForm['draft']
  error?: string | undefined
  form: FilterForm
}

const TextFilter = ({ label, name, error, form: { draft, edit }, ...rest }: TextFilterProps) => (
  <Field label={label} error={error}>
    <Input {...rest} autoComplete="off" value={draft[name]} onChange={edit(name)} />
  </Field>
)

/** Keeps a value that is not in the list, such as a deleted carrier. */
function NamedOptions({ of, value }: { of: ReadonlyMap<number, string> | undefined; value: string }) {
  const isKnown = value === '' || of?.has(Number(value))
  return (
    <>
      <option value="">Any</option>
      {!isKnown && <option value={value}>{value}</option>}
      <Options of={[...(of ?? [])]} />
    </>
  )
}
