import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AdminUser } from '@trunkline/contract/admin-users'
import { ArrowRight } from 'lucide-react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'
import { userQuery } from './queries.ts'
import { StateBadges } from './StateBadges.tsx'
import { TagBadges } from './TagBadges.tsx'
import { UserForm } from './UserForm.tsx'

type UserDrawerProps = {
  id: number | undefined
  /** Shown until the user is loaded. */
  listed: AdminUser | undefined
  onClose: () => void
}

export function UserDrawer({ id, listed, onClose }: UserDrawerProps) {
  // Loaded when the form opens, not while someone edits.
  const read = useQuery({ ...userQuery(id ?? 0), enabled: id !== undefined, refetchInterval: false })
  const user = read.data?.user
  const named = user ?? listed
  return (
    <Drawer
      open={id !== undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={named?.username ?? 'User'}
      description={named ? `User ${named.id}` : undefined}
    >
      {user && read.isFetchedAfterMount ? (
        <div className="flex flex-col gap-6">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <span className="flex min-w-0 flex-wrap gap-1.5">
              <StateBadges user={user} />
              <TagBadges tags={user.tags} />
            </span>
            <Link
              to="/admin-panal/users/$id"
              params={{ id: String(user.id) }}
              className={buttonClass({ size: 'sm' })}
            >
              View {user.username}
              <ArrowRight aria-hidden />
            </Link>
          </div>
          <UserForm key={user.id} user={user} />
        </div>
      ) : read.isError ? (
        <Failure onRetry={() => void read.refetch()}>
          {explain(read.error, 'This user could not be loaded.')}
        </Failure>
      ) : (
        <Waiting />
      )}
    </Drawer>
  )
}

const Waiting = () => (
  <Loading className="grid gap-5 sm:grid-cols-2">
    {[0, 1, 2, 3, 4, 5].map((part) => (
      <Skeleton key={part} className="h-14" />
    ))}
  </Loading>
)
