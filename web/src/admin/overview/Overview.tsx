import { useUser } from '../../app/session.ts'
import { useSite } from '../../app/site.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

/** What is true of this portal: who is signed in, and what customers are told about it. */
export function Overview() {
  const user = useUser()
  const site = useSite()
  if (!user) return null
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">Overview</h1>
      <p className="mt-1 mb-6 text-muted">Who is at the board, and what customers are told.</p>
      <div className="grid gap-4 md:grid-cols-2">
        <Card>
          <CardHeader title="Signed in" action={<Lamp lit="signal" label="Signed in" />} />
          <div className="flex items-center gap-4">
            <Avatar name={user.name || user.username} size={48} decorative />
            <div className="min-w-0">
              <p className="break-words font-medium">{user.name || user.username}</p>
              <p className="break-words text-muted text-sm">
                {user.email ?? 'No email address on this account'}
              </p>
            </div>
          </div>
        </Card>
        <Card>
          <CardHeader title="Shown to customers" />
          {site ? (
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5">
              <dt className="text-muted text-sm">Portal name</dt>
              <dd className="break-words">{site.name}</dd>
              <dt className="text-muted text-sm">Support email</dt>
              <dd className="break-words">{site.support.email}</dd>
              <dt className="text-muted text-sm">Support phone</dt>
              <dd className="figures">{site.support.phone}</dd>
              <dt className="text-muted text-sm">Profile</dt>
              <dd>{site.demo ? 'Demo: no real money, no real calls' : 'Production'}</dd>
            </dl>
          ) : (
            <Skeleton className="h-28 w-full" />
          )}
        </Card>
      </div>
    </>
  )
}
