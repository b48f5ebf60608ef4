import { FLOW_WAIT_SECONDS_MAX } from '@trunkline/contract/limits'
import type { DeviceGroup } from '@trunkline/domain/ringing'
import { useState } from 'react'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { DeviceFields } from '../../numbers/rings/DeviceFields.tsx'
import { DeviceOptions } from '../../numbers/rings/DeviceOptions.tsx'
import { PbxFields } from '../../numbers/rings/PbxFields.tsx'
import {
  type DestinationValues,
  destinationErrors,
  destinationOf,
  destinationValues,
} from '../../numbers/rings/ring-form.ts'
import { WholeNumber } from './CheckedInput.tsx'
import { TemplateInput } from './DecideFields.tsx'
import { binder, type FieldsOf } from './fields.ts'
import { SoundField } from './SoundField.tsx'

const PATH = 'destination'

/** The fields of a ring plan. They become part of the step as soon as they are valid. */
export function RingFields({ step, onEdit }: FieldsOf<'ring'>) {
  const [values, setValues] = useState(() => destinationValues(step.destination))
  const [written, setWritten] = useState(step.destination)
  // Undo and redo change the step without these fields.
  if (step.destination !== written) {
    setWritten(step.destination)
    setValues(destinationValues(step.destination))
  }
  function change(part: Partial<DestinationValues>) {
    const next = { ...values, ...part }
    setValues(next)
    if (Object.keys(destinationErrors(next, PATH)).length > 0) return
    const destination = destinationOf(next)
    if (destination.kind !== 'phones' && destination.kind !== 'pbx') return
    setWritten(destination)
    onEdit({ destination }, PATH)
  }
  const props = {
    values,
    path: PATH,
    errors: destinationErrors(values, PATH),
    ownNumber: '',
    onEdit: change,
  }
  return (
    <div className="flex flex-col gap-4 [&_.grid]:grid-cols-2!">
      <Field label="Rings">
        <Select
          value={values.kind}
          onChange={({ target }) => change({ kind: target.value as 'phones' | 'pbx' })}
        >
          <option value="phones">My devices</option>
          <option value="pbx">My PBX</option>
        </Select>
      </Field>
      {values.kind === 'pbx' ? <PbxFields {...props} /> : <DeviceFields {...props} />}
    </div>
  )
}

export const ForwardFields = ({ step, onEdit }: FieldsOf<'forward'>) => {
  const bind = binder(step, onEdit)
  return (
    <>
      <TemplateInput
        label="Number"
        {...bind('number')}
        placeholder="+44 20 7946 0123"
        hint="Include the country code, or use a variable such as {{digits}}. You pay for the forwarded call."
      />
      <Field label="Caller ID shown">
        <Select
          value={step.callerId}
          onChange={({ target }) => onEdit({ callerId: target.value as 'number' | 'caller' })}
        >
          <option value="number">Your number that was called</option>
          <option value="caller">The caller’s number</option>
        </Select>
      </Field>
      <WholeNumber label="Ring time (seconds)" {...bind('seconds')} min={1} max={FLOW_WAIT_SECONDS_MAX} />
    </>
  )
}

export const QueueFields = ({ step, onEdit }: FieldsOf<'queue'>) => {
  const bind = binder(step, onEdit)
  return (
    <>
      <SoundField label="While waiting" sound={step.music} onChange={(music) => onEdit({ music }, 'music')} />
      <Checkbox
        label="Tell callers their position"
        checked={step.announcesPosition}
        onChange={({ target }) => onEdit({ announcesPosition: target.checked })}
      />
      <Field label="Rings">
        <Select
          value={step.devices}
          onChange={({ target }) => onEdit({ devices: target.value as DeviceGroup })}
        >
          <DeviceOptions />
        </Select>
      </Field>
      <div className="grid grid-cols-2 items-start gap-3">
        <WholeNumber
          label="Ring time (seconds)"
          {...bind('ringSeconds')}
          min={1}
          max={FLOW_WAIT_SECONDS_MAX}
        />
        <WholeNumber label="Longest wait (s)" {...bind('maxSeconds')} min={10} max={7_200} />
        <WholeNumber label="Most callers" {...bind('maxWaiting')} min={1} max={100} />
      </div>
    </>
  )
}
