import { Link } from '@tanstack/react-router'
import type { AdminUser, UserSort } from '@trunkline/contract/admin-users'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoney } from '../../common/format/money.ts'
import { Badge } from '../../ui/Badge.tsx'
import { BlockTable } from '../../ui/BlockTable.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { Td, Th, Tr } from '../../ui/Table.tsx'
import { StateBadges } from './StateBadges.tsx'
import { DEFAULT_SORT, type UsersSearch } from './search.ts'
import { TagBadges } from './TagBadges.tsx'

type UserTableProps = {
  users: readonly AdminUser[]
  /** The rows belong to the previous selection while the new one loads. */
  isOld: boolean
  search: UsersSearch
  onSort: (sort: UserSort) => void
}

export function UserTable({ users, isOld, search, onSort }: UserTableProps) {
  const { sort = DEFAULT_SORT } = search
  return (
    <BlockTable
      caption="Users. Select one to edit."
      isOld={isOld}
      heads={
        <>
          <SortedTh label="Username" up="name" down="name_desc" sort={sort} onSort={onSort} />
          <Th>Email</Th>
          <Th>Company</Th>
          <Th className="max-lg:hidden">Country</Th>
          <Th>Premium</Th>
          <SortedTh label="Balance" up="balance_asc" down="balance" sort={sort} onSort={onSort} numeric />
          <Th className="pr-4">State</Th>
        </>
      }
    >
      {users.map((user) => (
        <UserRow key={user.id} user={user} search={search} />
      ))}
    </BlockTable>
  )
}

function UserRow({ user, search }: { user: AdminUser; search: UsersSearch }) {
  return (
    // The link of the first cell covers the whole row.
    <Tr
      className={cx(
        'relative max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-0.5 max-md:px-4 max-md:py-3',
        search.user === user.id && 'bg-signal-soft/60',
      )}
    >
      <Td className="max-w-56 md:pl-4 max-md:order-1 max-md:max-w-none max-md:p-0">
        <Link
          to="/admin-panal/users"
          search={{ ...search, user: user.id }}
          resetScroll={false}
          preload={false}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          <span className="sr-only">Edit </span>
          {user.username}
        </Link>
        <TagBadges tags={user.tags} className="mt-1 max-md:mb-1" />
      </Td>
      <Text className="max-md:order-3">{user.email}</Text>
      <Text className="max-md:order-5">{user.company}</Text>
      <Text className="max-lg:hidden">{user.country}</Text>
      <Td className="max-md:hidden">
        {user.is_premium ? <Badge tone="signal">Premium</Badge> : <span className="text-muted">No</span>}
      </Td>
      <Td numeric className="font-medium max-md:order-2 max-md:p-0 max-md:text-base">
        {formatMoney(user.bal)}
      </Td>
      <Td className="max-md:order-4 max-md:col-start-2 max-md:p-0 max-md:text-right md:pr-4">
        <StateBadges user={user} />
      </Td>
    </Tr>
  )
}

const Text = ({ className, children }: { className?: string; children: ReactNode }) => (
  <Td
    className={cx(
      'max-w-56 max-md:wrap-anywhere max-md:col-start-1 max-md:max-w-none max-md:p-0 max-md:text-muted max-md:empty:hidden md:truncate',
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
    <Th
      numeric={numeric}
      className={numeric ? '' : 'pl-4'}
      aria-sort={sort === up ? 'ascending' : sort === down ? 'descending' : undefined}
    >
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
