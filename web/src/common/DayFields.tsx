import { Field } from '../ui/Field.tsx'
import { DayInput } from './DayInput.tsx'
import { writeDay } from './period.ts'

type DayFieldsProps = {
  from: string | undefined
  to: string | undefined
  className: string
  /** Called while a date is typed, so it replaces the history entry. */
  onChange: (name: 'from' | 'to', day: string | undefined) => void
}

/** First and last day; both are optional. */
export function DayFields({ from, to, className, onChange }: DayFieldsProps) {
  const today = writeDay(new Date())
  const isBackwards = from !== undefined && to !== undefined && from > to
  return (
    <>
      <Field label="From" className={className}>
        <DayInput max={to ?? today} day={from} onDay={(day) => onChange('from', day)} />
      </Field>
      <Field
        label="To"
        className={className}
        error={isBackwards ? 'The end date is before the start date.' : undefined}
      >
        <DayInput min={from} max={today} day={to} onDay={(day) => onChange('to', day)} />
      </Field>
    </>
  )
}
