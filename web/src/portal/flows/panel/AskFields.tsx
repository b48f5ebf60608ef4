import { FLOW_WAIT_SECONDS_MAX } from '@trunkline/contract/limits'
import { keys } from '@trunkline/domain/flows'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { VariableInput, WholeNumber } from './CheckedInput.tsx'
import { binder, type FieldsOf } from './fields.ts'
import { SoundField } from './SoundField.tsx'

export const MenuFields = ({ step, onEdit }: FieldsOf<'menu'>) => (
  <>
    <SoundField label="Caller hears" sound={step.sound} onChange={(sound) => onEdit({ sound }, 'sound')} />
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">Keys</legend>
      <div className="grid grid-cols-6 gap-1.5">
        {keys.map((key) => {
          const isOn = step.keys.includes(key)
          return (
            <label
              key={key}
              className={cx(
                'figures grid h-9 cursor-pointer place-items-center rounded-md border text-sm has-focus-visible:outline-2 has-focus-visible:outline-signal-ink',
                isOn
                  ? 'border-signal-edge bg-signal-soft font-medium text-signal-ink'
                  : 'border-edge/60 bg-raised text-muted hover:border-edge',
              )}
            >
              <input
                type="checkbox"
                aria-label={`Key ${key}`}
                className="sr-only"
                checked={isOn}
                onChange={() =>
                  onEdit({ keys: keys.filter((each) => (each === key ? !isOn : step.keys.includes(each))) })
                }
              />
              <span aria-hidden>{key}</span>
            </label>
          )
        })}
      </div>
    </fieldset>
    <Patience step={step} onEdit={onEdit} />
  </>
)

type PatienceProps = {
  step: { seconds: number; repeats: number }
  onEdit: (change: Partial<PatienceProps['step']>, tag: string) => void
}

/** How long the step waits, and how often it asks again. */
const Patience = ({ step, onEdit }: PatienceProps) => {
  const bind = binder(step, onEdit)
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <WholeNumber label="Wait (seconds)" {...bind('seconds')} min={1} max={FLOW_WAIT_SECONDS_MAX} />
      <WholeNumber label="Ask again (times)" {...bind('repeats')} min={0} max={9} />
    </div>
  )
}

export const CollectFields = ({ step, onEdit }: FieldsOf<'collect'>) => {
  const bind = binder(step, onEdit)
  return (
    <>
      <SoundField label="Caller hears" sound={step.sound} onChange={(sound) => onEdit({ sound }, 'sound')} />
      <VariableInput
        label="Save as"
        hint={`Later steps can use {{${step.variable}}}.`}
        value={step.variable}
        onValid={(variable) => onEdit({ variable }, 'variable')}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <WholeNumber label="Fewest digits" {...bind('minDigits')} min={1} max={step.maxDigits} />
        <WholeNumber label="Most digits" {...bind('maxDigits')} min={step.minDigits} max={50} />
      </div>
      <Field label="Key that ends the input">
        <Select
          value={step.endKey ?? ''}
          onChange={({ target }) =>
            onEdit({ endKey: target.value === '' ? null : (target.value as '#' | '*') })
          }
        >
          <option value="#">#</option>
          <option value="*">*</option>
          <option value="">None</option>
        </Select>
      </Field>
      <Patience step={step} onEdit={onEdit} />
    </>
  )
}
