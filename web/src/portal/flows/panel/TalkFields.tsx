import { MESSAGE_SECONDS_MAX } from '@trunkline/contract/limits'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { WholeNumber } from './CheckedInput.tsx'
import { binder, type FieldsOf } from './fields.ts'
import { SoundField } from './SoundField.tsx'

export const VoicemailFields = ({ step, onEdit }: FieldsOf<'voicemail'>) => {
  const bind = binder(step, onEdit)
  return (
    <>
      <SoundField
        label="Greeting"
        none="Greeting of your account"
        sound={step.greeting}
        onChange={(greeting) => onEdit({ greeting }, 'greeting')}
      />
      <WholeNumber
        label="Longest message (seconds)"
        {...bind('maxSeconds')}
        min={5}
        max={MESSAGE_SECONDS_MAX}
      />
    </>
  )
}

export const RecordFields = ({ step, onEdit }: FieldsOf<'record'>) => (
  <>
    <Field label="Recording">
      <Select value={step.turn} onChange={({ target }) => onEdit({ turn: target.value as 'on' | 'off' })}>
        <option value="on">Start</option>
        <option value="off">Stop</option>
      </Select>
    </Field>
    {step.turn === 'on' && (
      <SoundField
        label="Announcement"
        none="No announcement"
        sound={step.announcement}
        onChange={(announcement) => onEdit({ announcement }, 'announcement')}
      />
    )}
  </>
)
