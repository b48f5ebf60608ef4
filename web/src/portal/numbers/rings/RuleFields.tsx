import { NUMBER_LABEL_MAX, RING_RULES_MAX } from '@trunkline/contract/limits'
import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { AddButton } from '../../../ui/AddButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { dayName, longDayNames } from '../words.ts'
import { DestinationFields } from './DestinationFields.tsx'
import { MoveButtons } from './MoveButtons.tsx'
import { blankRule, PLAN, type PlanErrors, type RuleValues } from './ring-form.ts'

type RulesProps = {
  rules: readonly RuleValues[]
  errors: PlanErrors
  ownNumber: string
  onChange: (rules: readonly RuleValues[]) => void
}

/** The time rules in order. The first one that matches decides. */
export function RuleFields({ rules, errors, ownNumber, onChange }: RulesProps) {
  return (
    <div className="flex flex-col gap-4">
      {rules.length > 0 && (
        <ol aria-label="Time rules" className="flex flex-col gap-4">
          {rules.map((rule, at) => (
            <li key={rule.key} className="rounded-lg border bg-ground p-4">
              <div className="mb-4 flex items-center gap-1.5">
                <h4 className="mr-auto min-w-0 break-words font-medium">
                  Rule {at + 1}
                  {rule.name.trim() && `: ${rule.name.trim()}`}
                </h4>
                <MoveButtons list={rules} at={at} name={`rule ${at + 1}`} size="sm" onChange={onChange} />
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Delete rule ${at + 1}`}
                  onClick={() => onChange(rules.toSpliced(at, 1))}
                >
                  <Trash2 aria-hidden />
                </Button>
              </div>
              <Rule
                rule={rule}
                path={`${PLAN}.rules.${at}`}
                errors={errors}
                ownNumber={ownNumber}
                onEdit={(change) => onChange(rules.with(at, { ...rule, ...change }))}
              />
            </li>
          ))}
        </ol>
      )}
      {rules.length < RING_RULES_MAX && (
        <AddButton className="self-start" onClick={() => onChange([...rules, blankRule(rules)])}>
          Add time rule
        </AddButton>
      )}
    </div>
  )
}

type RuleProps = {
  rule: RuleValues
  path: string
  errors: PlanErrors
  ownNumber: string
  onEdit: (change: Partial<RuleValues>) => void
}

function Rule({ rule, path, errors, ownNumber, onEdit }: RuleProps) {
  const time = (name: 'from' | 'to', label: string, hint?: string) => (
    <Field label={label} error={errors[`${path}.${name}`]} hint={hint}>
      <Input
        type="time"
        name={`${path}.${name}`}
        value={rule[name]}
        onChange={({ target }) => onEdit({ [name]: target.value })}
      />
    </Field>
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_9rem_9rem]">
        <Field label="Name" optional className="max-lg:col-span-2" error={errors[`${path}.name`]}>
          <Input
            name={`${path}.name`}
            value={rule.name}
            maxLength={NUMBER_LABEL_MAX}
            autoComplete="off"
            placeholder="Office hours"
            onChange={({ target }) => onEdit({ name: target.value })}
          />
        </Field>
        {time('from', 'From')}
        {time('to', 'To', endHint(rule))}
      </div>
      <Days
        days={rule.days}
        name={`${path}.days`}
        error={errors[`${path}.days`]}
        onChange={(days) => onEdit({ days })}
      />
      <DestinationFields
        label="Destination"
        values={rule.destination}
        path={`${path}.destination`}
        errors={errors}
        ownNumber={ownNumber}
        onChange={(destination) => destination && onEdit({ destination })}
      />
    </div>
  )
}

function endHint({ from, to }: RuleValues): string | undefined {
  if (from === '' || to === '') return undefined
  if (to === '00:00') return from === '00:00' ? 'All day' : 'End of the day'
  return to < from ? 'On the next day' : undefined
}

type DaysProps = {
  days: readonly number[]
  name: string
  error: string | undefined
  onChange: (days: number[]) => void
}

export function Days({ days, name, error, onChange }: DaysProps) {
  const id = useId()
  const toggle = (day: number) =>
    onChange(days.includes(day) ? days.filter((each) => each !== day) : [...days, day])
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-medium text-sm">Days</legend>
      <div className="flex flex-wrap gap-1.5">
        {longDayNames.map((word, at) => (
          <label
            key={word}
            className={cx(
              'grid h-9 min-w-11 cursor-pointer place-items-center rounded-md border px-2 text-sm has-focus-visible:outline-2 has-focus-visible:outline-signal-ink',
              days.includes(at + 1)
                ? 'border-signal-edge bg-signal-soft font-medium text-signal-ink'
                : 'border-edge/60 bg-raised text-muted hover:border-edge',
            )}
          >
            <input
              type="checkbox"
              // The form moves the focus to the first control with this name.
              name={name}
              aria-label={word}
              className="sr-only"
              checked={days.includes(at + 1)}
              onChange={() => toggle(at + 1)}
            />
            <span aria-hidden>{dayName(at + 1)}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
