import { useQuery } from '@tanstack/react-query'
import { ROUNDING_STEPS_DOLLARS } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { CostBasis } from '@trunkline/domain/pricing'
import type { ReactNode } from 'react'
import { CountryList } from '../../common/CountryList.tsx'
import { formatExactMoney } from '../../common/format/money.ts'
import { Card } from '../../ui/Card.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { plansQuery } from '../trunks/queries.ts'
import { faultsIn, type RuleDraft } from './rule-form.ts'

const bases: Readonly<Record<CostBasis, string>> = {
  dearest: 'The dearest trunk',
  cheapest: 'The cheapest trunk',
}

type RuleFormProps = {
  id: string
  className: string | undefined
  draft: RuleDraft
  onEdit: (change: Partial<RuleDraft>) => void
}

/** The rule for new prices. Every edit makes a new preview. */
export function RuleForm({ id, className, draft, onEdit }: RuleFormProps) {
  const errors: Partial<Record<keyof RuleDraft, string>> = faultsIn(draft)
  const amount = (name: 'percent' | 'floor' | 'lowest', label: string, hint: string) => (
    <Field label={label} hint={hint} error={errors[name]}>
      <Input
        name={name}
        inputMode="decimal"
        autoComplete="off"
        className="figures"
        value={draft[name]}
        onChange={({ target }) => onEdit({ [name]: target.value })}
      />
    </Field>
  )
  return (
    <Card id={id} aria-label="Rule" className={cx('flex flex-col gap-5', className)}>
      <Group name="New price">
        {amount('percent', 'Percent over cost', 'Added to the cost of a one-minute call.')}
        {amount('floor', 'Smallest margin', 'Dollars per minute, where the percentage gives less.')}
        {amount('lowest', 'Lowest price', 'Dollars per minute. No price is below it.')}
        <Field label="Round up to" hint="Prices become multiples of this amount.">
          <Select value={draft.step} onChange={({ target }) => onEdit({ step: target.value })}>
            <Options of={ROUNDING_STEPS_DOLLARS.map((step) => [step, formatExactMoney(step)])} />
          </Select>
        </Field>
        <Field
          label="Cost of"
          hint={
            draft.basis === 'dearest'
              ? 'Covers every trunk. Dearer prefixes need prefix rates.'
              : 'Calls skip trunks that cost more than the price.'
          }
        >
          <Select
            value={draft.basis}
            onChange={({ target }) => onEdit({ basis: target.value === 'cheapest' ? 'cheapest' : 'dearest' })}
          >
            <Options of={Object.entries(bases)} />
          </Select>
        </Field>
      </Group>
      <Group name="Prices to change">
        <Plans chosen={draft.plans} onChange={(plans) => onEdit({ plans })} />
        <CountryList
          label="Countries"
          hint="Leave empty for all countries."
          codes={draft.countries}
          offered={null}
          onChange={(countries) => onEdit({ countries })}
        />
        <div className="flex flex-col gap-3">
          <Checkbox
            label="Also prefix rates"
            hint="From the cost of the same prefix."
            checked={draft.with_prefixes}
            onChange={({ target }) => onEdit({ with_prefixes: target.checked })}
          />
          <Checkbox
            label="Also free prices"
            hint="Otherwise prices of $0 stay free."
            checked={draft.with_free}
            onChange={({ target }) => onEdit({ with_free: target.checked })}
          />
        </div>
      </Group>
    </Card>
  )
}

const Group = ({ name, children }: { name: string; children: ReactNode }) => (
  <fieldset className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2 lg:grid-cols-1 lg:gap-y-3">
    <legend className="engraved mb-2 text-muted">{name}</legend>
    {children}
  </fieldset>
)

type PlansProps = { chosen: readonly string[]; onChange: (plans: readonly string[]) => void }

function Plans({ chosen, onChange }: PlansProps) {
  const plans = useQuery(plansQuery)
  return (
    <fieldset className="sm:col-span-2 lg:col-span-1">
      <legend className="mb-1.5 font-medium text-sm">Plans</legend>
      {plans.data ? (
        <div className="flex max-h-40 flex-wrap gap-x-5 gap-y-2 overflow-y-auto py-1">
          {plans.data.map(({ name }) => (
            <Checkbox
              key={name}
              label={name}
              checked={chosen.includes(name)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...chosen, name] : chosen.filter((each) => each !== name))
              }
            />
          ))}
        </div>
      ) : (
        <p className="text-muted text-sm">{plans.isError ? messages.plansFailed : 'Loading plans…'}</p>
      )}
      <p className="mt-1.5 text-muted text-sm">Leave all unchecked for all plans.</p>
    </fieldset>
  )
}
