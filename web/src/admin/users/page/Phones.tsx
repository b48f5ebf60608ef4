import { useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import type { SipConnection } from '@trunkline/contract/sip-credentials'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { Confirm } from '../../../common/Confirm.tsx'
import { Facts } from '../../../common/Facts.tsx'
import { formatDate, formatDateTime } from '../../../common/format/dates.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { Registration } from '../../../common/Registration.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { Lamp } from '../../../ui/Lamp.tsx'
import { rereadUsers, sipQuery } from '../queries.ts'
import { ShownOnce } from '../ShownOnce.tsx'
import { Addresses } from './Addresses.tsx'
import { listCard } from './list-card.ts'

export function Phones({ user }: { user: UserDetails }) {
  const sip = useQuery(sipQuery(user.id))
  const [isAsking, setAsking] = useState(false)
  const [made, setMade] = useState<string | null>(null)

  async function renew() {
    const { password } = await api('POST /api/admin/users/:id/sip/password', { params: { id: user.id } })
    // The next dialog says it; on a phone a toast would cover its button.
    setMade(password)
    return { message: null }
  }

  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <TitledCard
        title="SIP account"
        className={listCard}
        action={
          <Button size="sm" onClick={() => setAsking(true)}>
            <KeyRound aria-hidden />
            Reset SIP password
          </Button>
        }
      >
        <Loaded query={sip} failed="The SIP account could not be loaded.">
          {({ connection }) => <Facts mono facts={factsOf(connection, user)} />}
        </Loaded>
      </TitledCard>
      <div className="flex flex-col gap-4">
        <TitledCard title="Registered phones">
          <Loaded query={sip} failed="The registered phones could not be loaded.">
            {({ registrations }) =>
              registrations.length === 0 ? (
                <p className="flex items-center gap-2.5 text-muted text-sm">
                  <Lamp label="" />
                  No registered phones.
                </p>
              ) : (
                <ul className="divide-y">
                  {registrations.map((registration) => (
                    <Registration key={registration.contact} registration={registration} className="py-2.5">
                      <span className="figures text-right text-muted text-xs">
                        since {formatDateTime(registration.registered_at)}
                      </span>
                    </Registration>
                  ))}
                </ul>
              )
            }
          </Loaded>
        </TitledCard>
        <Addresses user={user} />
      </div>
      {isAsking && (
        <Confirm
          title={`Reset the SIP password of ${user.username}?`}
          text="The old password stops working immediately. Phones cannot register until you enter the new one."
          action="Reset password"
          failed="The SIP password could not be reset. Please try again."
          onConfirm={renew}
          reread={rereadUsers}
          onClose={() => setAsking(false)}
        />
      )}
      {made !== null && (
        <ShownOnce
          title={`The SIP password of ${user.username}`}
          text="Hand it over now: it is not shown again."
          username={user.username}
          password={made}
          onClose={() => {
            setMade(null)
            void rereadUsers()
          }}
        />
      )}
    </div>
  )
}

const factsOf = (connection: SipConnection, { host }: UserDetails): [string, string][] => [
  ['Username', connection.username],
  ['Realm', connection.realm],
  ['Server', connection.server ?? 'not set'],
  ['Port', `${connection.port} (${connection.transports.join(', ')}), TLS ${connection.tls_port}`],
  ['Calls come from', host],
  [
    'SIP password',
    connection.password_since === null ? 'none yet' : `made ${formatDate(connection.password_since)}`,
  ],
]
