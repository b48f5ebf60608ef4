import type { OpenHours } from '@trunkline/domain/flows'
import { Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { formatCalendarDate } from '../../../common/format/dates.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Days } from '../../numbers/rings/RuleFields.tsx'
import { TimeZoneField } from '../../numbers/rings/TimeZoneField.tsx'
import { formatMinute } from '../../numbers/words.ts'
import type { FieldsOf } from './fields.ts'

const MAX_TIMES = 20
const MAX_HOLIDAYS = 100
const DAY_MINUTES = 1_440

export const HoursFields = ({ step, onEdit }: FieldsOf<'hours'>) => {
  const change = (at: number, part: Partial<OpenHours>) =>
    onEdit(
      { open: step.open.map((each, index) => (index === at ? { ...each, ...part } : each)) },
      `open.${at}`,
    )
  return (
    <>
      <TimeZoneField value={step.timeZone} onChange={(timeZone) => onEdit({ timeZone })} />
      <section aria-label="Open" className="flex flex-col gap-3">
        <h4 className="font-medium text-sm">Open</h4>
        <ol className="flex flex-col gap-3">
          {step.open.map((times, at) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the times have no other identity, and their fields are controlled
              key={at}
              className="relative flex flex-col gap-3 rounded-lg border bg-ground p-3 [&_fieldset>div]:grid [&_fieldset>div]:grid-cols-7 [&_label:has([type=checkbox])]:min-w-0 [&_label:has([type=checkbox])]:px-0"
            >
              <Days
                days={times.days}
                name={`open.${at}.days`}
                error={undefined}
                // At least one day stays.
                onChange={(days) => days.length > 0 && change(at, { days: days.toSorted((a, b) => a - b) })}
              />
              <div className="grid grid-cols-2 gap-2">
                <TimeField label="From" minute={times.from} onChange={(from) => change(at, { from })} />
                <TimeField
                  label="To"
                  minute={times.to}
                  onChange={(to) => change(at, { to: to || DAY_MINUTES })}
                />
              </div>
              <Button
                variant="ghost"
                size="sm"
                aria-label={`Remove opening time ${at + 1}`}
                className="absolute top-1.5 right-1.5 w-8 px-0"
                onClick={() => onEdit({ open: step.open.toSpliced(at, 1) })}
              >
                <Trash2 aria-hidden />
              </Button>
            </li>
          ))}
        </ol>
        {step.open.length < MAX_TIMES && (
          <AddButton
            size="sm"
            className="self-start"
            onClick={() => onEdit({ open: [...step.open, { days: [6], from: 600, to: 840 }] })}
          >
            Add opening time
          </AddButton>
        )}
      </section>
      <Holidays holidays={step.holidays} onChange={(holidays) => onEdit({ holidays })} />
    </>
  )
}

type TimeFieldProps = { label: string; minute: number; onChange: (minute: number) => void }

const TimeField = ({ label, minute, onChange }: TimeFieldProps) => (
  <Field label={label} className="min-w-0 flex-1">
    <Input
      type="time"
      className="px-2"
      value={formatMinute(minute % DAY_MINUTES)}
      onChange={({ target }) => {
        const [hours, minutes] = target.value.split(':').map(Number)
        if (hours !== undefined && minutes !== undefined) onChange(hours * 60 + minutes)
      }}
    />
  </Field>
)

type HolidaysProps = { holidays: readonly string[]; onChange: (holidays: string[]) => void }

/** `2026-12-25`, or `12-25` for every year. */
function Holidays({ holidays, onChange }: HolidaysProps) {
  const [date, setDate] = useState('')
  const [isYearly, setYearly] = useState(false)
  function add() {
    onChange([...new Set([...holidays, isYearly ? date.slice(5) : date])].sort())
    setDate('')
  }
  return (
    <section aria-label="Holidays" className="flex flex-col gap-3">
      <h4 className="font-medium text-sm">Holidays</h4>
      {holidays.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {holidays.map((holiday) => (
            <li
              key={holiday}
              className="figures flex items-center gap-1 rounded-md border bg-sunken py-0.5 pr-0.5 pl-2 text-sm"
            >
              {sayHoliday(holiday)}
              <button
                type="button"
                aria-label={`Remove ${sayHoliday(holiday)}`}
                onClick={() => onChange(holidays.filter((each) => each !== holiday))}
                className="grid size-6 place-items-center rounded-sm text-muted hover:bg-ink/6 hover:text-ink"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {holidays.length < MAX_HOLIDAYS && (
        <>
          <div className="flex items-end gap-2">
            <Field label="Date" className="min-w-0 flex-1">
              <Input type="date" value={date} onChange={({ target }) => setDate(target.value)} />
            </Field>
            <Button disabled={date === ''} onClick={add}>
              Add
            </Button>
          </div>
          <Checkbox
            label="Every year"
            checked={isYearly}
            onChange={({ target }) => setYearly(target.checked)}
          />
        </>
      )}
    </section>
  )
}

/** `Dec 25, 2026`, or `Dec 25, every year`. */
function sayHoliday(holiday: string): string {
  if (holiday.length > 5) return formatCalendarDate(holiday)
  // A leap year has every day.
  return `${formatCalendarDate(`2024-${holiday}`).replace(/,? 2024$/, '')}, every year`
}
