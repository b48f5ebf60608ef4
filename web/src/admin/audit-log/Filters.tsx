import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { withoutGaps } from '../../common/address.ts'
import { DayInput } from '../../common/DayInput.tsx'
import { DebouncedInput } from '../../common/DebouncedInput.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { choicesQuery } from './queries.ts'
import type { Selection } from './search.ts'
import { sayAction } from './words.ts'

type FiltersProps = { selection: Selection; onSelect: (selection: Selection) => void }

export function Filters({ selection, onSelect }: FiltersProps) {
  const { data } = useQuery(choicesQuery)
  const choose = (change: { [Name in keyof Selection]: Selection[Name] | undefined }) =>
    onSelect(withoutGaps({ ...selection, ...change }))
  return (
    <>
      <Select
        aria-label="Administrator"
        className="lg:w-44"
        value={selection.by ?? ''}
        onChange={(event) => choose({ by: Number(event.target.value) || undefined })}
      >
        <option value="">All administrators</option>
        <Options of={data?.actors.map(({ id, username }) => [id, username])} />
      </Select>
      <Select
        aria-label="Action"
        className="lg:w-36"
        value={selection.action ?? ''}
        onChange={(event) => choose({ action: event.target.value || undefined })}
      >
        <option value="">All actions</option>
        <Options of={data?.actions.map((action) => [action, sayAction(action)])} />
      </Select>
      <DebouncedInput
        aria-label="User"
        className="lg:w-28"
        spellCheck={false}
        placeholder="Username"
        text={selection.user}
        onType={(user) => choose({ user })}
      />
      <DebouncedInput
        aria-label="Subject"
        className="lg:w-28"
        spellCheck={false}
        placeholder="route 3"
        text={selection.subject}
        onType={(subject) => choose({ subject })}
      />
      <Day label="From" value={selection.from} onChange={(from) => choose({ from })} />
      <Day label="To" value={selection.to} onChange={(to) => choose({ to })} />
    </>
  )
}

type DayProps = { label: string; value: string | undefined; onChange: (day: string | undefined) => void }

function Day({ label, value, onChange }: DayProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-1.5 max-sm:col-span-2">
      <label htmlFor={id} className="text-sm max-lg:w-9">
        {label}
      </label>
      <DayInput id={id} className="min-w-0 flex-1 px-2! lg:w-34" day={value} onDay={onChange} />
    </div>
  )
}
