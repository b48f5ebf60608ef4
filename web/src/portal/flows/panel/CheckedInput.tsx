import { type ReactNode, useState } from 'react'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'

type CheckedInputProps = {
  label: ReactNode
  value: string
  hint?: ReactNode
  inputMode?: 'numeric' | 'text'
  maxLength?: number
  className?: string
  placeholder?: string
  /** A sentence if the text is invalid. */
  check: (text: string) => string | null
  /** Called with valid texts only. */
  onValid: (text: string) => void
}

/** A text that becomes part of the step as soon as it is valid. An invalid one is dropped when the field loses the focus. */
export function CheckedInput({ label, value, hint, className, check, onValid, ...rest }: CheckedInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const error = typed === null ? null : check(typed)
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      <Input
        {...rest}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? value}
        onChange={({ target }) => {
          setTyped(target.value)
          if (check(target.value) === null) onValid(target.value)
        }}
        onBlur={() => setTyped(null)}
      />
    </Field>
  )
}

type WholeNumberProps = Omit<CheckedInputProps, 'value' | 'check' | 'onValid' | 'inputMode'> & {
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

export const WholeNumber = ({ value, min, max, onChange, ...rest }: WholeNumberProps) => (
  <CheckedInput
    {...rest}
    inputMode="numeric"
    maxLength={5}
    value={String(value)}
    check={(text) =>
      /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
        ? null
        : `Please enter a number from ${min} to ${max}.`
    }
    onValid={(text) => onChange(Number(text))}
  />
)

const VARIABLE = /^[a-z][a-z0-9_]{0,39}$/

/** The name of a variable. */
export const VariableInput = (props: Omit<CheckedInputProps, 'check'>) => (
  <CheckedInput
    {...props}
    maxLength={40}
    check={(text) =>
      VARIABLE.test(text) ? null : 'Use small letters, digits and underscores, starting with a letter.'
    }
  />
)
