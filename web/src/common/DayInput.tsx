import { type ComponentProps, useState } from 'react'
import { Input } from '../ui/Input.tsx'
import { readDay } from './period.ts'

type DayInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'onBlur'> & {
  day: string | undefined
  /** Undefined after the field was cleared, unless it is required. */
  onDay: (day: string | undefined) => void
}

/**
 * A date field that reports only whole days. While the year 2026 is typed, the browser gives the years 2, 20 and 202
 * first; they stay in the field.
 */
export function DayInput({ day, onDay, ...rest }: DayInputProps) {
  const [typed, setTyped] = useState(day ?? '')
  const [shown, setShown] = useState(day)
  // Reported days may return late, one by one. They do not replace what was typed since.
  const [reported, setReported] = useState<(string | undefined)[]>([])
  if (day !== shown) {
    const at = reported.indexOf(day)
    setShown(day)
    setReported(at === -1 ? [] : reported.slice(at + 1))
    if (at === -1) setTyped(day ?? '')
  }
  // A date that is typed in part is empty too, and bad input.
  const isCleared = ({ value, validity }: HTMLInputElement) =>
    !rest.required && value === '' && !validity.badInput

  return (
    <Input
      type="date"
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        if (readDay(target.value) === null && !isCleared(target)) return
        const next = target.value || undefined
        setReported([...reported, next])
        onDay(next)
      }}
      // React does not notice that the last part of a date was deleted.
      onBlur={({ target }) => {
        setReported([])
        if (day !== undefined && isCleared(target)) onDay(undefined)
        else setTyped(day ?? '')
      }}
      {...rest}
    />
  )
}
