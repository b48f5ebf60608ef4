import { FLOW_TEXT_MAX } from '@trunkline/contract/limits'
import { type Comparison, comparisons } from '@trunkline/domain/flows'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { Textarea } from '../../../ui/Textarea.tsx'
import { comparisonWords } from '../words.ts'
import { VariableInput } from './CheckedInput.tsx'
import { binder, type FieldsOf } from './fields.ts'

/** Shown below texts that can contain variables. */
export const VARIABLES_HINT = 'Can contain variables, for example {{caller}} or {{called}}.'

type TextProps = {
  label: string
  value: string
  hint?: string
  placeholder?: string
  onChange: (value: string) => void
}

/** A line of text with variables. */
export const TemplateInput = ({ label, value, hint, placeholder, onChange }: TextProps) => (
  <Field label={label} hint={hint}>
    <Input
      value={value}
      maxLength={FLOW_TEXT_MAX}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
)

export const SetFields = ({ step, onEdit }: FieldsOf<'set'>) => {
  const bind = binder(step, onEdit)
  return (
    <>
      <VariableInput
        label="Variable"
        value={step.variable}
        onValid={(variable) => onEdit({ variable }, 'variable')}
      />
      <TemplateInput label="Value" {...bind('value')} hint={VARIABLES_HINT} />
    </>
  )
}

export const CompareFields = ({ step, onEdit }: FieldsOf<'compare'>) => {
  const bind = binder(step, onEdit)
  return (
    <>
      <TemplateInput label="If" {...bind('left')} hint={VARIABLES_HINT} />
      <Field label="Comparison">
        <Select
          value={step.comparison}
          onChange={({ target }) => onEdit({ comparison: target.value as Comparison })}
        >
          <Options of={comparisons.map((each) => [each, comparisonWords[each]])} />
        </Select>
      </Field>
      <TemplateInput label="Value" {...bind('right')} />
    </>
  )
}

export const MailFields = ({ step, onEdit }: FieldsOf<'mail'>) => {
  const bind = binder(step, onEdit)
  return (
    <>
      <TemplateInput label="To" {...bind('to')} placeholder="you@example.com" />
      <TemplateInput label="Subject" {...bind('subject')} />
      <Field label="Text" hint={VARIABLES_HINT}>
        <Textarea
          value={step.text}
          maxLength={FLOW_TEXT_MAX}
          onChange={({ target }) => onEdit({ text: target.value }, 'text')}
        />
      </Field>
    </>
  )
}
