import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CATALOGUE_NAME_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { Failure } from '../../../common/Failure.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Select } from '../../../ui/Select.tsx'
import { CountryCodeSelect } from '../../CountryCodeSelect.tsx'
import { PrefixRates } from './PrefixRates.tsx'
import { RateFields } from './RateFields.tsx'
import type { Faults, RouteDraft } from './route-draft.ts'

type RouteFieldsProps = {
  /** As it is saved; null while it is new. */
  base: Route | null
  draft: RouteDraft
  faults: Faults
  plans: UseQueryResult<string[]>
  onEdit: (change: Partial<RouteDraft>) => void
}

export function RouteFields({ base, draft, faults, plans, onEdit }: RouteFieldsProps) {
  const hasFinerFault = Object.keys(faults).some((field) => /^(rates|connect|first|next)/.test(field))
  const isRefined =
    draft.rates.length > 0 ||
    draft.sells_below_cost ||
    Number(draft.connect_fee) > 0 ||
    Number(draft.first_increment) > 1 ||
    Number(draft.next_increment) > 1
  return (
    <div className="flex flex-col gap-4">
      <Field label="Country" error={faults.country}>
        <CountryCodeSelect
          none="Select country"
          name="country"
          required
          value={draft.country}
          onChange={(event) => onEdit({ country: event.target.value })}
        />
      </Field>
      <Field label="Plan Name" error={faults.name} hint="The route’s own name, as reports show it.">
        <Input
          name="name"
          required
          autoComplete="off"
          maxLength={CATALOGUE_NAME_MAX}
          value={draft.name}
          onChange={(event) => onEdit({ name: event.target.value })}
        />
      </Field>
      <Field
        label="Route/Plan"
        error={faults.planname}
        hint="Trunks of this plan carry its calls; customers choose by it."
      >
        <Select
          name="planname"
          required
          disabled={!plans.data}
          value={draft.planname}
          onChange={(event) => onEdit({ planname: event.target.value })}
        >
          <option value="">{plans.isPending ? 'Loading plans...' : 'Select plan'}</option>
          {planNames(plans.data, draft.planname).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {plans.isLoadingError && <Failure onRetry={() => void plans.refetch()}>{messages.plansFailed}</Failure>}
      <Field label="Price" error={faults.price} hint="Dollars per minute; 0 is free.">
        <Input
          name="price"
          type="number"
          min={0}
          step={0.01}
          required
          inputMode="decimal"
          autoComplete="off"
          className="figures"
          value={draft.price}
          onChange={(event) => onEdit({ price: event.target.value })}
        />
      </Field>
      <Checkbox
        label="Premium"
        hint="Only premium customers can select it."
        checked={draft.is_premium}
        onChange={(event) => onEdit({ is_premium: event.target.checked })}
      />
      <details open={isRefined || hasFinerFault} className="group border-t pt-3">
        <summary className="rounded-sm py-0.5 font-medium text-sm">
          More <span className="font-normal text-muted">increments, connect fee, rates by prefix</span>
        </summary>
        <div className="mt-4 flex flex-col gap-5">
          <RateFields value={draft} faults={faults} onChange={onEdit} />
          {base && base.rate_count > base.rates.length ? (
            <LongPriceList route={base} />
          ) : (
            <PrefixRates rates={draft.rates} faults={faults} onChange={(rates) => onEdit({ rates })} />
          )}
          {draft.sells_below_cost && (
            <Checkbox
              label="May use trunks that cost more than it earns"
              hint="Without it, calls leave such trunks out."
              checked
              onChange={() => onEdit({ sells_below_cost: false })}
            />
          )}
        </div>
      </details>
    </div>
  )
}

/** Nobody types thousands of lines, and only the first of them are here: they have a place of their own. */
const LongPriceList = ({ route: { id, rate_count } }: { route: Route }) => (
  <p className="text-sm">
    {rate_count.toLocaleString('en-US')} rates by prefix, kept as a file under{' '}
    <Link
      to="/admin-panal/trunks"
      search={{ view: 'rates', list: `route-${id}` }}
      className="text-signal-ink underline underline-offset-4"
    >
      Trunks &amp; Plans
    </Link>
    .
  </p>
)

/** The plan of the route is among them even where somebody has deleted it meanwhile. */
const planNames = (plans: readonly string[] = [], present: string): readonly string[] =>
  present === '' || plans.includes(present) ? plans : [present, ...plans]
