import { useQuery } from '@tanstack/react-query'
import { withoutGaps } from '../../common/address.ts'
import { useDebouncedInput } from '../../common/use-debounced-input.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Select } from '../../ui/Select.tsx'
import { choicesQuery } from './queries.ts'
import type { Selection } from './search.ts'
import { sayAction } from './words.ts'

type FiltersProps = { selection: Selection; onSelect: (selection: Selection) => void }

export function Filters({ selection, onSelect }: FiltersProps) {
  const { data } = useQuery(choicesQuery)
  const choose = (change: { [Name in keyof Selection]: Selection[Name] | undefined }) =>
    onSelect(withoutGaps({ ...selection, ...change }))
  const [user, typeUser] = useDebouncedInput(selection.user ?? '', (typed) =>
    choose({ user: typed || undefined }),
  )
  const [subject, typeSubject] = useDebouncedInput(selection.subject ?? '', (typed) =>
    choose({ subject: typed || undefined }),
  )
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
      <Field label="Administrator">
        <Select
          value={selection.by ?? ''}
          onChange={(event) => choose({ by: Number(event.target.value) || undefined })}
        >
          <option value="">All administrators</option>
          {data?.actors.map(({ id, username }) => (
            <option key={id} value={id}>
              {username}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Action">
        <Select
          value={selection.action ?? ''}
          onChange={(event) => choose({ action: event.target.value || undefined })}
        >
          <option value="">All actions</option>
          {data?.actions.map((action) => (
            <option key={action} value={action}>
              {sayAction(action)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="User">
        <Input
          autoComplete="off"
          spellCheck={false}
          placeholder="Username"
          value={user}
          onChange={(event) => typeUser(event.target.value)}
        />
      </Field>
      <Field label="Subject">
        <Input
          autoComplete="off"
          spellCheck={false}
          placeholder="route 3"
          value={subject}
          onChange={(event) => typeSubject(event.target.value)}
        />
      </Field>
      <Field label="From">
        <Input
          type="date"
          value={selection.from ?? ''}
          onChange={(event) => choose({ from: event.target.value || undefined })}
        />
      </Field>
      <Field label="To">
        <Input
          type="date"
          value={selection.to ?? ''}
          onChange={(event) => choose({ to: event.target.value || undefined })}
        />
      </Field>
    </div>
  )
}
