import { useQuery } from '@tanstack/react-query'
import type { User } from '@trunkline/contract/accounts'
import { messages } from '@trunkline/contract/messages'
import { countryName } from '@trunkline/domain/countries'
import { Facts } from '../../common/Facts.tsx'
import { Failure } from '../../common/Failure.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { LoadingNote, Skeleton } from '../../ui/Skeleton.tsx'
import { useEditing } from '../use-editing.ts'
import { HostState } from './HostState.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { profileQuery } from './queries.ts'

const AVATAR_SIZE = 100

export function ProfileCard() {
  const { data: user, isPending, refetch } = useQuery(profileQuery)
  return (
    <Card aria-label="Your profile" aria-busy={isPending}>
      {isPending ? (
        <Waiting />
      ) : user ? (
        <Shown user={user} />
      ) : (
        <Failure onRetry={() => void refetch()}>{messages.profileFetchFailed}</Failure>
      )}
    </Card>
  )
}

function Shown({ user }: { user: User }) {
  const { isEditing, setEditing, button } = useEditing()

  return (
    <>
      <div className="mb-5 flex items-center gap-5">
        <Avatar name={user.username} size={AVATAR_SIZE} decorative />
        <div className="min-w-0">
          <h2 className="break-words font-semibold text-2xl tracking-tight">{user.username}</h2>
          {user.company && <p className="mt-0.5 break-words text-muted">{user.company}</p>}
        </div>
      </div>
      {isEditing ? (
        <ProfileForm user={user} onDone={() => setEditing(false)} />
      ) : (
        <>
          <Facts
            facts={[
              ['Username', user.username || 'N/A'],
              ['Company', user.company || 'N/A'],
              ['Home country', user.home_country ? countryName(user.home_country) : 'None'],
              ['Host', user.host || 'N/A'],
              ['Website IP', user.websiteip || 'N/A'],
            ]}
          />
          <HostState host={user.host} />
          <Button ref={button} variant="primary" className="mt-5" onClick={() => setEditing(true)}>
            Update Profile
          </Button>
        </>
      )}
    </>
  )
}

const Waiting = () => (
  <>
    <LoadingNote />
    <div className="mb-5 flex items-center gap-5">
      <Skeleton className="h-25 w-25 rounded-lg" />
      <Skeleton className="h-7 w-40" />
    </div>
    <div className="divide-y">
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex h-11 items-center justify-between">
          <Skeleton className="w-20" />
          <Skeleton className="w-32" />
        </div>
      ))}
    </div>
    <Skeleton className="mt-5 h-10 w-36" />
  </>
)
