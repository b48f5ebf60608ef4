import type { Destination } from '@trunkline/domain/ringing'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Select } from '../../../ui/Select.tsx'
import { DeviceFields } from './DeviceFields.tsx'
import { ForwardFields } from './ForwardFields.tsx'
import { PbxFields } from './PbxFields.tsx'
import { blankDestination, type DestinationValues, type PlanErrors } from './ring-form.ts'

export type DestinationProps = {
  values: DestinationValues
  /** The path of the destination in the request. */
  path: string
  errors: PlanErrors
  onEdit: (change: Partial<DestinationValues>) => void
  /** The rented number, as shown. */
  ownNumber: string
}

const kindWords: Record<Destination['kind'], string> = {
  phones: 'My devices',
  pbx: 'My PBX',
  number: 'Another number',
  busy: 'Busy tone',
}

type DestinationFieldsProps = Omit<DestinationProps, 'values' | 'onEdit'> & {
  label: string
  /** Null is no destination, if `none` names it. */
  values: DestinationValues | null
  none?: string
  onChange: (values: DestinationValues | null) => void
}

/** Where a call goes: the kind, and the fields of that kind. */
export function DestinationFields({ label, values, none, onChange, ...rest }: DestinationFieldsProps) {
  const choose = (kind: string) =>
    onChange(kind === '' ? null : { ...(values ?? blankDestination()), kind: kind as Destination['kind'] })
  const props = values && {
    ...rest,
    values,
    onEdit: (change: Partial<DestinationValues>) => onChange({ ...values, ...change }),
  }
  return (
    <div className="flex flex-col gap-4">
      <Field label={label} className="sm:max-w-72">
        <Select
          name={`${rest.path}.kind`}
          value={values?.kind ?? ''}
          onChange={({ target }) => choose(target.value)}
        >
          {none && <option value="">{none}</option>}
          {Object.entries(kindWords).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      {props?.values.kind === 'phones' && <DeviceFields {...props} />}
      {props?.values.kind === 'pbx' && <PbxFields {...props} />}
      {props?.values.kind === 'number' && <ForwardFields {...props} />}
      {values?.kind === 'busy' && (
        <p className="text-muted text-sm">The caller hears that the number is busy. No device rings.</p>
      )}
    </div>
  )
}

type SecondsFieldProps = {
  name: string
  value: string
  error: string | undefined
  onChange: (seconds: string) => void
}

export const SecondsField = ({ name, value, error, onChange }: SecondsFieldProps) => (
  <Field label="Ring time (seconds)" error={error}>
    <Input
      name={name}
      value={value}
      inputMode="numeric"
      autoComplete="off"
      className="figures"
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
)
