import type { ComponentProps } from 'react'
import { formatNumber } from '../../common/format/numbers.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'

type DaysKeptProps = Pick<ComponentProps<'input'>, 'name' | 'value' | 'onChange'> & {
  error: string | undefined
  maxDays: number
  /** What is deleted after these days. */
  of: string
}

export const DaysKept = ({ error, maxDays, of, ...rest }: DaysKeptProps) => (
  <Field label="Days kept" error={error} hint={`1 to ${formatNumber(maxDays)}. Older ${of} are deleted.`}>
    <Input {...rest} inputMode="numeric" autoComplete="off" className="figures" />
  </Field>
)

export const daysKeptErrors = (daysKept: string, maxDays: number): { days_kept?: string } =>
  Number(daysKept) >= 1 && Number(daysKept) <= maxDays
    ? {}
    : { days_kept: `Enter 1 to ${formatNumber(maxDays)} days.` }
