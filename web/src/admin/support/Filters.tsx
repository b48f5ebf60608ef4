import type { TicketPriority } from '@trunkline/contract/tickets'
import { withoutGaps } from '../../common/address.ts'
import { SearchBox } from '../../common/SearchBox.tsx'
import { priorities } from '../../common/tickets/priorities.ts'
import { cx } from '../../ui/cx.ts'
import { Options, Select } from '../../ui/Select.tsx'
import type { Selection } from './search.ts'

const shown: readonly [value: Exclude<Selection['show'], undefined> | '', label: string][] = [
  ['', 'Open tickets'],
  ['waiting', 'Needs reply'],
  ['closed', 'Closed tickets'],
  ['all', 'All tickets'],
]

type FiltersProps = { selection: Selection; onSelect: (selection: Selection) => void; className: string }

export function Filters({ selection, onSelect, className }: FiltersProps) {
  const choose = (change: { [Name in keyof Selection]: Selection[Name] | undefined }) =>
    onSelect(withoutGaps({ ...selection, ...change }))
  return (
    <div
      className={cx(
        'grid grid-cols-2 gap-2 lg:grid-cols-[10rem_10rem_10rem_minmax(0,1fr)_minmax(0,1fr)]',
        // Three choices above two searches.
        'short:max-lg:grid-cols-6 short:max-lg:*:col-span-2 short:max-lg:*:nth-[n+4]:col-span-3',
        className,
      )}
    >
      <Select
        aria-label="Status"
        value={selection.show ?? ''}
        onChange={(event) => choose({ show: (event.target.value || undefined) as Selection['show'] })}
      >
        <Options of={shown} />
      </Select>
      <Select
        aria-label="Filter by assignee"
        value={selection.assigned ?? ''}
        onChange={(event) => choose({ assigned: (event.target.value || undefined) as Selection['assigned'] })}
      >
        <option value="">All assignees</option>
        <option value="me">Mine</option>
        <option value="nobody">Unassigned</option>
      </Select>
      <Select
        aria-label="Filter by priority"
        className="max-lg:col-span-2"
        value={selection.priority ?? ''}
        onChange={(event) =>
          choose({ priority: (event.target.value || undefined) as TicketPriority | undefined })
        }
      >
        <option value="">Any priority</option>
        <Options of={priorities.map(([value, label]) => [value, `${label} priority`])} />
      </Select>
      <SearchBox
        label="Search by subject or number"
        placeholder="Subject or number"
        className="max-lg:col-span-2"
        text={selection.text}
        onSearch={(text) => choose({ text })}
      />
      <SearchBox
        label="Username"
        placeholder="Username"
        className="max-lg:col-span-2"
        text={selection.user}
        onSearch={(user) => choose({ user })}
      />
    </div>
  )
}
