import type { Destination } from '@trunkline/domain/ringing'
import { Field } from '../../../ui/Field.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { DeviceFields } from './DeviceFields.tsx'
import { FlowFields } from './FlowFields.tsx'
import { ForwardFields } from './ForwardFields.tsx'
import type { DestinationProps } from './fields.ts'
import { PbxFields } from './PbxFields.tsx'
import { blankDestination, type DestinationValues } from './ring-form.ts'

const kindWords: Record<Destination['kind'], string> = {
  phones: 'My devices',
  pbx: 'My PBX',
  number: 'Another number',
  flow: 'A flow',
  voicemail: 'Voicemail',
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
          <Options of={Object.entries(kindWords)} />
        </Select>
      </Field>
      {props?.values.kind === 'phones' && <DeviceFields {...props} />}
      {props?.values.kind === 'pbx' && <PbxFields {...props} />}
      {props?.values.kind === 'number' && <ForwardFields {...props} />}
      {props?.values.kind === 'flow' && <FlowFields {...props} />}
      {values?.kind === 'voicemail' && (
        <p className="text-muted text-sm">The caller hears your greeting and can leave a message.</p>
      )}
      {values?.kind === 'busy' && (
        <p className="text-muted text-sm">The caller hears that the number is busy. No device rings.</p>
      )}
    </div>
  )
}
