import { Link } from '@tanstack/react-router'
import type { ListedUser, UserSort } from '@trunkline/contract/admin-users'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoney } from '../../common/format/money.ts'
import { BlockTable } from '../../ui/BlockTable.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { Td, Th, Tr } from '../../ui/Table.tsx'
import type { ChosenUsers } from './bulk/selection.ts'
import { HealthCell } from './HealthCell.tsx'
import { StateBadges } from './StateBadges.tsx'
import { DEFAULT_SORT, type UsersSearch } from './search.ts'
import { TagBadges } from './TagBadges.tsx'

type UserTableProps = {
  users: readonly ListedUser[]
  /** The rows belong to the previous selection while the new one loads. */
  isOld: boolean
  search: UsersSearch
  onSort: (sort: UserSort) => void
  chosen: ChosenUsers
}

export function UserTable({ users, isOld, search, onSort, chosen }: UserTableProps) {
  const { sort = DEFAULT_SORT } = search
  const page = users.map(({ id }) => id)
  const count = page.filter((id) => chosen.has(id)).length
  return (
    <BlockTable
      caption="Users. Select one to edit."
      isOld={isOld}
      heads={
        <>
          <Th className="w-px pr-0 pl-4">
            <Tick
              label="Select all users on this page"
              isChosen={count === page.length}
              isPartly={count > 0 && count < page.length}
              onChange={(isChosen) => chosen.toggle(page, isChosen, page)}
            />
          </Th>
          <SortedTh label="Username" up="name" down="name_desc" sort={sort} onSort={onSort} />
          <Th>Email</Th>
          <Th>Company</Th>
          <Th className="max-2xl:hidden">Country</Th>
          <SortedTh label="Balance" up="balance_asc" down="balance" sort={sort} onSort={onSort} numeric />
          <Th>State</Th>
          <Th className="pr-4">Health</Th>
        </>
      }
    >
      {users.map((user) => (
        <UserRow
          key={user.id}
          user={user}
          search={search}
          isChosen={chosen.has(user.id)}
          onChoose={(isChosen) => chosen.toggle([user.id], isChosen, page)}
        />
      ))}
    </BlockTable>
  )
}

type UserRowProps = {
  user: ListedUser
  search: UsersSearch
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function UserRow({ user, search, isChosen, onChoose }: UserRowProps) {
  return (
    // The link of the first cell covers the whole row.
    <Tr
      className={cx(
        'relative max-md:grid max-md:grid-cols-[auto_minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-0.5 max-md:px-4 max-md:py-3',
        (isChosen || search.user === user.id) && 'bg-signal-soft/60',
      )}
    >
      <Td className="pr-0 pl-4 max-md:order-first max-md:row-span-3 max-md:p-0">
        <Tick label={`Select ${user.username}`} isChosen={isChosen} onChange={onChoose} />
      </Td>
      <Td className="max-w-72 max-md:order-1 max-md:col-start-2 max-md:max-w-none max-md:p-0">
        {/* Tags stay beside the name, so that every row has the same height. */}
        <span className="flex min-w-0 items-center gap-x-2 gap-y-1 max-md:flex-wrap">
          <Link
            to="/admin-panal/users"
            search={{ ...search, user: user.id }}
            resetScroll={false}
            preload={false}
            className="min-w-16 truncate font-medium after:absolute after:inset-0"
          >
            <span className="sr-only">Edit </span>
            {user.username}
          </Link>
          <TagBadges tags={user.tags} className="shrink-[2] md:flex-nowrap" />
        </span>
      </Td>
      <Text className="max-md:order-3">{user.email}</Text>
      <Text className="max-md:order-5">{user.company}</Text>
      <Text className="max-2xl:hidden">{user.country}</Text>
      <Td numeric className="font-medium max-md:order-2 max-md:col-start-3 max-md:p-0 max-md:text-base">
        {formatMoney(user.bal)}
      </Td>
      <Td className="max-md:order-4 max-md:col-start-3 max-md:max-w-24 max-md:p-0 max-md:text-right">
        <StateBadges user={user} />
      </Td>
      <Td className="max-w-64 max-md:order-6 max-md:col-start-2 max-md:col-end-4 max-md:max-w-none max-md:p-0 max-md:empty:hidden md:pr-4">
        <HealthCell reasons={user.health} />
      </Td>
    </Tr>
  )
}

type TickProps = {
  label: string
  isChosen: boolean
  /** Some of the users are chosen. */
  isPartly?: boolean
  onChange: (isChosen: boolean) => void
}

/** Above the link that covers the row, with a target of 24 pixels. */
const Tick = ({ label, isChosen, isPartly = false, onChange }: TickProps) => (
  <label className="relative z-10 -m-1 grid size-6 cursor-pointer place-items-center">
    <span className="sr-only">{label}</span>
    <input
      type="checkbox"
      className="size-4 accent-signal-ink"
      checked={isChosen}
      ref={(box) => {
        if (box) box.indeterminate = isPartly
      }}
      onChange={({ target }) => onChange(target.checked)}
    />
  </label>
)

const Text = ({ className, children }: { className?: string; children: ReactNode }) => (
  <Td
    className={cx(
      'max-w-56 max-md:wrap-anywhere max-md:col-start-2 max-md:max-w-none max-md:p-0 max-md:text-muted max-md:empty:hidden md:truncate',
      className,
    )}
  >
    {children}
  </Td>
)

type SortedThProps = {
  label: string
  up: UserSort
  down: UserSort
  sort: UserSort
  onSort: (sort: UserSort) => void
  numeric?: boolean
}

/** The first press sorts by the column, the second reverses the order. */
function SortedTh({ label, up, down, sort, onSort, numeric = false }: SortedThProps) {
  const first = numeric ? down : up
  const Arrow = sort === down ? ArrowDown : ArrowUp
  const isSorted = sort === up || sort === down
  return (
    <Th numeric={numeric} aria-sort={sort === up ? 'ascending' : sort === down ? 'descending' : undefined}>
      <button
        type="button"
        onClick={() => onSort(isSorted ? (sort === up ? down : up) : first)}
        className="engraved -my-1 inline-flex h-6 items-center gap-1 rounded-sm hover:text-ink"
      >
        {label}
        <Arrow aria-hidden className={cx('size-3.5', !isSorted && 'opacity-0')} />
      </button>
    </Th>
  )
}

export const UserTableSkeleton = () => (
  <SkeletonTable
    rows={10}
    className="h-[43px] max-md:h-18"
    parts={['w-28', 'w-44 max-md:hidden', 'w-32 max-md:hidden', 'ml-auto w-20', 'w-16 max-md:hidden']}
  />
)
