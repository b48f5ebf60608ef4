import { Field } from '../ui/Field.tsx'
import { Input } from '../ui/Input.tsx'
import { writeDay } from './period.ts'

type DayFieldsProps = {
  from: string | undefined
  to: string | undefined
  className: string
  onChange: (name: 'from' | 'to', day: string | undefined) => void
}

/** First and last day; both are optional. */
export function DayFields({ from, to, className, onChange }: DayFieldsProps) {
  const today = writeDay(new Date())
  const isBackwards = from !== undefined && to !== undefined && from > to
  return (
    <>
      <Field label="From" className={className}>
        <Input
          type="date"
          max={to ?? today}
          value={from ?? ''}
          onChange={({ target }) => onChange('from', target.value || undefined)}
        />
      </Field>
      <Field
        label="To"
        className={className}
        error={isBackwards ? 'The end date is before the start date.' : undefined}
      >
        <Input
          type="date"
          min={from}
          max={today}
          value={to ?? ''}
          onChange={({ target }) => onChange('to', target.value || undefined)}
        />
      </Field>
    </>
  )
}
