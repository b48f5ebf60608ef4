import { useUser } from '../../app/session.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Facts } from '../Facts.tsx'
import { ChangePassword } from './ChangePassword.tsx'

const AVATAR_SIZE = 100

export function Profile() {
  const user = useUser()
  if (!user) return null
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card>
        <div className="mb-5 flex items-center gap-5">
          <Avatar name={user.username} size={AVATAR_SIZE} decorative />
          <div className="min-w-0">
            <h2 className="break-words font-semibold text-2xl tracking-tight">{user.username}</h2>
            {user.company && <p className="mt-0.5 break-words text-muted">{user.company}</p>}
          </div>
        </div>
        <Facts
          facts={[
            ['Username', user.username || 'N/A'],
            ['Company', user.company || 'N/A'],
            ['Host', user.host || 'N/A'],
            ['Website IP', user.websiteip || 'N/A'],
          ]}
        />
      </Card>
      <Card>
        <CardHeader title="Change password" />
        <ChangePassword username={user.username} />
      </Card>
    </div>
  )
}
