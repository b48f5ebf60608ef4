import type { AdminUser } from '@trunkline/contract/admin-users'
import { Badge } from '../../ui/Badge.tsx'

export function StateBadges({ user }: { user: Pick<AdminUser, 'is_disabled' | 'is_admin' | 'is_premium'> }) {
  return (
    <span className="inline-flex gap-1.5 max-md:flex-wrap max-md:justify-end">
      {user.is_premium && <Badge tone="signal">Premium</Badge>}
      {user.is_admin && <Badge tone="pending">Admin</Badge>}
      {user.is_disabled ? <Badge tone="danger">Disabled</Badge> : <Badge tone="success">Active</Badge>}
    </span>
  )
}
