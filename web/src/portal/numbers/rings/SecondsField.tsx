import type { ComponentProps } from 'react'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'

type SecondsFieldProps = Pick<ComponentProps<'input'>, 'name' | 'value' | 'onChange'> & {
  error: string | undefined
}

export const SecondsField = ({ error, ...rest }: SecondsFieldProps) => (
  <Field label="Ring time (seconds)" error={error}>
    <Input inputMode="numeric" autoComplete="off" className="figures" {...rest} />
  </Field>
)
