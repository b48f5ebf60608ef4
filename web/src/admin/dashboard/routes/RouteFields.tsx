import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CATALOGUE_NAME_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { Failure } from '../../../common/Failure.tsx'
import { formatNumber } from '../../../common/format/numbers.ts'
import type { FormState } from '../../../common/forms/use-form.ts'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { CountryCodeSelect } from '../../CountryCodeSelect.tsx'
import { TermFields } from '../../TermFields.tsx'
import { PrefixRates } from './PrefixRates.tsx'
import type { RateField, RouteDraft } from './route-draft.ts'

type RouteFieldsProps = {
  form: Pick<FormState<RouteDraft, RateField>, 'values' | 'errors' | 'edit' | 'bind' | 'bindChecked'> & {
    base: Route | null
  }
  plans: UseQueryResult<string[]>
  /** They were read for this form. */
  hasPlans: boolean
}

export function RouteFields({ form, plans, hasPlans }: RouteFieldsProps) {
  const { base, bind, edit, errors, values } = form
  const hasDetailError = Object.keys(errors).some((field) => /^(rates|connect|first|next)/.test(field))
  const isRefined =
    values.rates.length > 0 ||
    values.sells_below_cost ||
    Number(values.connect_fee) > 0 ||
    Number(values.first_increment) > 1 ||
    Number(values.next_increment) > 1
  return (
    <div className="flex flex-col gap-4">
      <Field label="Country" error={errors.country}>
        <CountryCodeSelect {...bind('country')} none="Select country" required />
      </Field>
      <Field label="Plan Name" error={errors.name} hint="Shown in reports.">
        <Input {...bind('name')} required autoComplete="off" maxLength={CATALOGUE_NAME_MAX} />
      </Field>
      <Field
        label="Route/Plan"
        error={errors.planname}
        hint="Trunks of this plan carry the calls. Customers see it when they choose a route."
      >
        <Select {...bind('planname')} required disabled={!hasPlans}>
          <option value="">{plans.isFetching && !hasPlans ? 'Loading plans...' : 'Select plan'}</option>
          <Options of={planNames(plans.data, values.planname).map((name) => [name, name])} />
        </Select>
      </Field>
      {plans.isError && <Failure onRetry={() => void plans.refetch()}>{messages.plansFailed}</Failure>}
      <Field label="Price" error={errors.price} hint="Dollars per minute. 0 is free.">
        <Input
          {...bind('price')}
          type="number"
          min={0}
          step={0.01}
          required
          inputMode="decimal"
          autoComplete="off"
          className="figures"
        />
      </Field>
      <Checkbox
        {...form.bindChecked('is_premium')}
        label="Premium"
        hint="Only premium customers can select it."
      />
      <details open={isRefined || hasDetailError} className="group border-t pt-3">
        <summary className="rounded-sm py-0.5 font-medium text-sm">
          More <span className="font-normal text-muted">increments, connect fee, rates by prefix</span>
        </summary>
        <div className="mt-4 flex flex-col gap-5">
          <TermFields
            fee={{ ...bind('connect_fee'), error: errors.connect_fee }}
            first={{ ...bind('first_increment'), error: errors.first_increment }}
            next={{ ...bind('next_increment'), error: errors.next_increment }}
          />
          {base && base.rate_count > base.rates.length ? (
            <LongPriceList route={base} />
          ) : (
            <PrefixRates rates={values.rates} errors={errors} onChange={(rates) => edit({ rates })} />
          )}
          {values.sells_below_cost && (
            <Checkbox
              label="Allow trunks that cost more than the price"
              hint="Otherwise calls skip such trunks."
              checked
              onChange={() => edit({ sells_below_cost: false })}
            />
          )}
        </div>
      </details>
    </div>
  )
}

/** Long lists are edited as a file; only their first rates are loaded here. */
const LongPriceList = ({ route: { id, rate_count } }: { route: Route }) => (
  <p className="text-sm">
    {formatNumber(rate_count)} prefix rates. Edit them as a file under{' '}
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

/** Includes the plan of the route even if it was deleted. */
const planNames = (plans: readonly string[] = [], present: string): readonly string[] =>
  present === '' || plans.includes(present) ? plans : [present, ...plans]
