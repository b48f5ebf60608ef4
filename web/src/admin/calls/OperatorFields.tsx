import { useQuery } from '@tanstack/react-query'
import { reasonTexts } from '@trunkline/contract/call-reasons'
import { type FilterForm, Range } from '../../common/calls/report/FilterPanel.tsx'
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
      <Field label="Prefix of the rate" error={faults.rate_prefix}>
        <Input
          inputMode="numeric"
          placeholder="4420"
          autoComplete="off"
          value={draft.rate_prefix}
          onChange={edit('rate_prefix')}
        />
      </Field>
      <Field label="SIP code" error={faults.sip_code}>
        <Input
          inputMode="numeric"
          placeholder="503"
          autoComplete="off"
          value={draft.sip_code}
          onChange={edit('sip_code')}
        />
      </Field>
      <Field label="Reason">
        <Select value={draft.reason} onChange={edit('reason')}>
          <option value="">Any</option>
          <Options
            of={Object.entries(reasonTexts).map(([reason, text]) => [reason, text.replace(/\.$/, '')])}
          />
        </Select>
      </Field>
      <Field label="Caller ID" error={faults.caller_id}>
        <Input
          inputMode="tel"
          placeholder="Number or first digits"
          autoComplete="off"
          value={draft.caller_id}
          onChange={edit('caller_id')}
        />
      </Field>
      <Field label="Source address">
        <Input
          placeholder="192.0.2.10"
          autoComplete="off"
          spellCheck={false}
          value={draft.source_address}
          onChange={edit('source_address')}
        />
      </Field>
      <Field label="Device">
        <Input
          placeholder="First letters, such as Yealink"
          autoComplete="off"
          spellCheck={false}
          value={draft.device}
          onChange={edit('device')}
        />
      </Field>
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
