import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SEARCH_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { SlidersHorizontal, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { ListCard } from '../../common/ListCard.tsx'
import { inOrder, Pager } from '../../common/Pager.tsx'
import { SearchBox } from '../../common/SearchBox.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { AddUser } from './AddUser.tsx'
import { ChosenBar } from './bulk/ChosenBar.tsx'
import { useChosen } from './bulk/selection.ts'
import { tagsQuery, usersQuery } from './queries.ts'
import {
  askFor,
  DEFAULT_SORT,
  type HealthFilter,
  healthFilters,
  isNarrowed,
  readSearch,
  type Selection,
  selectionOf,
  sorts,
  type UsersSearch,
} from './search.ts'
import { TemplatesDialog } from './templates/TemplatesDialog.tsx'
import { UserDrawer } from './UserDrawer.tsx'
import { UserTable, UserTableSkeleton } from './UserTable.tsx'

export function Users() {
  const search = readSearch(useSearch({ from: '/admin-gate/admin-panal/users' }))
  const selection = selectionOf(search)
  const navigate = useNavigate({ from: '/admin-panal/users' })
  const [isAdding, setAdding] = useState(false)
  const [isManaging, setManaging] = useState(false)
  const chosen = useChosen(selection)
  const go = (next: UsersSearch, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })

  const page = useQuery(usersQuery(askFor(selection, search.after)))
  const pagination = usePagination(selection, search.after, page.isPlaceholderData ? null : page.data?.next)

  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3 short:mb-3">
        <h1 className="font-semibold text-2xl tracking-tight">User Management</h1>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setManaging(true)}>
            <SlidersHorizontal aria-hidden />
            Limit templates
          </Button>
          <Button variant="primary" onClick={() => setAdding(true)}>
            <UserPlus aria-hidden />
            Add User
          </Button>
        </div>
      </div>
      <Toolbar selection={selection} user={search.user} onSelect={go} />
      <ListCard label="Users" query={page} failed={messages.usersFailed} waiting={<UserTableSkeleton />}>
        {({ users }) =>
          users.length === 0 ? (
            <NoUsers isNarrowed={isNarrowed(selection)} onClear={() => go({})} />
          ) : (
            <>
              <ChosenBar
                chosen={chosen}
                page={users}
                hasMore={!pagination.isFirst || pagination.older !== null}
              />
              <UserTable
                chosen={chosen}
                users={users}
                isOld={page.isPlaceholderData}
                search={search}
                onSort={(sort) => go({ ...selection, sort })}
              />
              <Pager
                label="Pages of users"
                pagination={pagination}
                words={inOrder}
                note={selection.sort?.startsWith('balance') ? 'Order updated every minute' : undefined}
                onGo={(after) => go({ ...selection, after })}
              />
            </>
          )
        }
      </ListCard>
      <UserDrawer
        id={search.user}
        listed={page.data?.users.find(({ id }) => id === search.user)}
        onClose={() => go({ ...search, user: undefined }, true)}
      />
      {isManaging && <TemplatesDialog onClose={() => setManaging(false)} />}
      {isAdding && (
        <AddUser onClose={() => setAdding(false)} onAdded={({ id }) => go({ ...selection, user: id })} />
      )}
    </>
  )
}

type ToolbarProps = {
  selection: Selection
  /** Keeps the drawer open when a delayed search updates the address. */
  user: number | undefined
  onSelect: (next: UsersSearch, replace?: boolean) => void
}

const filters = [
  { name: 'premium', label: 'Premium', any: 'All plans', yes: 'Premium only', no: 'Not premium' },
  { name: 'disabled', label: 'State', any: 'All states', yes: 'Disabled only', no: 'Active only' },
  { name: 'admin', label: 'Role', any: 'All roles', yes: 'Administrators', no: 'Customers' },
] as const

function Toolbar({ selection, user, onSelect }: ToolbarProps) {
  return (
    <div className="mb-4 grid grid-cols-2 gap-2 sm:grid-cols-4 lg:flex">
      <SearchBox
        label="Search users"
        placeholder="Name, email, company or ID"
        maxLength={SEARCH_MAX}
        className="min-w-52 flex-1 max-lg:col-span-2"
        text={selection.search}
        onSearch={(search) => onSelect({ ...selection, search, user }, true)}
      />
      {filters.map(({ name, label, any, yes, no }) => (
        <Select
          key={name}
          aria-label={label}
          value={selection[name] ?? ''}
          onChange={(event) =>
            onSelect({ ...selection, [name]: (event.target.value || undefined) as 'yes' | 'no' | undefined })
          }
        >
          <option value="">{any}</option>
          <option value="yes">{yes}</option>
          <option value="no">{no}</option>
        </Select>
      ))}
      <Select
        aria-label="Health"
        value={selection.health ?? ''}
        onChange={({ target }) =>
          onSelect({ ...selection, health: (target.value || undefined) as HealthFilter | undefined })
        }
      >
        <option value="">Any health</option>
        <Options of={Object.entries(healthFilters)} />
      </Select>
      <TagFilter tag={selection.tag} onSelect={(tag) => onSelect({ ...selection, tag })} />
      <Select
        aria-label="Sort"
        // Fills its row on a phone when the filter by tag is hidden.
        className="max-sm:even:col-span-2"
        value={selection.sort ?? DEFAULT_SORT}
        onChange={(event) => onSelect({ ...selection, sort: event.target.value as keyof typeof sorts })}
      >
        <Options of={Object.entries(sorts)} />
      </Select>
    </div>
  )
}

/** Hidden until the first user has a tag. */
function TagFilter({ tag, onSelect }: { tag: string | undefined; onSelect: (tag?: string) => void }) {
  const used = useQuery(tagsQuery).data?.tags.map((each) => each.tag) ?? []
  const choices = tag === undefined || used.includes(tag) ? used : [tag, ...used]
  if (choices.length === 0) return null
  return (
    <Select
      aria-label="Tag"
      className="lg:max-w-40"
      value={tag ?? ''}
      onChange={({ target }) => onSelect(target.value || undefined)}
    >
      <option value="">All tags</option>
      <Options of={choices.map((each) => [each, each])} />
    </Select>
  )
}

const NoUsers = ({ isNarrowed: isFiltered, onClear }: { isNarrowed: boolean; onClear: () => void }) => (
  <EmptyState
    title={messages.noUsers}
    text={isFiltered ? 'Change the search or the filters.' : 'Add the first user.'}
    action={isFiltered && <Button onClick={onClear}>Clear search and filters</Button>}
  />
)
