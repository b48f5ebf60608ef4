import { useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { Confirm } from '../../../common/Confirm.tsx'
import { formatDate, formatDateTime } from '../../../common/format/dates.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { rereadUsers, sessionsQuery } from '../queries.ts'
import { listCard } from './list-card.ts'

export function Sessions({ user }: { user: UserDetails }) {
  const sessions = useQuery(sessionsQuery(user.id))
  const [isAsking, setAsking] = useState(false)
  const [endsSip, setEndsSip] = useState(true)
  return (
    <TitledCard
      title="Active sessions"
      aria-label="Sessions"
      className={listCard}
      action={
        <Button size="sm" disabled={!sessions.data?.sessions.length} onClick={() => setAsking(true)}>
          <LogOut aria-hidden />
          Sign out everywhere
        </Button>
      }
    >
      <Loaded query={sessions} failed="The sessions could not be loaded.">
        {({ sessions: open }) =>
          open.length === 0 ? (
            <p className="text-muted">No active sessions.</p>
          ) : (
            <ul className="divide-y">
              {open.map(({ id, device, address, since, last_used, is_current }) => (
                <li key={id} className="flex flex-wrap items-baseline gap-x-6 gap-y-1 py-2.5">
                  <span className="font-medium text-sm">{device}</span>
                  {is_current && <Badge tone="signal">This device</Badge>}
                  <span className="font-mono text-muted text-sm">{address}</span>
                  <span className="figures text-muted text-sm sm:ml-auto">
                    Since {formatDate(since)} · last used {formatDateTime(last_used)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAsking && (
        <Confirm
          title={`Sign out ${user.username} everywhere?`}
          text="The user must sign in again on every device."
          action="Sign out everywhere"
          failed="The user could not be signed out. Please try again."
          onConfirm={() =>
            api('DELETE /api/admin/users/:id/sessions', {
              params: { id: user.id },
              query: { sip_access: endsSip ? 'end' : 'keep' },
            })
          }
          reread={rereadUsers}
          onClose={() => setAsking(false)}
        >
          <Checkbox
            label="Also disconnect phones"
            hint="Resets the SIP password, removes trusted addresses and ends live calls."
            checked={endsSip}
            onChange={(event) => setEndsSip(event.target.checked)}
          />
        </Confirm>
      )}
    </TitledCard>
  )
}
